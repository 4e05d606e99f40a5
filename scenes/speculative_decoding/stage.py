"""Where things stand: a column for each place and a row for each word, or one place alone with its sums."""

from __future__ import annotations

from functools import cache, cached_property

from loom.draw import Box, Pen

from .model import LARGE, LIKENESS, START, WORDS, small_model

MOST = 0.6  # what a bar as wide as its column stands for
MOST_OF_PAIRS = 0.3
LEADER = WORDS.index("and")  # the word whose bar can be taken hold of: the large model's favourite


class Stage:
    """The geometry of one width."""

    def __init__(self, width: float) -> None:
        self.pen = pen = Pen(width)
        self.field = pen.pick(Box(46, 86, 282, 144), Box(84, 112, 756, 160))
        self.head = self.field.y - 8  # baseline of the guesses
        self.chances = self.field.bottom + pen.pick(18, 26)
        self.out = self.field.bottom + pen.pick(38, 52)
        self.key = pen.pick(self.out + 20, self.head - 31)  # baseline of what the colours are
        self.numbers = [568.0, 634, 694, 770, 840]  # right edges, where there is room for a column each
        self.sums = pen.pick(Box(46, 74, 156, 176), Box(84, 98, 400, 188))

    @cached_property
    def rows(self) -> list[Box]:
        """The bars' rows in the columns."""
        return self.field.rows(len(WORDS), self.pen.pick(14, 14))

    def columns(self, places: int) -> list[Box]:
        return self.field.columns(places, self.pen.pick(7, 18))

    def bar(self, column: Box, word: int, start: float, share: float, most: float = MOST) -> Box:
        """A word's bar in a column, from one probability on."""
        row = self.rows[word]
        return Box(column.x + start / most * column.width, row.y, share / most * column.width, row.height)

    @cached_property
    def single(self) -> list[Box]:
        """The rows of one place alone."""
        return self.sums.rows(len(WORDS), self.pen.pick(18, 18))

    def wide_bar(self, word: int, start: float, share: float) -> Box:
        """A word's bar where one place is alone, from one probability on."""
        row, unit = self.single[word], self.sums.width / MOST
        return Box(row.x + start * unit, row.y, share * unit, row.height)

    @cached_property
    def rail(self) -> list[tuple[float, float]]:
        """Where the leader's guesses end, for each small model."""
        ends = [self.wide_bar(LEADER, 0, min(LARGE[START][LEADER], small_model(at)[START][LEADER])) for at in LIKENESS]
        return [(box.right, box.bottom + 1) for box in ends]


@cache
def stage_of(width: float) -> Stage:
    return Stage(width)
