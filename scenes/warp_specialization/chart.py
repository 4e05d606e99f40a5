"""Six lanes over one time axis: where each stretch of work stands."""

from __future__ import annotations

from loom.draw import Box, Pen

from .model import Compared

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


class Chart:
    """Six lanes over one time axis. On Ampere all warps work as one: the last two pairs of lanes are one each."""

    def __init__(self, pen: Pen, compared: Compared) -> None:
        names = pen.pick(SHORT_NAMES, WIDE_NAMES)
        self.pen, self.run, self.length = pen, compared.run, compared.length
        self.names, self.joined = names[self.run.generation], self.run.generation == "Ampere"
        self.left = pen.room([name for every in names.values() for name in every]) + pen.pick(6, 16)
        self.unit = (pen.width - self.left - 8) / self.length
        self.height, gap, self.near = pen.pick((18, 16, 3), (25, 22, 4))
        gaps = (0, gap, gap, self.near, gap * 0.6, self.near)
        self.tops = [6 + lane * self.height + sum(gaps[: lane + 1]) for lane in range(6)]
        self.bottom = self.tops[MORE_SUMS] + self.height

    def x(self, time: float) -> float:
        return self.left + time * self.unit

    def box(self, lane: int, start: float = 0, end: float = 0) -> Box:
        """A stretch of a lane."""
        height = self.height
        if self.joined and lane in (FIRST, SUMS):
            height += height + self.near
        return Box(self.x(start), self.tops[lane], (end - start) * self.unit, height)

    def crew(self, tile: int) -> int:
        """0 or 1: the warpgroup that writes a tile out, and the accumulator that it takes."""
        return 0 if self.joined else tile % 2


def middle_of(box: Box) -> float:
    return box.y + box.height / 2
