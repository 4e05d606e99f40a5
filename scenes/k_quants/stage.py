"""Where things stand: all weights on top, 32 of them under it, and the bits per weight at the foot."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from loom.draw import Box, Pen

from .case import SHOWN, SPLIT, Case, State

MOST_BITS = 9.0  # on the bar at the foot


@dataclass(frozen=True)
class Stage:
    """The geometry of the steps that show weights."""

    pen: Pen
    state: State

    @property
    def case(self) -> Case:
        """What is shown."""
        return self.state.case

    @property
    def left(self) -> float:
        """Where pictures begin: names stand before."""
        return 34 if self.pen.narrow else 72

    @cached_property
    def all(self) -> Box:
        """The 256 weights; before there is anything to say of a sub-block, they have all of its frame."""
        box = Box(34, 20, 294, 66) if self.pen.narrow else Box(72, 22, 696, 84)
        return box.inset(bottom=box.bottom - self.foot_of_frames) if self.state.step == SPLIT else box

    @property
    def foot_of_frames(self) -> float:
        """Where the sub-blocks' frames end."""
        return 166 if self.pen.narrow else 204

    @cached_property
    def subs(self) -> list[Box]:
        """The sub-blocks, side by side."""
        return self.all.columns(self.case.kind.blocks, 2 if self.pen.narrow else 4)

    def x(self, at: int) -> float:
        """A weight among all."""
        box, size = self.subs[at // self.case.kind.size], self.case.kind.size
        return box.x + (at % size + 0.5) * box.width / size

    def y(self, value: float) -> float:
        """Its height."""
        return _height(self.all, value, *_span(self.case.numbers.tolist()))

    @cached_property
    def rows(self) -> list[Box]:
        """For the bars of scales and minima, a line for numbers under each."""
        box = Box(self.all.x, self.all.bottom + 6, self.all.width, self.foot_of_frames - self.all.bottom - 6)
        return box.rows(2 if self.case.kind.min_bits else 1, 4)

    @cached_property
    def near(self) -> Box:
        """The 32 weights."""
        return Box(34, 214, 260, 126) if self.pen.narrow else Box(72, 250, 696, 94)

    @property
    def gap(self) -> float:
        """Between the sixteenth weight and the next, if two sub-blocks part there."""
        parted = self.case.kind.size < SHOWN
        return (8 if self.pen.narrow else 24) if parted else 0

    @property
    def pitch(self) -> float:
        """From one of the 32 to the next."""
        return (self.near.width - self.gap) / SHOWN

    def column(self, at: int) -> float:
        """One of the 32, counted from 0."""
        return self.near.x + (at + 0.5) * self.pitch + (self.gap if at >= SHOWN // 2 else 0)

    @cached_property
    def halves(self) -> list[tuple[float, float]]:
        """From where to where the levels of each sub-block reach."""
        count, size = len(self.case.shown), self.case.kind.size
        half = self.pitch / 2
        return [(self.column(at * size) - half, self.column((at + 1) * size - 1) + half) for at in range(count)]

    def level(self, value: float) -> float:
        """The height of a number among the 32."""
        return _height(self.near, value, *self.reach)

    @cached_property
    def reach(self) -> tuple[float, float]:
        """The lowest and the highest that is drawn there."""
        ends = [float(end) for sub in self.case.shown for ideal in (False, True)
                for end in sub.levels(ideal)[[0, -1]]]  # fmt: skip
        return _span([*ends, *self.case.numbers[self.case.start : self.case.start + SHOWN].tolist()])

    @cached_property
    def foot(self) -> Box:
        """The bar of bits per weight."""
        return Box(0, 424, 328, 16) if self.pen.narrow else Box(72, 406, 696, 18)


def _span(values: list[float]) -> tuple[float, float]:
    return min(0.0, *values), max(0.0, *values)


def _height(box: Box, value: float, low: float, high: float) -> float:
    return box.bottom - box.height * (value - low) / (high - low)
