"""Where things stand: a chain of factors, a bar for each scheme, and a panel that shows where the factor comes from."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from loom.draw import Box, Pen

from .model import SCHEMES


@dataclass(frozen=True)
class Stage(Pen):
    """A pen that knows the places: on a phone, names stand over bars; where there is room, before them."""

    @property
    def head(self) -> float:
        """The baseline of the heading of the bars."""
        return self.bars.y - self.pick(2, 6)

    @property
    def links(self) -> list[Box]:
        """The links of the chain, beside each other where there is room; the third may be a sum."""
        return [Box(x, 0, width, 72) for x, width in ((0, 190), (215, 135), (375, 285), (685, 155))]

    @cached_property
    def bars(self) -> Box:
        """All bars, without names and numbers."""
        return self.pick(Box(0, 104, 328, 132), Box(170, 112, 470, 172))

    @cached_property
    def rows(self) -> list[Box]:
        """A bar for each scheme."""
        top, high = self.pick((20, 11), (6, 28))
        return [Box(row.x, row.y + top, row.width, high) for row in self.bars.rows(len(SCHEMES))]

    @property
    def numbers(self) -> float:
        """Where the column of sizes ends."""
        return self.pick(self.width, 732.0)

    @property
    def ratios(self) -> float:
        """Where the column of ratios ends."""
        return self.pick(258.0, self.width)

    @cached_property
    def panel(self) -> Box:
        """What is under the bars; at the same scale where it shows bytes."""
        return self.pick(Box(0, 272, 328, 92), Box(self.bars.x, 324, self.bars.width, 84))

    @property
    def title(self) -> float:
        """The baseline of the panel's title."""
        return self.panel.y - self.pick(9, 11)
