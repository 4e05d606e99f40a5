"""Where things stand: the arithmetic, the grid of coordinates, and memory in rows of one word for each bank."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from loom.draw import Box, Grid, Pen

from .banks import BANKS
from .model import SIDE

MEMORY_ROWS = 9  # the padded layout needs one more than eight
Point = tuple[float, float]


def edge(box: Box, out: float = 0) -> list[Point]:
    """The outline of a box, so much outside of it."""
    left, top, right, end = box.x - out, box.y - out, box.right + out, box.bottom + out
    return [(left, top), (right, top), (right, end), (left, end), (left, top)]


def between(start: Box, end: Box) -> list[Point]:
    """The straight line from the middle of one box to the middle of another, without what lies inside of them."""
    (x, y), (to_x, to_y) = ((box.x + box.width / 2, box.y + box.height / 2) for box in (start, end))
    right, down = to_x - x, to_y - y

    def inside(box: Box) -> float:
        across = box.width / 2 / abs(right) if right else 1.0
        return min(across, box.height / 2 / abs(down) if down else 1.0)

    ends = inside(start), 1 - inside(end)
    return [(x + share * right, y + share * down) for share in ends]


def smooth(points: Sequence[Point], radius: float = 9) -> list[Point]:
    """A line through the points with its corners rounded."""
    result = [points[0]]
    for before, here, after in zip(points, points[1:], points[2:], strict=False):
        ends = []
        for there in (before, after):
            far = abs(there[0] - here[0]) + abs(there[1] - here[1])
            share = min(radius / far, 0.5) if far else 0.0
            ends.append((here[0] + (there[0] - here[0]) * share, here[1] + (there[1] - here[1]) * share))
        for turn in range(5):
            t = turn / 4
            weights = (1 - t) ** 2, 2 * t * (1 - t), t**2
            corner = (ends[0], here, ends[1])
            result.append(tuple(sum(w * p[axis] for w, p in zip(weights, corner, strict=True)) for axis in (0, 1)))  # type: ignore[arg-type]
    return [*result, points[-1]]


@dataclass(frozen=True)
class Stage:
    """The geometry: memory beside the grid where there is room, under it on a phone."""

    pen: Pen

    @cached_property
    def cells(self) -> Grid:
        """The coordinates."""
        box = Box(58, 108, 270, 174) if self.pen.narrow else Box(76, 96, 302, 254)
        return Grid(box, SIDE, SIDE)

    @cached_property
    def memory(self) -> Grid:
        """The words: a column is a bank."""
        box = Box(58, 304, 222, 124) if self.pen.narrow else Box(478, 96, 290, 254)
        return Grid(box, MEMORY_ROWS, BANKS)

    @cached_property
    def heads(self) -> tuple[float, float]:
        """The baselines over the grid: how the shape splits the indices, and under them the indices."""
        return (88, 103) if self.pen.narrow else (72, 90)

    @cached_property
    def sums(self) -> tuple[float, float]:
        """The baselines of the arithmetic."""
        return (52, 71) if self.pen.narrow else (380, 406)

    @cached_property
    def loads(self) -> tuple[float, float]:
        """The baselines under memory."""
        return (441, 455) if self.pen.narrow else self.sums

    def word(self, offset: int) -> Box:
        """The place of a word in memory."""
        return self.memory.nth(offset)

    def thread(self, cell: Box, word: Box) -> list[Point]:
        """From a cell to its word, along the gutters, so that it crosses no number."""
        gap = 1.0
        if self.pen.narrow:
            x, into, turn = cell.right + gap, word.right + gap, self.cells.box.bottom + 3.5
            return smooth([(x, cell.bottom - 4), (x, turn), (into, turn), (into, word.y + 4)], radius=4)
        y, into = cell.bottom + gap, word.bottom + gap
        turn, low = self.cells.box.right + 12, self.memory.box.x - 42
        return smooth([(cell.right - 4, y), (turn, y), (low, into), (word.x + 4, into)], radius=26)
