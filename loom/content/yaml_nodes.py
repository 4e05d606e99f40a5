"""YAML text to nodes that know their places, every mistake with its line."""

from __future__ import annotations

import re
from typing import Any

import yaml

from loom.errors import LoomError, Problem

HEAVIEST = 1_000_000  # values in one file, aliases written out
DEEPEST = 50  # lists and mappings in one another
STARTS = re.compile(r"^[ ?:-]*", re.MULTILINE)  # of lines: nested blocks are indented further and further
WIDE, MISPLACED = re.compile(r"^[ -]*\w+[ ]*：", re.M), re.compile("mapping values|did not find expected (?:key|'-')")

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
        if line > last_line(text):  # the parser counts one more line at the end
            line, column = last_line(text), 0
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


def last_line(text: str) -> int:
    """The number of lines of a text."""
    return text.count("\n") + 1


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
