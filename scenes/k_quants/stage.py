"""Where things stand: all weights on top, 32 of them under it, and the bits per weight at the foot."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property, lru_cache

from loom.draw import Box, Pen

from .case import SHOWN, Case

MOST_BITS = 9.0  # on the bar at the foot


@dataclass(frozen=True)
class Stage(Pen):
    """A pen that knows the places in the steps that show weights."""

    case: Case
    split: bool  # the first step: there is nothing to say of a sub-block yet, and the weights have all of its frame

    @property
    def left(self) -> float:
        """Where pictures begin: names stand before."""
        return self.pick(34, 72)

    @cached_property
    def frames(self) -> list[Box]:
        """The grounds of the sub-blocks, side by side."""
        box = self.pick(Box(34, 20, 294, 146), Box(72, 22, 696, 182))
        return box.columns(self.case.kind.blocks, self.pick(2, 4))

    @cached_property
    def all(self) -> Box:
        """The 256 weights."""
        tall = self.frames[0].height if self.split else self.pick(66, 84)
        return Box(self.left, self.frames[0].y, self.pick(294, 696), tall)

    def y(self, values: Iterable[float]) -> list[float]:
        """The heights of weights among all."""
        return _heights(self.all, values, [0.0, *self.case.numbers.tolist()])

    @cached_property
    def rows(self) -> list[Box]:
        """For the bars of scales and minima, a line for numbers under each."""
        top = self.all.bottom + 6
        box = Box(self.left, top, self.all.width, self.frames[0].bottom - top)
        return box.rows(2 if self.case.kind.min_bits else 1, 4)

    @cached_property
    def near(self) -> Box:
        """The 32 weights."""
        return self.pick(Box(34, 214, 260, 126), Box(72, 250, 696, 94))

    @cached_property
    def gap(self) -> float:
        """Between the sixteenth weight and the next, if two sub-blocks part there."""
        return self.pick(8, 24) if self.case.kind.size < SHOWN else 0

    @cached_property
    def pitch(self) -> float:
        """From one of the 32 to the next."""
        return (self.near.width - self.gap) / SHOWN

    @cached_property
    def columns(self) -> list[float]:
        """Where each of the 32 stands."""
        gaps = [self.gap if at >= SHOWN // 2 else 0 for at in range(SHOWN)]
        return [self.near.x + (at + 0.5) * self.pitch + gap for at, gap in enumerate(gaps)]

    @cached_property
    def halves(self) -> list[tuple[float, float]]:
        """From where to where the levels of each sub-block reach."""
        half, size = self.pitch / 2, self.case.kind.size
        return [(self.columns[at] - half, self.columns[at + size - 1] + half) for at in range(0, SHOWN, size)]

    def levels(self, values: Iterable[float]) -> list[float]:
        """The heights of numbers among the 32."""
        return _heights(self.near, values, self._drawn)

    @cached_property
    def _drawn(self) -> list[float]:
        ends = [sub.levels(ideal)[at] for sub in self.case.shown for ideal in (False, True) for at in (0, -1)]
        return [0.0, *ends, *self.case.numbers[self.case.near].tolist()]

    @property
    def foot(self) -> Box:
        """The bar of bits per weight."""
        return self.pick(Box(0, 424, 328, 16), Box(72, 406, 696, 18))


@lru_cache(maxsize=4)  # the same in most steps
def stage_of(width: float, case: Case, split: bool) -> Stage:
    return Stage(width, case, split)


def _heights(box: Box, values: Iterable[float], drawn: list[float]) -> list[float]:
    low, high = min(drawn), max(drawn)
    return [box.bottom - box.height * (value - low) / (high - low) for value in values]
