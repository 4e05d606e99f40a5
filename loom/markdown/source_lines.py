"""Find the place in a page's source of what the parser has read: of a token for messages, of a block for its spans."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable
from itertools import accumulate

from markdown_it.token import Token

from loom.errors import LoomError
from loom.markdown.env import Env


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


class SourcePosition:
    """Finds the position of an inline token in the author's file, by counting line ends and searching for its text."""

    def __init__(
        self,
        env: Env,
        block: Token,
        behind: dict[tuple[int, str], int] | None = None,
        last: Token | None = None,
    ) -> None:
        """Look in a block, or from there to the end of the `last` one.

        `behind` has the ends of earlier tokens by line and text: the next one with that text stands to the right.
        """
        self._env = env
        self._lines = env.lines
        self._index, self._end = block.map or (0, len(self._lines))
        if last and last.map:
            self._end = last.map[1]
        self._offset = env.offset
        self._behind = {} if behind is None else behind
        self._known: dict[str, tuple[int, int]] = {}  # lines and columns that were found for the current token

    def next_token(self) -> None:
        """Begin another token: a text that was found before is searched for again."""
        self._known = {}

    @property
    def line(self) -> int:
        return self._index + 1 + self._offset

    def newline(self) -> None:
        """Move on to the next line."""
        self._index += 1

    def place(self, raw: str) -> tuple[int, int]:
        """The line and the column at which `raw` begins; column 0 if it is not found.

        The search includes later lines, because code and roles may contain line ends that were not counted.
        """
        if raw not in self._known:
            self._known[raw] = self._search(raw)
        self._index, column = self._known[raw]
        return self.line, column

    def _search(self, raw: str) -> tuple[int, int]:
        for words in (raw, raw.split(" ")[0]):
            for behind in (self._behind, {}):  # from the start if nothing is left to the right
                for index in range(self._index, min(self._end, len(self._lines))):
                    at = self._lines[index].find(words, behind.get((index, words), 0))
                    if at >= 0:
                        self._behind[index, words] = at + len(words)
                        return index, at + 1
        return self._index, 0

    def escaped(self, raw: str) -> bool:
        """Whether a backslash stands before `raw`."""
        _, column = self.place(raw)
        return column > 1 and self._lines[self._index][column - 2] == "\\"

    def problem(self, message: str, hint: str, raw: str) -> LoomError:
        """A mistake at `raw`."""
        line, column = self.place(raw)
        return LoomError(self._env.problem(line, message, hint, column=column))

    def warn(self, message: str, hint: str, raw: str, rule: str) -> None:
        """Warn of `raw`."""
        line, column = self.place(raw)
        self._env.warn(line, message, hint, rule, column)
