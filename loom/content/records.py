"""Nodes of YAML to typed records, every mistake with its line."""

from __future__ import annotations

import dataclasses
import re
import sys
import typing
from collections.abc import Iterator
from typing import Any, TypeVar

import msgspec
import yaml

from loom.content.files import unfit
from loom.content.yaml_nodes import last_line, yaml_node
from loom.errors import LoomError, Problem, map_all, raise_any
from loom.hints import nearest, suggest

Record = TypeVar("Record")

UNKNOWN = re.compile(r"Unknown key '(.*)'")
DERIVED = ("line", "letter", "path")  # fields that no author writes


def records(cls: type[Record], text: str, path: str) -> list[Record]:
    """A YAML list of mappings as records of `cls`."""
    node = yaml_node(text, path)
    if node is None:
        return []
    if not isinstance(node, yaml.SequenceNode):
        raise LoomError(Problem(path, 1, 0, "expected a list of entries", "begin each entry with '- '"))
    return map_all(lambda item: record(cls, item, path, last=last_line(text)), node.value)


def record(cls: type[Record], node: yaml.Node, path: str, offset: int = 0, last: int = sys.maxsize) -> Record:
    """A YAML mapping as a record of the dataclass `cls`; a field called `line` gets the entry's line.

    `last` is the last line of the file: the parser places an empty entry behind it.
    """
    start = node.start_mark.line + 1 + offset
    if not isinstance(node, yaml.MappingNode):
        raise LoomError(Problem(path, min(start, last), 0, "expected 'name: value' lines"))
    hints = typing.get_type_hints(cls)
    fields = {field.name: field for field in dataclasses.fields(typing.cast(Any, cls)) if field.name not in DERIVED}
    known: dict[str, Any] = {}
    misspelt: set[str] = set()
    problems: list[Problem] = []
    for name, line, value_node in _pairs(node, offset):
        if name in known:
            problems.append(Problem(path, line, 0, f"'{name}' is given twice", "keep one of them"))
        elif name not in fields:
            problems.append(Problem(path, line, 0, f"unknown key '{name}'", suggest(name, fields)))
            misspelt.add(nearest(name, fields))
        else:
            try:
                value = msgspec.convert(_construct(value_node), hints[name])
                known[name] = "" if isinstance(value, str) and value.isspace() else value
                if reason := unfit(value):
                    raise ValueError(reason)
            except (msgspec.ValidationError, ValueError, yaml.YAMLError) as error:
                known[name] = "" if value_node.tag.endswith(":null") else None
                if known[name] is None:
                    problems.append(Problem(path, line, 0, *_refused(name, hints[name], value_node, error)))
            if known[name] == "" and fields[name].default != "":
                problems.append(Problem(path, line, 0, f"'{name}' is empty", f"write something after '{name}:'"))
    for name, field in fields.items():
        no_default = field.default is dataclasses.MISSING and field.default_factory is dataclasses.MISSING
        if no_default and name not in {*known, *misspelt}:
            problems.append(Problem(path, start, 0, f"'{name}' is missing", f"add a line '{name}: …'"))
    raise_any(problems)
    if "line" in hints:
        known["line"] = start
    return cls(**known)


def _pairs(node: yaml.MappingNode, offset: int) -> Iterator[tuple[str, int, yaml.Node]]:
    for key, value in node.value:
        yield key_name(key), key.start_mark.line + 1 + offset, value


def key_name(key: yaml.Node) -> str:
    """The name of a key; lists and mappings, which may be keys in YAML, have none."""
    return str(key.value) if isinstance(key, yaml.ScalarNode) else "…"


def _construct(node: yaml.Node) -> Any:
    """The plain value of a node."""
    loader = yaml.SafeLoader("")
    try:
        return loader.construct_document(node)
    except (AttributeError, KeyError, IndexError):  # raised for '!!bool 9', '!!timestamp 9', '!!int'
        raise ValueError(f"it is not {node.tag.rpartition(':')[2]}, as its tag says") from None
    finally:
        loader.dispose()


def _refused(name: str, wanted: object, node: yaml.Node, error: Exception) -> tuple[str, str]:
    """Why a value is not taken, and how to write it."""
    reason = str(getattr(error, "problem", "") or error).split(" - at")[0]
    reason = reason.replace("Invalid enum value", "Unknown key")  # only keys are of an enumeration
    reason = "this number is too large" if "set_int_max_str_digits" in reason else reason
    return f"'{name}': {reason[0].lower()}{reason[1:]}", _kind_hint(wanted, node, reason)


def _kind_hint(wanted: object, node: yaml.Node, reason: str) -> str:
    """How to write a value that has the wrong type, or a key within it that is none."""
    if found := UNKNOWN.match(reason):
        return suggest(found[1], typing.get_args(typing.get_args(wanted)[0]))
    if "date" in str(wanted):
        return "write it as YYYY-MM-DD"
    if wanted is str and isinstance(node, yaml.ScalarNode):
        return f'quote it: "{node.value}"'
    if wanted is str:
        words = [one.value for one in node.value if isinstance(one, yaml.ScalarNode)]
        return f'write one text: "{", ".join(words)}"' if words else "write one text"
    if typing.get_origin(wanted) is tuple and isinstance(node, yaml.ScalarNode):
        return f"write a list: [{node.value}]"
    if typing.get_origin(wanted) is dict and not isinstance(node, yaml.MappingNode):
        return "write 'name: value' lines below it"
    if "int" in str(wanted) and reason.startswith("Expected"):
        return "write a whole number"
    return "write true or false" if wanted is bool else ""
