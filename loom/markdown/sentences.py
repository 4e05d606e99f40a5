"""Split prose into sentences, and find the support of each."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from functools import cached_property
from operator import itemgetter

from markdown_it.token import Token

from loom.content.blocks import Statement
from loom.markdown.env import Env
from loom.markdown.tokens import end_of, shown_words

# Stand-ins in a sentence's text: for a citation, and for code, formulas, pictures and computed values.
CITED, THING = "\u2060", "\ufffc"
# A sentence ends at a full stop with closing brackets and citations, before the possible start of another sentence or
# the end of a line.
END = re.compile(rf"[.!?…][\"'”’)\]]*(?:\s*{CITED}+)*(?=\s+[\"'“‘(\[]?[A-Z0-9{CITED}{THING}]|\s*\n|\s*\Z)")
LONGEST = 12  # characters: longer than any abbreviation of SHORT
SHORT = re.compile(r"(?:\b(?:e\.g|i\.e|et al|cf|vs|ca|approx|resp|[Ff]igs?|[Ee]qs?|[Ss]ec|[Nn]os?|[A-Z])\.)\Z")
STATE = re.compile(r"[^#]*#[\w-]+\?")


class Reading:
    """The text of one inline token, with the position of each of its children."""

    def __init__(self, children: Sequence[Token], line: int) -> None:
        self.text = ""
        self.starts: list[int] = []
        self.lines: list[tuple[int, int]] = [(0, line)]
        self.marks: list[tuple[int, str]] = []
        self.waivers: list[tuple[int, str]] = []
        self.said: dict[int, str] = {}  # a cache of `sentence_of`, by the start of the sentence
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
        """The support of all sentences together."""
        return frozenset(kind for _, kind in self.marks)

    @property
    def waiver(self) -> str:
        """The first waiver of any sentence."""
        return next((reason for _, reason in self.waivers), "")

    @cached_property
    def spans(self) -> list[tuple[int, int]]:
        """The start and end of each sentence."""
        ends = [end.end() for end in END.finditer(self.text) if not self._short(end.start() + 1)]
        if not ends or ends[-1] < len(self.text):
            ends.append(len(self.text))
        return list(zip([0, *ends], ends, strict=False))

    def _short(self, end: int) -> bool:
        """Whether the full stop before `end` belongs to an abbreviation."""
        return bool(SHORT.search(self.text[max(0, end - LONGEST) : end]))

    def sentence_of(self, child: int) -> str:
        """The text of the sentence with this child."""
        at = self.starts[child]
        start, end = self.spans[bisect_right(self.spans, at, key=itemgetter(0)) - 1]
        if start not in self.said:
            self.said[start] = words(self.text[start:end])
        return self.said[start] if at < end else ""

    def statements(self) -> Iterator[Statement]:
        """Every sentence with its support."""
        for start, end in self.spans:
            raw = self.text[start:end]
            if not raw.strip():
                continue
            first = start + len(raw) - len(raw.lstrip())
            line = self.lines[bisect_right(self.lines, first, key=itemgetter(0)) - 1][1]
            rests = frozenset(_between(self.marks, start, end))
            waiver = next(iter(_between(self.waivers, start, end)), "")
            yield Statement(words(raw), line, rests, waiver)


def _between(placed: list[tuple[int, str]], start: int, end: int) -> list[str]:
    """The entries from `start` to before `end`."""
    first, last = (bisect_left(placed, at, key=itemgetter(0)) for at in (start, end))
    return [one for _, one in placed[first:last]]


def words(raw: str) -> str:
    """The text of a sentence for messages: without citations, and with '…' for everything that is no text."""
    gaps = re.sub(rf"\s*{CITED}", "", raw).replace(THING, "…").replace("….", "…")
    return " ".join(gaps.split())


def statements(tokens: list[Token], env: Env) -> Iterator[Statement]:
    """The sentences of a token stream. A row of a table counts as one."""
    index = 0
    while index < len(tokens):
        token, end = tokens[index], end_of(tokens, index)
        if token.type == "table_open":
            yield from _rows(tokens[index : end + 1], env)
            index = end
        elif token.type in ("heading_open", "dt_open"):
            index = end
        elif token.type == "inline":
            yield from Reading(token.children or [], env.line_of(token)).statements()
        index += 1


def _rows(tokens: list[Token], env: Env) -> Iterator[Statement]:
    """The rows of a table. The support of its header applies to each of them."""
    shared: frozenset[str] = frozenset()
    waiver = ""
    for index, token in enumerate(tokens):
        if token.type != "tr_open":
            continue
        cells = [one for one in tokens[index : end_of(tokens, index)] if one.type == "inline"]
        readings = [Reading(cell.children or [], env.line_of(cell)) for cell in cells]
        rests = shared.union(*(reading.rests for reading in readings))
        reason = next((reading.waiver for reading in readings if reading.waiver), waiver)
        if tokens[index + 1].type == "th_open":
            shared, waiver = rests, reason
        else:
            text = " | ".join(words(reading.text) for reading in readings)
            yield Statement(text, env.line_of(token), rests, reason)
