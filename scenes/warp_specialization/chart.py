"""Six lanes over one time axis: where each stretch of work stands."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from loom.draw import Box, Pen

from .states import State

COPIES, CORES, FIRST, SECOND, SUMS, MORE_SUMS = range(6)  # the lanes, from the top
WIDE_NAMES = {
    "Ampere": ("copies: cp.async", "tensor cores", "all 8 warps", "", "sums: registers", ""),
    "Hopper": ("copies: TMA", "tensor cores", "warpgroup 1", "warpgroup 2", "sums: registers 1", "sums: registers 2"),
    "Blackwell": ("copies: TMA", "tensor cores", "warpgroup 1", "warpgroup 2", "sums: TMEM 1", "sums: TMEM 2"),
}
SHORT_NAMES = {
    "Ampere": ("cp.async", "tensor", "warps", "", "registers", ""),
    "Hopper": ("TMA", "tensor", "group 1", "group 2", "regs 1", "regs 2"),
    "Blackwell": ("TMA", "tensor", "group 1", "group 2", "TMEM 1", "TMEM 2"),
}


@dataclass(frozen=True)
class Chart:
    """Six lanes over one time axis. On Ampere the last two pairs of lanes are one each."""

    pen: Pen
    state: State

    @property
    def names(self) -> Sequence[str]:
        return (SHORT_NAMES if self.pen.narrow else WIDE_NAMES)[self.state.run.generation]

    @property
    def left(self) -> float:
        every = (SHORT_NAMES if self.pen.narrow else WIDE_NAMES).values()
        return self.pen.room([name for names in every for name in names]) + (6 if self.pen.narrow else 16)

    @property
    def joined(self) -> bool:
        """Whether all warps work as one, so that their lanes and their sums are one."""
        return self.state.run.generation == "Ampere"

    def x(self, time: float) -> float:
        return self.left + time * (self.pen.width - self.left - 8) / self.state.length

    def box(self, lane: int, start: float, end: float) -> Box:
        height, gap, near = (18, 16, 3) if self.pen.narrow else (25, 22, 4)
        gaps = (0, gap, gap, near, gap * 0.6, near)
        y = 6 + lane * height + sum(gaps[: lane + 1])
        if self.joined and lane in (FIRST, SUMS):
            height += height + near
        return Box(self.x(start), y, self.x(end) - self.x(start), height)

    @property
    def bottom(self) -> float:
        return self.box(MORE_SUMS, 0, 0).bottom

    def crew(self, tile: int) -> int:
        """0 or 1: the warpgroup that writes a tile out, and the accumulator that it takes."""
        return 0 if self.joined else tile % 2


def middle_of(box: Box) -> float:
    return box.y + box.height / 2
