"""Where things stand: all weights on top, 32 of them under it, and the bits per weight at the foot."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache

from loom.draw import Box, Pen

from .case import SHOWN, Case

MOST_BITS = 9.0  # on the bar at the foot


@dataclass(frozen=True, eq=False)
class Stage(Pen):
    """A pen that knows the places in the steps that show weights."""

    case: Case
    frames: list[Box]  # the grounds of the sub-blocks, side by side
    all: Box  # the 256 weights
    rows: list[Box]  # for the bars of scales and minima, a line for numbers under each
    near: Box  # the 32 weights
    columns: list[float]  # where each of the 32 stands
    pitch: float  # from one of them to the next
    foot: Box  # the bar of bits per weight

    @property
    def halves(self) -> list[tuple[float, float]]:
        """From where to where the levels of each sub-block reach."""
        half, size = self.pitch / 2, self.case.kind.size
        return [(self.columns[at] - half, self.columns[at + size - 1] + half) for at in range(0, SHOWN, size)]

    def y(self, values: Iterable[float]) -> list[float]:
        """The heights of weights among all."""
        return _heights(self.all, values, self.case.numbers.tolist())

    def levels(self, values: Iterable[float]) -> list[float]:
        """The heights of numbers among the 32."""
        ends = [sub.level_of(code, ideal) for sub in self.case.shown for ideal in (False, True)
                for code in (sub.kind.lowest, sub.kind.highest)]  # fmt: skip
        return _heights(self.near, values, [*ends, *self.case.numbers[self.case.near].tolist()])


@lru_cache(maxsize=4)  # the same in most steps
def stage_of(width: float, case: Case, split: bool) -> Stage:
    """In the first step, `split`, there is nothing to say of a sub-block yet, and weights have all of its frame."""
    pick, kind = Pen(width).pick, case.kind
    ground = pick(Box(34, 20, 294, 146), Box(72, 22, 696, 182))
    tall = ground.height if split else pick(66, 84)
    near = pick(Box(34, 214, 260, 126), Box(72, 250, 696, 94))
    gap = pick(8, 24) if kind.size < SHOWN else 0  # between two sub-blocks
    pitch = (near.width - gap) / SHOWN
    return Stage(
        width,
        case,
        frames=ground.columns(kind.blocks, pick(2, 4)),
        all=Box(ground.x, ground.y, ground.width, tall),
        rows=ground.inset(top=tall + 6).rows(2 if kind.min_bits else 1, 4),
        near=near,
        columns=[near.x + (at + 0.5) * pitch + (gap if at >= SHOWN // 2 else 0) for at in range(SHOWN)],
        pitch=pitch,
        foot=pick(Box(0, 424, 328, 16), Box(72, 406, 696, 18)),
    )


def _heights(box: Box, values: Iterable[float], drawn: list[float]) -> list[float]:
    low, high = min(0.0, *drawn), max(0.0, *drawn)
    return [box.bottom - box.height * (value - low) / (high - low) for value in values]
