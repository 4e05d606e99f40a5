"""YAML text to typed records, every mistake with its line."""

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
from loom.errors import LoomError, Problem, map_all, nearest, raise_any, suggest

Record = TypeVar("Record")

HEAVIEST = 1_000_000  # values in one file, aliases written out
DEEPEST = 50  # lists and mappings in one another
STARTS = re.compile(r"^[ ?:-]*", re.MULTILINE)  # of lines: nested blocks are indented further and further
WIDE, MISPLACED = re.compile(r"^[ -]*\w+[ ]*：", re.M), re.compile("mapping values|did not find expected (?:key|'-')")
UNKNOWN = re.compile(r"Unknown key '(.*)'")
DERIVED = ("line", "letter", "path")  # fields that no author writes

# libyaml's scanner is ten times faster, and makes the same nodes.
Loader: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)


def yaml_node(text: str, path: str, offset: int = 0) -> yaml.Node | None:
    """The node tree of a YAML text, in which every value keeps its place; None if the text is empty.

    `offset` is the number of lines before it in the file.
    """
    try:
        _refuse_too_deep(text, path, offset)
        node: yaml.Node | None = yaml.compose(text, Loader=Loader)
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark
        line, column = (mark.line + 1, mark.column + 1) if mark else (1, 0)
        if line > _last_line(text):  # the parser counts one more line at the end
            line, column = _last_line(text), 0
        raise LoomError(
            Problem(path, line + offset, column, f"not valid YAML: {error.problem}", _yaml_hint(text, error))
        ) from None
    except yaml.YAMLError as error:  # characters that YAML does not allow
        raise LoomError(Problem(path, offset + 1, 0, f"not valid YAML: {error}".splitlines()[0])) from None
    if node and _weight(node, {}) > HEAVIEST:
        message, hint = "this YAML repeats itself without end", "write out what '*' and '<<' stand for"
        raise LoomError(Problem(path, offset + 1, 0, message, hint))
    return None if isinstance(node, yaml.ScalarNode) and not node.value else node


def _weight(node: yaml.Node, known: dict[int, int]) -> int:
    """The number of values in a node when all its aliases are expanded."""
    if id(node) not in known:
        known[id(node)] = HEAVIEST + 1  # for a node that contains itself
        inner = node.value if isinstance(node, (yaml.MappingNode, yaml.SequenceNode)) else []
        parts = [part for item in inner for part in (item if isinstance(item, tuple) else (item,))]
        known[id(node)] = 1 + sum(_weight(part, known) for part in parts)
    return known[id(node)]


def _refuse_too_deep(text: str, path: str, offset: int) -> None:
    """Refuse deep nesting before nodes are made: libyaml recurses without a limit, and would overflow the stack."""
    if max(len(max(STARTS.findall(text), key=len)), text.count("[") + text.count("{")) <= DEEPEST:
        return  # a cheap test that nearly all texts pass
    depth = 0
    for event in yaml.parse(text, Loader=Loader):
        depth += isinstance(event, yaml.CollectionStartEvent) - isinstance(event, yaml.CollectionEndEvent)
        if depth > DEEPEST:
            line = offset + (event.start_mark.line + 1 if event.start_mark else 1)
            message = f"more than {DEEPEST} lists and mappings lie in one another"
            raise LoomError(Problem(path, line, 0, message, "nothing that is read is nested so deeply"))


def _last_line(text: str) -> int:
    return text.count("\n") + 1


def records(cls: type[Record], text: str, path: str) -> list[Record]:
    """A YAML list of mappings as records of `cls`."""
    node = yaml_node(text, path)
    if node is None:
        return []
    if not isinstance(node, yaml.SequenceNode):
        raise LoomError(Problem(path, 1, 0, "expected a list of entries", "begin each entry with '- '"))
    return map_all(lambda item: record(cls, item, path, last=_last_line(text)), node.value)


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


def _yaml_hint(text: str, error: yaml.MarkedYAMLError) -> str:
    if "quoted scalar" in str(error.context) and "end of stream" in str(error.problem):
        return "close its quotation mark"
    if "\t" in text:
        return "indent with spaces, not tabs"
    if WIDE.search(text):
        return "write ': ' where '：' stands behind a name"
    return _astray(text, error) or "quote a text that holds ': ' or begins with a special character"


def _astray(text: str, error: yaml.MarkedYAMLError) -> str:
    """What to write where a line's name stands in a wrong place, or empty: then it is its value that is wrong."""
    mark, lines = error.problem_mark, [*text.split("\n"), ""]  # the parser may count one more
    if not (mark and mark.line and MISPLACED.match(f"{error.problem}")):
        return ""
    if re.match(r"[ -]*[\w-]+:[^\s:]", lines[mark.line - 1]):
        return "write a space behind the ':' of the line before"
    named = re.fullmatch(r"[ -]*([\w-]+ *)?", lines[mark.line][: mark.column])
    return "indent this line as those beside it" if named else ""
