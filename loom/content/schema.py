"""JSON Schemas of the YAML files, for editors: made from the dataclasses that the files are read into."""

from __future__ import annotations

import dataclasses
import inspect
import re
from typing import Any, Literal, get_args, get_origin, get_type_hints

import msgspec

from loom.content.front_matter import SYNONYMS
from loom.content.records import DERIVED
from loom.model import Config, Meta, Reference, Term

# For each kind: the dataclass of an entry, whether the file is a list of them, and the title.
KINDS = {
    "page": (Meta, False, "The front matter of a page"),
    "site": (Config, False, "content/site.yml"),
    "glossary": (Term, True, "content/glossary.yml"),
    "references": (Reference, True, "content/references.yml"),
}


PARAMETER = re.compile(r"^(\w+) : .*\n((?: {4}.*\n?)+)", re.MULTILINE)  # a parameter in a docstring


def schema(kind: str) -> dict[str, Any]:
    """The schema of a kind of file."""
    cls, listed, title = KINDS[kind]
    fields = {field.name for field in dataclasses.fields(cls)} - set(DERIVED)
    definitions = msgspec.json.schema(cls)["$defs"]
    entry = definitions.pop(cls.__name__)
    described, keys = descriptions(cls), _keys(cls)
    known = {
        name: {"description": described[name], **one, **keys.get(name, {})}
        for name, one in entry["properties"].items()
        if name in fields
    }
    record = {
        "type": "object",
        "properties": known | (_others(known) if kind == "page" else {}),
        "required": [name for name in entry.get("required", []) if name in fields],
        "additionalProperties": False,
    }
    whole: dict[str, Any] = {"type": "array", "items": record} if listed else record
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", "title": title, **whole}


def descriptions(cls: type) -> dict[str, str]:
    """The description of each field, from the dataclass's docstring."""
    return {name: " ".join(words.split()) for name, words in PARAMETER.findall(inspect.getdoc(cls) or "")}


def _keys(cls: type) -> dict[str, Any]:
    """Mappings that allow only certain keys."""
    hints = ((name, hint) for name, hint in get_type_hints(cls).items() if get_origin(hint) is dict)
    named = ((name, get_args(hint)[0]) for name, hint in hints)
    return {name: {"propertyNames": {"enum": [*get_args(key)]}} for name, key in named if get_origin(key) is Literal}


def _others(known: dict[str, Any]) -> dict[str, Any]:
    """The keys of other generators that mean the same."""
    return {
        **{name: {**known[called], "description": f"What Loom calls `{called}`."} for name, called in SYNONYMS.items()},
        "published": {"type": "boolean", "description": "`false` is what Loom calls `draft: true`."},
    }
