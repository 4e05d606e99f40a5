"""Where things stand: a chain of factors, a bar for each scheme, and a panel that shows where the factor comes from."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from loom.draw import Box, Pen

from .model import SCHEMES


@dataclass(frozen=True)
class Stage(Pen):
    """A pen that knows the places: on a phone, names stand over bars; where there is room, before them."""

    head: float  # the baseline of the heading of the bars
    bars: Box  # all of them, without names and numbers
    bar: tuple[float, float]  # where a bar begins in its row, and how tall it is
    numbers: float  # where the column of sizes ends
    ratios: float  # where the column of ratios ends
    title: float  # the baseline of the panel's title
    panel: Box  # what is under the bars; at the same scale where it shows bytes

    @cached_property
    def rows(self) -> list[Box]:
        """A bar for each scheme."""
        top, high = self.bar
        return [Box(row.x, row.y + top, row.width, high) for row in self.bars.rows(len(SCHEMES))]


NARROW = Stage(328, 102, Box(0, 104, 328, 132), (20, 11), 328, 258, 263, Box(0, 272, 328, 92))
WIDE = Stage(840, 106, Box(170, 112, 470, 172), (6, 28), 732, 840, 313, Box(170, 324, 470, 84))
