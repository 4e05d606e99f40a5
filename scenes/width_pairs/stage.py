"""The places of the picture: a plot, a large number, and a row for each pair."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from loom.draw import Axis, Box, Pen, Plot

from .measured import ROWS
from .model import PAIRS, Case
from .story import longest

X = Axis("batch: rows of X", span=(0.7, ROWS), log=True)  # as far as was measured
Y = Axis("times as fast as W16A16", span=(0, 4.2))
Point = tuple[float, float]


@dataclass(frozen=True)
class Stage(Pen):
    """A pen that knows the places."""

    box: Box  # of the plot
    answer: Point  # the baseline of the large number
    rows: Box  # the two times of each pair
    bar: Box  # where in a row its bars are: x, and how wide and tall each is

    @property
    def plot(self) -> Plot:
        return Plot(self, self.box, X, Y)

    @cached_property
    def bands(self) -> list[Box]:
        """A row for each pair."""
        return self.rows.rows(len(PAIRS))

    def unit(self, case: Case) -> float:
        """The length of a second, where the longest time of all pairs fills a bar."""
        return self.bar.width / longest(case)

    def at(self, case: Case) -> Point:
        return self.plot.at(case.batch, case.speedup)


NARROW = Stage(328, Box(24, 54, 244, 114), (0, 24), Box(0, 221, 328, 118), Box(62, 0, 150, 7))
WIDE = Stage(840, Box(30, 38, 306, 226), (432, 48), Box(432, 118, 408, 190), Box(66, 0, 228, 13))
