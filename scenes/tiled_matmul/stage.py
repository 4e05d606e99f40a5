"""Where things stand: A left, B above, C where they meet, and shared memory in the corner that is left."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property

from loom.draw import Box, Mark, Pen

from .model import SIDE


@dataclass(frozen=True)
class Stage(Pen):
    """A pen that knows the places."""

    cell: float  # the side of an element
    gap: float  # between two matrices
    top: float  # of the tiles in shared memory
    most: float  # that such a tile is wide
    bars: Box  # the two counts, with their heading
    plot: Box  # the roofline, without its labels

    @cached_property
    def corner(self) -> Box:
        """Shared memory."""
        return Box(1, 1, SIDE * self.cell, SIDE * self.cell)

    @cached_property
    def matrices(self) -> dict[str, Box]:
        """A, B and C."""
        side, near, far = self.corner.width, 1, self.corner.right + self.gap
        return {"a": Box(near, far, side, side), "b": Box(far, near, side, side), "c": Box(far, far, side, side)}

    def part(self, matrix: str, row: int, column: int, rows: int, columns: int) -> Box:
        """Some elements of a matrix."""
        box, unit = self.matrices[matrix], self.cell
        return Box(box.x + column * unit, box.y + row * unit, columns * unit, rows * unit)

    def staged_cell(self, tile: int) -> float:
        """The side of an element in shared memory."""
        return min(self.cell, self.most / tile)

    def staged(self, tile: int) -> tuple[Box, Box]:
        """The two tiles in shared memory."""
        edge, middle = tile * self.staged_cell(tile), self.corner.x + self.corner.width / 2
        left = middle - self.gap / 3 - (self.most + edge) / 2
        right = middle + self.gap / 3 + (self.most - edge) / 2
        y = self.corner.y + self.top + (self.most - edge) / 2
        return Box(left, y, edge, edge), Box(right, y, edge, edge)

    def grid(self, key: str, parts: Iterable[tuple[Box, int, int]], role: str) -> Mark:
        """The lines between the rows and between the columns of some boxes, as one mark."""
        lines = []
        for box, rows, columns in parts:
            xs = (box.x + index * box.width / columns for index in range(1, columns))
            ys = (box.y + index * box.height / rows for index in range(1, rows))
            lines += [[(x, box.y), (x, box.bottom)] for x in xs]
            lines += [[(box.x, y), (box.right, y)] for y in ys]
        return self.strokes(key, lines, role)


NARROW = Stage(328, 14, 12, 28, 44, bars=Box(0, 258, 328, 54), plot=Box(34, 342, 288, 80))
WIDE = Stage(840, 21, 16, 42, 66, bars=Box(432, 2, 408, 84), plot=Box(476, 150, 360, 188))
