"""Where things stand: a bar for each stage of ZeRO, and the bytes on a GPU over the number of ranks."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from math import ceil

from loom.draw import Axis, Box, Pen, Plot

from .model import GIGA, STAGES

RANKS = (1, *[2**power for power in range(3, 11)])  # one GPU, or nodes of eight
TOP = 200 * GIGA  # [B]: where bars are cut, to go on above on another scale
MOST = 7.2e12  # [B]: a little more than the largest model with all that it keeps, on one GPU
BELOW, GAP, RISE = 0.76, 8.0, 8  # the part of the height up to the cut; the cut, and a step above it [units]


@dataclass(frozen=True)
class Stage(Pen):
    """A pen that knows the places."""

    parts: tuple[tuple[float, float], ...]  # where each part's name and size begin, by their baselines
    size_at: float  # where a part's size ends, from where its name begins; 0 to let it follow the name
    bars: Box
    wide: float  # of a bar
    chart: Box

    @cached_property
    def columns(self) -> list[float]:
        """The middles of the bars."""
        return [column.x + column.width / 2 for column in self.bars.columns(len(STAGES))]

    @cached_property
    def cut(self) -> float:
        """Where bars are cut: the lower edge of the gap."""
        return self.bars.bottom - BELOW * self.bars.height

    def height(self, size: float) -> float:
        """Where a bar of so many bytes ends: to scale up to the cut, and in steps above it, where only
        the order can be seen."""
        if size <= TOP:
            return self.bars.bottom - size / TOP * BELOW * self.bars.height
        top = self.cut - GAP
        return top - RISE * ceil((size - TOP) / (MOST - TOP) * (top - self.bars.y) / RISE)

    def column(self, zero: int) -> Box:
        """Where a bar stands, over the whole height."""
        return self.bars._replace(x=self.columns[zero] - self.wide / 2, width=self.wide)

    def above(self, total: float) -> float:
        """The baseline of the number over a bar."""
        return self.height(total) - 5

    @cached_property
    def plot(self) -> Plot:
        return Plot(self, self.chart, Axis("ranks", span=(RANKS[0] / 2, RANKS[-1]), log=True),
                    Axis("on each GPU", "B", (1e9, 1e13), log=True, clip=True), "fit")  # fmt: skip


WIDE = Stage(840, parts=tuple((x, 66.0) for x in (0.0, 146.0, 304.0, 458.0)), size_at=0,
             bars=Box(0, 106, 368, 194), wide=62, chart=Box(548, 106, 216, 194))  # fmt: skip
NARROW = Stage(328, parts=((0.0, 46.0), (170.0, 46.0), (0.0, 62.0), (170.0, 62.0)), size_at=152,
               bars=Box(0, 88, 284, 80), wide=48, chart=Box(54, 212, 240, 66))  # fmt: skip
