"""Record where a page's source has Loom's own syntax, which the export as plain Markdown replaces."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from itertools import accumulate
from typing import Any

from markdown_it import MarkdownIt
from markdown_it.helpers import parseLinkDestination
from markdown_it.rules_core import StateCore
from markdown_it.rules_inline import StateInline, image, link
from markdown_it.token import Token
from mdit_py_plugins.footnote.index import footnote_inline
from mdit_py_plugins.myst_role.index import myst_role

from loom.content.placeholders import Span
from loom.markdown.attributes import AT_END, LISTED, NAME
from loom.markdown.tokens import directive, without_code

Rule = Callable[[StateInline, bool], bool]
SIGNS = ("mark_open", "sub_open", "sup_open")
# The address of a link or a picture in HTML.
ADDRESS = re.compile(r"<(?:a|img)\s(?:[^<>]*\s)?(?:href|src)\s*=\s*[\"']?(?P<address>[^\"'<>\s]+)", re.IGNORECASE)
CALLED = re.compile(r"^:as: *(\S+)", re.MULTILINE)  # the other name of a scene that is embedded twice
DEFINED = re.compile(r"\[(?:[^\[\]\\]|\\.)*\]:[ \t]*(?:\n[ \t>]*)?", re.DOTALL)
NOTED = {"myst_role": myst_role, "link": link, "image": image, "footnote_inline": footnote_inline}


def record_spans(md: MarkdownIt) -> None:
    """Make a parser record spans in `env["spans"]`, before footnotes are moved to the end of the page."""
    for name, rule in NOTED.items():
        md.inline.ruler.at(name, recording_span(rule))
    md.core.ruler.after("inline", "spans", _gather)


def recording_span(rule: Rule) -> Rule:
    """Wrap an inline rule, so that it records at its token the range that it has read."""
    return partial(_note, rule)


def _note(rule: Rule, state: StateInline, silent: bool) -> bool:
    start, known = state.pos, len(state.tokens)
    if not rule(state, silent):
        return False
    if not silent:
        token = next(one for one in state.tokens[known:] if one.type != "text")
        place = (start, state.pos)
        if token.type in ("link_open", "image"):
            place = _destination(state, start + (token.type == "image"), state.pos)
        token.meta |= {"span": place, "start": start}
    return True


def _destination(state: StateInline, start: int, end: int) -> tuple[int, int]:
    """The range of a link's address; empty, at `end`, if the address is defined elsewhere."""
    at = state.md.helpers.parseLinkLabel(state, start, state.src[start - 1 : start] != "!") + 1
    if at >= end or state.src[at] != "(":
        return end, end
    at += 1
    while state.src[at].isspace():
        at += 1
    return at, parseLinkDestination(state.src, at, end).pos


def _gather(state: StateCore) -> None:
    state.env["spans"] = sorted(_Lines(state.src).spans(state.tokens, state.env))


