"""JSON Schemas of what authors write as YAML, for editors: made from the records that it is read into."""

from __future__ import annotations

import dataclasses
from typing import Any

import msgspec

from loom.content.records import DERIVED
from loom.model import Config, Meta, Reference, Term

# What is called so, the record of one entry, and whether the file is a list of them.
KINDS = {
    "page": (Meta, False, "The front matter of a page"),
    "site": (Config, False, "content/site.yml"),
    "glossary": (Term, True, "content/glossary.yml"),
    "references": (Reference, True, "content/references.yml"),
}


def schema(kind: str) -> dict[str, Any]:
    """The schema of a kind of file."""
    cls, listed, title = KINDS[kind]
    fields = {field.name for field in dataclasses.fields(cls)} - set(DERIVED)
    definitions = msgspec.json.schema(cls)["$defs"]
    entry = definitions.pop(cls.__name__)
    told = {
        "type": "object",
        "properties": {name: one for name, one in entry["properties"].items() if name in fields},
        "required": [name for name in entry.get("required", []) if name in fields],
        "additionalProperties": False,
    }
    whole: dict[str, Any] = {"type": "array", "items": told} if listed else told
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", "title": title, **whole}
