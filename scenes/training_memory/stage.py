"""Where things stand: a bar for each stage of ZeRO, and the bytes on a GPU over the number of ranks."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from loom.draw import Axis, Box, Pen, Plot

from .model import GIGA, STAGES

RANKS = (1, *[2**power for power in range(3, 11)])  # one GPU, or nodes of eight
TOP = 240 * GIGA  # [B]: where bars are cut off


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

    def height(self, size: float) -> float:
        """Where a bar of so many bytes ends; what is taller is cut off."""
        return self.bars.bottom - min(size, TOP) / TOP * self.bars.height

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
               bars=Box(0, 84, 284, 84), wide=48, chart=Box(54, 212, 240, 66))  # fmt: skip
