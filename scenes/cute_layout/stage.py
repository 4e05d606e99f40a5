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


@dataclass(frozen=True)
class Stage(Pen):
    """A pen that knows the places: memory beside the grid where there is room, under it on a phone."""

    grid: Grid  # the coordinates
    memory: Grid  # the words: a column is a bank
    heads: tuple[float, float]  # baselines over the grid: how the shape splits the indices, and under them the indices
    sums: tuple[float, float]  # baselines of the arithmetic
    legend: float  # the baseline of what is dashed: under memory, on a phone under the answer
    answer: Point  # where the number stands that the picture comes to

    @cached_property
    def cells(self) -> list[list[Box]]:
        """The place of each coordinate, row by row."""
        return [[self.grid.cell(row, column) for column in range(SIDE)] for row in range(SIDE)]

    @cached_property
    def words(self) -> list[Box]:
        """The place of each word in memory."""
        return [self.memory.nth(word) for word in range(MEMORY_ROWS * BANKS)]

    def thread(self, cell: Box, word: Box) -> list[Point]:
        """From a cell to its word, along the gutters, so that it crosses no number."""
        gap = self.pick(2.0, 1.0)
        if self.narrow:
            x, into, turn = cell.right + gap, word.right + gap, self.grid.box.bottom + 3.5
            return [(x, cell.bottom - 4), (x, turn), (into, turn), (into, word.y + 4)]
        y, into = cell.bottom + gap, word.bottom + gap
        turn, low = self.grid.box.right + 12, self.memory.box.x - 42
        return smooth([(cell.right - 4, y), (turn, y), (low, into), (word.x + 4, into)], radius=26)


NARROW = Stage(328, Grid(Box(58, 70, 238, 134), SIDE, SIDE), Grid(Box(58, 225, 238, 124), MEMORY_ROWS, BANKS),
               (53, 65), (30, 30), 41, (328, 26))  # fmt: skip
WIDE = Stage(840, Grid(Box(70, 70, 286, 206), SIDE, SIDE), Grid(Box(434, 70, 270, 205), MEMORY_ROWS, BANKS),
             (46, 63), (300, 325), 298, (766, 130))  # fmt: skip


def spanning(first: Box, last: Box, out: float = 0) -> Box:
    """From one box to another below or right of it, and so much further on all sides."""
    return Box(first.x, first.y, last.right - first.x, last.bottom - first.y).inset(-out, -out, -out, -out)


def between(start: Box, end: Box) -> list[Point]:
    """The straight line from the middle of one box to the middle of another, without what lies inside of them."""
    x, y = start.x + start.width / 2, start.y + start.height / 2
    right, down = end.x + end.width / 2 - x, end.y + end.height / 2 - y

    def inside(box: Box) -> float:
        across = box.width / 2 / abs(right) if right else 1.0
        return min(across, box.height / 2 / abs(down) if down else 1.0)

    return [(x + share * right, y + share * down) for share in (inside(start), 1 - inside(end))]


def smooth(points: Sequence[Point], radius: float) -> list[Point]:
    """A line through the points with its corners rounded."""
    result = [points[0]]
    for before, (x, y), after in zip(points, points[1:], points[2:], strict=False):
        ends = []
        for to_x, to_y in (before, after):
            far = abs(to_x - x) + abs(to_y - y)
            share = min(radius / far, 0.5) if far else 0.0
            ends.append((x + (to_x - x) * share, y + (to_y - y) * share))
        (from_x, from_y), (to_x, to_y) = ends
        for t in (0, 0.25, 0.5, 0.75, 1):
            a, b, c = (1 - t) ** 2, 2 * t * (1 - t), t**2
            result.append((a * from_x + b * x + c * to_x, a * from_y + b * y + c * to_y))
    return [*result, points[-1]]
