"""Inline roles: `{term}`, `{cite}`, `{value}` and others become placeholders, `{uncited}` becomes nothing."""

from __future__ import annotations

import re
import shlex
from collections.abc import Callable, Mapping

from loom.content.placeholders import CiteRef, EquationRef, FigureRef, Piece, Placeholder, TermRef, ValueRef
from loom.hints import suggest
from loom.markdown.source_lines import SourcePosition
from loom.markdown.tokens import shown_words

# The kinds of support that a source gives to the sentence that cites it.
CITE_ROLES = ("definition", "figure", "method", "history")
# Why a sentence with a figure needs no source: its numbers are made up, calculated, or were cited before.
WAIVERS = ("example", "arithmetic", "recap")
VALUE = re.compile(r"(?P<scene>[\w-]+)\.(?P<name>\w+)(?:\s+(?P<pins>.*))?\Z", re.DOTALL)


def read_role(name: str, content: str, position: SourcePosition) -> Piece:
    """The placeholder for a role that is written as {name}`content`."""
    raw = f"{{{name}}}`{content}"
    if name == "uncited":
        return _uncited(content.strip(), position, raw)
    kind, _, role = name.partition(":")
    if name in ROLES or (kind == "cite" and role in CITE_ROLES):
        return ROLES[kind](content, position, raw)
    raise position.problem(f"unknown role '{name}'", suggest(name, KNOWN_ROLES), raw)


def _uncited(reason: str, position: SourcePosition, raw: str) -> str:
    """The waiver of a sentence without a source: it is only for `check`, and is not shown."""
    if reason not in WAIVERS:
        raise position.problem(f"'{reason}' is no reason to cite nothing", suggest(reason, WAIVERS), raw)
    return ""


def _term(content: str, position: SourcePosition, raw: str) -> TermRef:
    text, target = shown_words(content)
    return TermRef(text, target, *position.place(raw))


def _cite(content: str, position: SourcePosition, raw: str) -> CiteRef:
    items = []
    for part in content.split(";"):
        reference, _, inside = part.strip().partition(" ")
        if not reference:
            raise position.problem("a citation without a reference", "write {cite}`id` or {cite}`id §3`", raw)
        items.append((reference, inside.strip()))
    role = raw[1 : raw.index("}")].partition(":")[2]
    return CiteRef(tuple(items), *position.place(raw), role)


def _value(content: str, position: SourcePosition, raw: str) -> ValueRef:
    query, bar, text = content.partition("|")
    if bar and not text.strip():
        hint = "write there what it has to say, as | 46 mg, or leave the bar out"
        raise position.problem(f"nothing stands behind the bar of '{query.strip()}'", hint, raw)
    found = VALUE.match(query.strip())
    if not found:
        hint = "write {value}`scene-id.value-name` with parameters after it: name=value"
        raise position.problem(f"'{content}' names no value of a scene", hint, raw)
    try:
        words = shlex.split(found["pins"] or "")
    except ValueError:
        raise position.problem(f"a quotation mark in '{content}' is never closed", "", raw) from None
    pins = {}
    for word in words:
        name, equals, value = word.partition("=")
        if not equals:
            spaced = any(one.startswith("=") or one.endswith("=") for one in words)
            hint = "write no spaces around '='" if spaced else "put a value with spaces in quotes"
            raise position.problem(f"'{word}' is not 'name=value'", hint, raw)
        pins[name] = value
    return ValueRef(found["scene"], found["name"], pins, text.strip(), *position.place(raw))


def _equation(content: str, position: SourcePosition, raw: str) -> EquationRef:
    return EquationRef(content.strip(), *position.place(raw))


def _figure(content: str, position: SourcePosition, raw: str) -> FigureRef:
    text, label = shown_words(content)
    return FigureRef(label, text if text != label else "", *position.place(raw))


ROLES: Mapping[str, Callable[[str, SourcePosition, str], Placeholder]] = {
    "term": _term, "cite": _cite, "value": _value, "eq": _equation, "numref": _figure,
}  # fmt: skip
KNOWN_ROLES = (*ROLES, "uncited", *(f"cite:{one}" for one in CITE_ROLES))
