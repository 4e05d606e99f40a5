"""Find the place in a page's source of what the parser has read as the text of a block."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable
from itertools import accumulate

from markdown_it.token import Token


class SourceLines:
    """The lines of a page's source, and how far each has been searched: cells of a table share their line."""

    def __init__(self, text: str) -> None:
        self.text, self.lines = text, text.split("\n")
        self.starts = [0, *accumulate(len(line) + 1 for line in self.lines)]
        self._searched: dict[int, int] = {}

    def end(self, number: int) -> int:
        """Where a line ends, without its newline."""
        return self.starts[number + 1] - 1

    def find(self, number: int, sign: str) -> int:
        """Where a sign stands in a line; the start of the line if it is not there."""
        return self.starts[number] + max(0, self.lines[number].find(sign))

    def places(self, block: Token, *, cell: bool) -> Callable[[int], int] | None:
        """A function from offsets in a block's text to offsets in the source; None if the text is not found there.

        The text's lines are those of the source without indents and quote markers. With the source `> a\\n> {b}`, the
        text is `a\\n{b}`, and the brace is at 2 of the text and at 6 of the source. In a `cell` of a table, the source
        has `\\|` for `|`.
        """
        content, first = block.content, block.map[0] if block.map else 0
        starts: list[int] = []  # of each line without its indent: in the text,
        sources: list[int] = []  # and in the source
        offset = 0
        for number, line in enumerate(content.split("\n"), first):
            at = self._search(number, line.strip().replace("|", "\\|") if cell else line.strip())
            if at < 0:
                return None
            starts.append(offset + len(line) - len(line.lstrip()))
            sources.append(at)
            offset += len(line) + 1

        def source(at: int) -> int:
            line = max(0, bisect_right(starts, at) - 1)
            return sources[line] + at - starts[line] + (content.count("|", starts[line], at) if cell else 0)

        return source

    def _search(self, number: int, words: str) -> int:
        """Where words stand in the rest of a line, in the source; -1 if they do not."""
        at = "".join(self.lines[number : number + 1]).find(words, self._searched.get(number, 0))
        if at < 0:
            return -1
        self._searched[number] = at + len(words)
        return self.starts[number] + at
