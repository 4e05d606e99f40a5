"""Bundle and minify style sheets."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from typing import Any

from loom.errors import LoomError, Problem, utf8

MAIN = "css/main.css"
BLOCKS = frozenset(["{} block", "() block", "[] block"])
END = "end-of-sheet"  # appended to a style sheet: not its last token if a bracket or a comment is never closed


def bundle(files: Mapping[str, bytes]) -> str:
    """`css/main.css` with its imports inlined in their layers."""
    if MAIN not in files:
        raise LoomError(Problem(f"static/{MAIN}", 0, 0, "there is no main style sheet"))
    import tinycss2  # slow to import, and not needed if the sheet is in the cache

    pieces = []
    for rule in tinycss2.parse_stylesheet(_tokens(files[MAIN], MAIN), skip_whitespace=True):
        file, layer = _imported(rule)
        if not file:
            pieces.append(rule.serialize())
            continue
        if f"css/{file}" not in files:
            raise LoomError(Problem(f"static/{MAIN}", 0, 0, f"there is no style sheet '{file}'"))
        text = compact(files[f"css/{file}"], f"css/{file}")
        pieces.append(f"@layer {layer}{{{text}}}" if layer else text)
    return "".join(pieces)


def imported_sheets(main: bytes) -> set[str]:
    """The style sheets that `css/main.css` imports."""
    import tinycss2

    rules = tinycss2.parse_stylesheet(_tokens(main, MAIN), skip_whitespace=True)
    return {file for file, _ in map(_imported, rules) if file}


@lru_cache(maxsize=32)  # see loom.render.scripts
def compact(raw: bytes, name: str) -> str:
    """A style sheet with the same rules in fewer bytes."""
    import tinycss2

    return str(tinycss2.serialize(_tokens(raw, name)))


def _tokens(raw: bytes, name: str) -> list[Any]:
    """The tokens of a style sheet, minified; LoomError for syntax errors.

    An unclosed bracket or comment is one, though a browser would close it at the end of the sheet.
    """
    import tinycss2

    text, place = utf8(raw, f"static/{name}"), f"static/{name}"
    found = _tight(tinycss2.parse_component_value_list(f"{text}\n{END}", skip_comments=True), name)
    if tinycss2.serialize(found[-1:]) != END:
        raise LoomError(_left_open(tinycss2.parse_component_value_list(f"{text}\n{END}"), place))
    return _trim(found[:-1])


def _left_open(nodes: Sequence[Any], place: str) -> Problem:
    """What hides the end of a style sheet: a comment, or else the outermost bracket."""
    first = last = nodes[-1]
    while inner := getattr(last, "content", None) or getattr(last, "arguments", None):
        last = inner[-1]
    what, where = ("comment", last) if last.type == "comment" else ("bracket", first)
    hint = "what follows it would be a part of it"
    return Problem(place, where.source_line, where.source_column, f"this {what} is never closed", hint)


def _tight(nodes: Iterable[Any], name: str) -> list[Any]:
    """Remove white space beside braces, semicolons and commas, and behind colons; elsewhere keep one space.

    A space before a colon has a meaning: `.a :is(.b)` is not `.a:is(.b)`.
    """
    kept: list[Any] = []
    for node in nodes:
        if node.type == "error":
            message = f"this style sheet can't be read: {node.message.lower()}"
            raise LoomError(Problem(f"static/{name}", node.source_line, node.source_column, message))
        if node.type in BLOCKS:
            node.content = _tight(node.content, name)
        elif node.type == "function":
            node.arguments = _tight(node.arguments, name)
        elif node.type == "whitespace":
            node.value = " "
            if not kept or _parts(kept[-1]) or kept[-1] == ":" or kept[-1].type == "whitespace":
                continue
        if _parts(node):
            _trim(kept)
        kept.append(node)
    return _trim(kept)


def _parts(node: Any) -> bool:
    return node.type == "{} block" or (node.type == "literal" and node.value in (";", ","))


def _trim(nodes: list[Any]) -> list[Any]:
    if nodes and nodes[-1].type == "whitespace":
        nodes.pop()
    return nodes


def _imported(rule: Any) -> tuple[str, str]:
    """The file that a rule imports, and its layer; both empty if it imports none."""
    if rule.type != "at-rule" or rule.lower_at_keyword != "import":
        return "", ""
    import tinycss2

    file = layer = ""
    for node in rule.prelude:
        if node.type in ("string", "url"):
            file = node.value
        elif node.type == "function" and node.lower_name == "url":
            file = next((one.value for one in node.arguments if one.type == "string"), "")
        elif node.type == "function" and node.lower_name == "layer":
            layer = tinycss2.serialize(node.arguments)
        elif node.type != "whitespace":
            return "", ""  # a conditional import is left as it is; the link check reports it
    return file, layer