class _Lines:
    """The lines of a source, and how far each has been searched."""

    def __init__(self, text: str) -> None:
        self.text, self.lines = text, text.split("\n")
        self.starts = [0, *accumulate(len(line) + 1 for line in self.lines)]
        self.searched: dict[int, int] = {}

    def spans(self, tokens: Sequence[Token], env: Any) -> Iterator[Span]:
        for at, token in enumerate(tokens):
            first, last = token.map or (0, 0)
            if token.type == "inline" and token.map:
                before = tokens[at - 1].type if at else ""
                yield from self._within(token, first, env, before)
                if before == "heading_open" and (found := AT_END.search(self.lines[last - 1])):
                    start = self.starts[last - 1] + self.lines[last - 1].index("{", found.start())
                    name = NAME.search(found.group())
                    end = start + found.group().strip().index("}") + 1
                    yield Span(start, end, "name" if name else "comment", name[1] if name else "")
            elif token.type == "html_block":
                yield from self._html(self.starts[first], self.starts[last])
            elif token.type == "container_directive_open":
                options = next(iter(tokens[at + 1 : at + 2]), token)
                yield from self._directive(token, first, last, options)
        for words, number in env.get("captions", {}).values():
            yield self._line(number, "{caption=", "caption", words)
        for one in (*env.get("references", {}).values(), *env.get("duplicate_refs", ())):
            begin, end = (self.starts[line] for line in one["map"])
            if found := DEFINED.search(self.text, begin, end):
                stop = parseLinkDestination(self.text, found.end(), end).pos
                yield Span(found.end(), stop, "link")

    def _line(self, number: int, sign: str, kind: str, name: str = "", text: str = "") -> Span:
        """The span of a line from its `sign` on."""
        at = self.starts[number] + max(0, self.lines[number].find(sign))
        return Span(at, self.starts[number + 1] - 1, kind, name, text)

    def _directive(self, token: Token, first: int, last: int, options: Token) -> Iterator[Span]:
        name, argument = directive(token)
        opening = self._line(first, ":::", "directive", name, argument)
        if name == "figure":
            given = options.meta["options"] if options.type == "figure_options" else {}
            end = self.starts[options.map[1]] - 1 if given and options.map else opening.end
            opening = Span(opening.start, end, "figure", argument, given.get("alt", ("",))[0])
        closed = ":::" in "".join(self.lines[last : last + 1])
        closing = self._line(last, ":::", "end") if closed else opening
        if name == "scene":
            called = CALLED.search("\n".join(self.lines[first + 1 : last]))
            yield Span(opening.start, closing.end, "scene", called[1] if called else argument)
        else:
            yield from (opening, closing)

    def _html(self, start: int, end: int) -> Iterator[Span]:
        """The comments in a block of HTML, and the addresses of its links and pictures."""
        yield from self._comments(start, end)
        for found in ADDRESS.finditer(self.text, start, end):
            yield Span(*found.span("address"), "link")

    def _comments(self, start: int, end: int) -> Iterator[Span]:
        while (start := self.text.find("<!--", start, end)) >= 0:
            close = self.text.find("-->", start + 2, end)
            stop = close + 3 if close >= 0 else end
            yield Span(start, stop, "comment")
            start = stop

    def _within(self, block: Token, first: int, env: Any, before: str) -> Iterator[Span]:
        """The spans of an inline text. Its lines are those of the source without indents and quote markers."""
        content, cell = block.content, before in ("td_open", "th_open")
        starts, places = [], []  # the start of each line, in the content and in the source
        offset = 0
        for number, line in enumerate(content.split("\n"), first):
            words = line.strip()
            written = words.replace("|", "\\|") if cell else words
            at = "".join(self.lines[number : number + 1]).find(written, self.searched.get(number, 0))
            if at >= 0:
                self.searched[number] = at + len(written)
            starts.append(offset + len(line) - len(line.lstrip()))
            places.append(self.starts[number] + at if at >= 0 else -1)
            offset += len(line) + 1

        def source(at: int) -> int:
            line = max(0, bisect_right(starts, at) - 1)
            within = at - starts[line]
            return places[line] + within + (content.count("|", starts[line], at) if cell else 0)

        seen = min(places) >= 0
        listed = LISTED.finditer(without_code(content)) if "{" in content and before != "heading_open" else ()
        taken = [(*found.span(), "comment", "", "") for found in listed]
        for start, end, kind, name, text in (*_noted(block.children or [], 0, env), *taken):
            if end > start and seen:
                yield Span(source(start), source(end - 1) + 1, kind, name, text)


def _noted(children: Sequence[Token], offset: int, env: Any) -> Iterator[tuple[int, int, str, str, str]]:
    """The recorded ranges of an inline text, including its inline footnotes."""
    for token in children:
        start, end = token.meta.get("span", (0, 0))
        if token.type == "myst_role":
            yield start + offset, end + offset, "role", token.meta["name"], token.content
        elif token.type == "html_inline" and (found := ADDRESS.match(token.content)):
            start, end = (start + at for at in found.span("address"))
            yield start + offset, end + offset, "link", "", ""
        elif token.type == "html_inline" and token.content.startswith("<!--"):
            yield start + offset, end + offset, "comment", "", ""
        elif token.type in SIGNS:
            length, name = len(token.markup), token.tag
            yield start + offset, start + offset + length, "sign", f"<{name}>", ""
            yield end + offset - length, end + offset, "sign", f"</{name}>", ""
        elif token.type in ("link_open", "image"):
            if "?" in str(token.attrs.get("src", "")).partition("#")[2]:  # a picture of a state becomes a link to it
                yield token.meta["start"] + offset, token.meta["start"] + offset + 1, "still", "", ""
            yield start + offset, end + offset, "link", "", ""
        elif token.type == "footnote_ref" and end:
            inner = env["footnotes"]["list"][token.meta["id"]]["tokens"]
            yield from _noted(inner, offset + start + 2, env)
