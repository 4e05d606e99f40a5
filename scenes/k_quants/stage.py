"""Where things stand: all weights on top, 32 of them under it, and beside them the bits per weight and the types."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property, lru_cache

from loom.draw import Box, Pen

from .case import SHOWN, Case

MOST_BITS = 9.0  # on the ledger's bar


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
    ledger: Box  # the bar of bits per weight, on which the types stand
    plot: Box  # the types by bits and error
    strip: Box  # the errors of the 32 weights, then the bytes

    __eq__, __hash__ = object.__eq__, object.__hash__  # those of a pen compare its width alone

    @property
    def halves(self) -> list[tuple[float, float]]:
        """From where to where the levels of each sub-block reach."""
        half, size = self.pitch / 2, self.case.kind.size
        return [(self.columns[at] - half, self.columns[at + size - 1] + half) for at in range(0, SHOWN, size)]

    def y(self, values: Iterable[float]) -> list[float]:
        """The heights of weights among all."""
        return _heights(self.all, values, self._reach)

    def levels(self, values: Iterable[float]) -> list[float]:
        """The heights of numbers among the 32."""
        return _heights(self.near, values, self._near_reach)

    @cached_property
    def _reach(self) -> tuple[float, float]:
        """The lowest and the highest of all weights; 0 lies between them."""
        return _ends(self.case.numbers.tolist())

    @cached_property
    def _near_reach(self) -> tuple[float, float]:
        """Those of the 32 and their levels."""
        ends = [sub.level_of(code, ideal) for sub in self.case.shown for ideal in (False, True)
                for code in (sub.kind.lowest, sub.kind.highest)]  # fmt: skip
        return _ends([*ends, *self.case.numbers[self.case.near].tolist()])


@lru_cache(maxsize=2)  # the same in all steps
def stage_of(width: float, case: Case) -> Stage:
    """The places of everything at this width."""
    pick, kind = Pen(width).pick, case.kind
    ground = pick(Box(34, 116, 293, 72), Box(48, 22, 576, 124))
    tall = pick(28, 60)
    near = pick(Box(34, 226, 260, 54), Box(48, 194, 576, 78))
    gap = pick(8, 24) if kind.size < SHOWN else 0  # between two sub-blocks
    pitch = (near.width - gap) / SHOWN
    return Stage(
        width,
        case,
        frames=ground.columns(kind.blocks, pick(3, 4)),
        all=Box(ground.x, ground.y, ground.width, tall),
        rows=ground.inset(top=tall + 4).rows(2 if kind.min_bits else 1, 2),
        near=near,
        columns=[near.x + (at + 0.5) * pitch + (gap if at >= SHOWN // 2 else 0) for at in range(SHOWN)],
        pitch=pitch,
        ledger=pick(Box(0, 62, 328, 10), Box(664, 246, 176, 26)),
        plot=pick(Box(0, 37, 328, 20), Box(664, 132, 176, 104)),  # bits lie as they do on the bar under it
        strip=Box(near.x, near.bottom + pick(36, 28), near.width, pick(12, 16)),
    )


def _ends(drawn: list[float]) -> tuple[float, float]:
    return min(0.0, *drawn), max(0.0, *drawn)


def _heights(box: Box, values: Iterable[float], ends: tuple[float, float]) -> list[float]:
    low, high = ends
    return [box.bottom - box.height * (value - low) / (high - low) for value in values]
