"""Inline roles and links: `{term}`, `{cite}`, `{value}` and link tokens to holes that the whole site fills."""

from __future__ import annotations

import re
import shlex
from collections.abc import Callable, Iterator
from typing import Any
from urllib.parse import unquote

from markdown_it import MarkdownIt
from markdown_it.token import Token
from markupsafe import Markup

from loom.blocks import CiteRef, Hole, ImageRef, LinkRef, TermRef, ValueRef
from loom.errors import LoomError, Problem, report, suggest

NAMED = re.compile(r"(?P<text>.*\S)\s*<(?P<target>[^<>]+)>\s*\Z", re.DOTALL)
# What stays in the text where a footnote or a link is not defined, or math is not closed.
LEFT_OVER = re.compile(r"\[\^[^\]\s]+\]|\]\[[^\]]+\]|\$\$")
VALUE = re.compile(r"(?P<scene>[\w-]+)\.(?P<name>\w+)(?:\s+(?P<pins>.*))?\Z", re.DOTALL)


class Place:
    """Where in the author's file an inline token stands: found by counting line ends and looking for its text."""

    def __init__(self, env: dict[str, Any], block: Token) -> None:
        self.path: str = env["path"]
        self._lines: list[str] = env["lines"]
        self._index, self._end = block.map or (0, len(self._lines))
        self._offset: int = env["offset"]

    @property
    def line(self) -> int:
        return self._index + 1 + self._offset

    def newline(self) -> None:
        """The tokens that follow stand one line further down."""
        self._index += 1

    def column(self, raw: str) -> int:
        """The column at which `raw` begins; 0 if it can't be seen. It may stand further down than was counted,
        since code and roles hold line ends of their own."""
        for words in (raw, raw.split(" ")[0]):
            for index in range(self._index, min(self._end, len(self._lines))):
                if words in self._lines[index]:
                    self._index = index
                    return self._lines[index].index(words) + 1
        return 0

    def problem(self, message: str, hint: str = "", raw: str = "") -> LoomError:
        column = self.column(raw) if raw else 0
        return LoomError(Problem(self.path, self.line, column, message, hint))


def fragments(md: MarkdownIt, tokens: list[Token], env: dict[str, Any]) -> Iterator[str | Hole]:
    """The HTML of a token stream, cut at every place that needs the rest of the site.

    It is the loop of the renderer itself, but for not joining what comes out.
    """
    rules = md.renderer.rules  # type: ignore[attr-defined]
    for index, token in enumerate(tokens):
        if token.type == "inline":
            yield from _inline(md, token, env)
        elif token.type in ("html_block", "html_inline"):
            yield _comment_only(token, Place(env, token))
        elif token.type in rules:
            yield rules[token.type](tokens, index, md.options, env)
        else:
            yield md.renderer.renderToken(tokens, index, md.options, env)  # type: ignore[attr-defined]


def _inline(md: MarkdownIt, block: Token, env: dict[str, Any]) -> Iterator[str | Hole]:
    place = Place(env, block)
    children = block.children or []
    problems: list[Problem] = []
    for index, token in enumerate(children):
        try:
            yield _piece(md, children, index, env, place)
        except LoomError as error:  # the rest of the paragraph may hold more mistakes
            problems += error.problems
        if token.type in ("softbreak", "hardbreak"):
            place.newline()
    report(problems)


def _piece(md: MarkdownIt, tokens: list[Token], index: int, env: dict[str, Any], place: Place) -> str | Hole:
    token = tokens[index]
    env["line"] = place.line - 1 - env["offset"]  # inline tokens know no line of their own
    if token.type == "myst_role":
        return _role(token, place)
    if token.type == "link_open":
        href = unquote(str(token.attrs["href"]))
        column = place.column(f"]({href}")
        return LinkRef(href, place.line, column + 2 if column else 0)
    if token.type == "image":
        return ImageRef(unquote(str(token.attrs["src"])), token.content, place.line)
    if token.type == "html_inline":
        return _comment_only(token, place)
    if token.type == "text" and (left := LEFT_OVER.search(token.content)):
        raise place.problem(f"'{left.group()}' leads nowhere", "define it, or escape it with '\\'", left.group())
    rules = md.renderer.rules  # type: ignore[attr-defined]
    if token.type in rules:
        return str(rules[token.type](tokens, index, md.options, env))
    return str(md.renderer.renderToken(tokens, index, md.options, env))  # type: ignore[attr-defined]


def _comment_only(token: Token, place: Place) -> str:
    """Comments are dropped; other raw HTML would get past every check."""
    if token.content.strip().startswith("<!--"):
        return ""
    raw = token.content.strip().splitlines()[0]
    raise place.problem(f"raw HTML '{raw}'", "write it in Markdown, or escape '<' as '\\<'", raw)


def _role(token: Token, place: Place) -> Hole:
    name = token.meta["name"]
    raw = f"{{{name}}}`{token.content}"
    if name not in ROLES:
        raise place.problem(f"unknown role '{name}'", suggest(name, ROLES), raw)
    return ROLES[name](token.content, place, raw)


def _term(content: str, place: Place, raw: str) -> TermRef:
    named = NAMED.match(content)
    text, target = (named["text"], named["target"]) if named else (content, content)
    column = place.column(raw)
    return TermRef(text.strip(), target.strip(), place.line, column)


def _cite(content: str, place: Place, raw: str) -> CiteRef:
    items = []
    for part in content.split(";"):
        reference, _, inside = part.strip().partition(" ")
        if not reference:
            raise place.problem("a citation without a reference", "write {cite}`id` or {cite}`id §3`", raw)
        items.append((reference, inside.strip()))
    column = place.column(raw)
    return CiteRef(tuple(items), place.line, column)


def _value(content: str, place: Place, raw: str) -> ValueRef:
    query, _, text = content.partition("|")
    found = VALUE.match(query.strip())
    if not found:
        hint = "write {value}`scene-id.value-name` with parameters after it: name=value"
        raise place.problem(f"'{content}' names no value of a scene", hint, raw)
    try:
        words = shlex.split(found["pins"] or "")
    except ValueError:
        raise place.problem(f"a quotation mark in '{content}' is never closed", "", raw) from None
    pins = {}
    for word in words:
        name, equals, value = word.partition("=")
        if not equals:
            raise place.problem(f"'{word}' is not 'name=value'", "put a value with spaces in quotes", raw)
        pins[name] = value
    column = place.column(raw)
    return ValueRef(found["scene"], found["name"], pins, text.strip(), place.line, column)


ROLES: dict[str, Callable[[str, Place, str], Hole]] = {"term": _term, "cite": _cite, "value": _value}


def joined(parts: Iterator[str | Hole]) -> tuple[str | Hole, ...]:
    """Neighbouring pieces of HTML as one, so that a page is a short list."""
    result: list[str | Hole] = []
    pieces: list[str] = []
    for part in parts:
        if isinstance(part, str):
            pieces.append(part)
            continue
        if pieces:
            result.append(Markup("".join(pieces)))
            pieces.clear()
        result.append(part)
    if pieces:
        result.append(Markup("".join(pieces)))
    return tuple(result)
