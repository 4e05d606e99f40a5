"""Where things stand: the plane of the two weights, and beside it three rows of bars, a bar for each input."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from loom.draw import Axis, Box, Pen

from .model import INPUTS, WEIGHTS, Array

SPAN = (-0.5, 1.5)
AXIS = Axis("weight", span=SPAN, clip=True)
Point = tuple[float, float]


@dataclass(frozen=True)
class Stage(Pen):
    """A pen that knows the plane, the rows, and where the answer stands."""

    plane: Box
    left: float  # of the bars
    pitch: float  # from bar to bar
    unit: float  # height of an error of one step
    zeros: tuple[float, float, float]  # of the first weight, the second, and the output
    answer: Point

    def at(self, one: float, two: float) -> Point:
        box = self.plane
        return (box.x + AXIS.normalize(one) * box.width, box.bottom - AXIS.normalize(two) * box.height)

    @cached_property
    def right(self) -> float:
        """Of the bars."""
        return self.left + INPUTS * self.pitch

    @cached_property
    def rail(self) -> list[Point]:
        """The places of all weights."""
        return [self.at(one, two) for one in WEIGHTS for two in WEIGHTS]

    def bars(self, row: int, heights: Array, width: float) -> list[list[Point]]:
        """The outlines of bars of these heights [steps], each in the middle of its place; whole units are short."""
        zero, found = self.zeros[row], []
        for at, height in enumerate(heights.tolist()):
            x, y = self.left + (at + 0.5) * self.pitch - width / 2, zero - round(self.unit * height)
            found.append([(x, zero), (x, y), (x + width, y), (x + width, zero)])
        return found


NARROW = Stage(328, Box(14, 84, 160, 160), 196, 16, 20, (76, 152, 242), (0, 24))
WIDE = Stage(840, Box(30, 30, 280, 280), 364, 32, 28, (56, 150, 262), (646, 236))
