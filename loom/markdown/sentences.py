"""Cut prose into sentences, and see what each of them rests on."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from functools import cached_property
from typing import Any

from markdown_it.token import Token

from loom.content.blocks import Statement
from loom.markdown.tokens import end_of, line_of, shown_words

# Stand-ins in a sentence's text: a citation takes no room, and what is computed or quoted is one thing.
CITED, THING = "\u2060", "\ufffc"
# A sentence ends at a stop, with the brackets and citations that close it, before something that can begin another,
# or at the end of its line.
END = re.compile(rf"[.!?…][\"'”’)\]]*(?:\s*{CITED}+)*(?=\s+[\"'“‘(\[]?[A-Z0-9{CITED}{THING}]|\s*\n|\s*\Z)")
LONGEST = 12  # more than the longest of these
SHORT = re.compile(r"(?:\b(?:e\.g|i\.e|et al|cf|vs|ca|approx|resp|[Ff]igs?|[Ee]qs?|[Ss]ec|[Nn]os?|[A-Z])\.)\Z")
STATE = re.compile(r"[^#]*#[\w-]+\?")


class Reading:
    """The words of one inline token, and where each of its children stands among them."""

    def __init__(self, children: Sequence[Token], line: int) -> None:
        self.text = ""
        self.starts: list[int] = []
        self.lines: list[tuple[int, int]] = [(0, line)]
        self.marks: list[tuple[int, str]] = []
        self.waivers: list[tuple[int, str]] = []
        self.said: dict[int, str] = {}  # the words of sentences that were asked for, by where they begin
        for child in children:
            self.starts.append(len(self.text))
            self._read(child)

    def _read(self, child: Token) -> None:
        if child.type == "text":
            self.text += child.content
        elif child.type in ("softbreak", "hardbreak"):
            self.text += "\n"
            self.lines.append((len(self.text), self.lines[-1][1] + 1))
        elif child.type == "myst_role":
            self._read_role(child.meta["name"], child.content)
        elif child.type == "link_open" and STATE.match(str(child.attrs["href"])):
            self.marks.append((len(self.text), "scene"))
        elif child.type in ("code_inline", "math_inline", "math_inline_double", "image"):
            self.text += THING

    def _read_role(self, name: str, content: str) -> None:
        at = len(self.text)
        if name == "term":
            self.text += shown_words(content)[0]
        elif name == "uncited":
            self.waivers.append((at, content.strip()))
            self.text += CITED
        elif name.partition(":")[0] == "cite":
            self.marks.append((at, "cited"))
            self.text += CITED
        else:
            self.marks.append((at, "computed"))
            self.text += THING

    @property
    def rests(self) -> frozenset[str]:
        """What any of the sentences rests on."""
        return frozenset(kind for _, kind in self.marks)

    @property
    def waiver(self) -> str:
        """The excuse of any of the sentences."""
        return next((reason for _, reason in self.waivers), "")

    @cached_property
    def spans(self) -> list[tuple[int, int]]:
        """Where each sentence begins and ends."""
        ends = [end.end() for end in END.finditer(self.text) if not self._short(end.start() + 1)]
        if not ends or ends[-1] < len(self.text):
            ends.append(len(self.text))
        return list(zip([0, *ends], ends, strict=False))

    def _short(self, end: int) -> bool:
        """Whether the stop before `end` is that of a shortened word."""
        return bool(SHORT.search(self.text[max(0, end - LONGEST) : end]))

    def sentence_of(self, child: int) -> str:
        """What the sentence that holds this child says."""
        at = self.starts[child]
        start, end = self.spans[bisect_right(self.spans, at, key=_start) - 1]
        if start not in self.said:
            self.said[start] = words(self.text[start:end])
        return self.said[start] if at < end else ""

    def statements(self) -> Iterator[Statement]:
        """Every sentence, and what it rests on."""
        for start, end in self.spans:
            raw = self.text[start:end]
            if not raw.strip():
                continue
            first = start + len(raw) - len(raw.lstrip())
            line = self.lines[bisect_right(self.lines, first, key=_start) - 1][1]
            rests = frozenset(_between(self.marks, start, end))
            waiver = next(iter(_between(self.waivers, start, end)), "")
            yield Statement(words(raw), line, rests, waiver)


def _start(one: tuple[int, object]) -> int:
    return one[0]


def _between(placed: list[tuple[int, str]], start: int, end: int) -> list[str]:
    """What stands from `start` on and before `end`."""
    first, last = (bisect_left(placed, at, key=_start) for at in (start, end))
    return [one for _, one in placed[first:last]]


def words(raw: str) -> str:
    """A piece of a reading as it is quoted: without its citations, and with a gap for what is no word."""
    gaps = re.sub(rf"\s*{CITED}", "", raw).replace(THING, "…").replace("….", "…")
    return " ".join(gaps.split())


def statements(tokens: list[Token], env: dict[str, Any]) -> Iterator[Statement]:
    """The sentences of a stream of blocks. A row of a table is one."""
    index = 0
    while index < len(tokens):
        token, end = tokens[index], end_of(tokens, index)
        if token.type == "table_open":
            yield from _rows(tokens[index : end + 1], env)
            index = end
        elif token.type in ("heading_open", "dt_open"):
            index = end
        elif token.type == "inline":
            yield from Reading(token.children or [], line_of(token, env)).statements()
        index += 1


def _rows(tokens: list[Token], env: dict[str, Any]) -> Iterator[Statement]:
    """What the heading of a table rests on, each of its rows rests on."""
    shared: frozenset[str] = frozenset()
    waiver = ""
    for index, token in enumerate(tokens):
        if token.type != "tr_open":
            continue
        cells = [one for one in tokens[index : end_of(tokens, index)] if one.type == "inline"]
        readings = [Reading(cell.children or [], line_of(cell, env)) for cell in cells]
        rests = shared.union(*(reading.rests for reading in readings))
        reason = next((reading.waiver for reading in readings if reading.waiver), waiver)
        if tokens[index + 1].type == "th_open":
            shared, waiver = rests, reason
        else:
            text = " | ".join(words(reading.text) for reading in readings)
            yield Statement(text, line_of(token, env), rests, reason)
