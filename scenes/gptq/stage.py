"""Where things stand: the plane of the two weights, the profile of the error, and where curves leave the plane."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise

from loom.draw import Axis, Box, Pen

from .model import WEIGHTS

SPAN = (-0.5, 1.5)
AXIS = Axis("weight", span=SPAN, clip=True)
MOST = 2.0  # steps: more than the error of any of them, the first being at most half a step off
Point = tuple[float, float]


@dataclass(frozen=True)
class Stage(Pen):
    """A pen that knows the plane, the profile of the error, and where the answer stands."""

    plane: Box
    profile: Box  # as tall as the plane: a second weight has one height in both
    answer: Point

    def at(self, one: float, two: float) -> Point:
        box = self.plane
        return (box.x + AXIS.normalize(one) * box.width, box.bottom - AXIS.normalize(two) * box.height)

    def off(self, error: float, two: float) -> Point:
        """The place in the profile of an error and a second weight."""
        return self.profile.x + error / MOST * self.profile.width, self.at(0, two)[1]

    @cached_property
    def rail(self) -> list[Point]:
        """The places of all weights."""
        return [self.at(one, two) for one in WEIGHTS for two in WEIGHTS]


NARROW = Stage(328, Box(14, 62, 186, 186), Box(212, 62, 116, 186), (0, 24))
WIDE = Stage(840, Box(56, 30, 280, 280), Box(368, 30, 230, 280), (640, 158))


def pieces(stage: Stage, points: list[list[float]]) -> list[list[Point]]:
    """The parts of a curve that lie in the plane, up to its edges."""
    pieces: list[list[Point]] = [[]]
    for (here, within), (there, next_within) in pairwise((point, _within(point)) for point in points):
        if within:
            pieces[-1].append(stage.at(*here))
        if within != next_within:
            pieces[-1].append(stage.at(*_edge(here, there) if within else _edge(there, here)))
            if within:
                pieces.append([])
    if _within(points[-1]):  # where the curve begins, too
        pieces[-1].append(stage.at(*points[-1]))
        if len(pieces) > 1:
            pieces[0] = pieces.pop() + pieces[0]
    return [piece for piece in pieces if len(piece) > 1]


def _within(point: list[float]) -> bool:
    one, two = point
    return SPAN[0] <= one <= SPAN[1] and SPAN[0] <= two <= SPAN[1]


def _edge(within: list[float], beyond: list[float]) -> Point:
    """Where a line leaves the plane."""
    ends = [min(max(end, SPAN[0]), SPAN[1]) for end in beyond]
    share = min((end - start) / (far - start)
                for start, far, end in zip(within, beyond, ends, strict=True) if far != end)  # fmt: skip
    one, two = (start + share * (far - start) for start, far in zip(within, beyond, strict=True))
    return one, two
