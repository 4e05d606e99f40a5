"""Where things stand: A left, B above, C where they meet, and shared memory in the corner that is left."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property

from loom.draw import Box, Mark, Pen, tidy

from .model import SIDE


@dataclass(frozen=True)
class Stage:
    """The geometry of one width."""

    pen: Pen

    @property
    def cell(self) -> float:
        """The side of an element."""
        return 14 if self.pen.narrow else 21

    @property
    def side(self) -> float:
        """The side of a matrix."""
        return SIDE * self.cell

    @property
    def gap(self) -> float:
        """Between two matrices."""
        return 12 if self.pen.narrow else 16

    @cached_property
    def corner(self) -> Box:
        """Shared memory."""
        return Box(1, 1, self.side, self.side)

    @cached_property
    def b(self) -> Box:
        return Box(self.corner.right + self.gap, self.corner.y, self.side, self.side)

    @cached_property
    def a(self) -> Box:
        return Box(self.corner.x, self.corner.bottom + self.gap, self.side, self.side)

    @cached_property
    def c(self) -> Box:
        return Box(self.b.x, self.a.y, self.side, self.side)

    def part(self, matrix: Box, row: int, column: int, rows: int, columns: int) -> Box:
        """Some elements of a matrix."""
        unit = self.cell
        return Box(matrix.x + column * unit, matrix.y + row * unit, columns * unit, rows * unit)

    def staged(self, tile: int) -> tuple[Box, Box]:
        """The two tiles in shared memory."""
        unit = self.staged_cell(tile)
        room, top = (44, 28) if self.pen.narrow else (66, 42)
        corner, edge = self.corner, tile * unit
        left = corner.x + corner.width / 2 - self.gap / 3 - (room + edge) / 2
        right = corner.x + corner.width / 2 + self.gap / 3 + (room - edge) / 2
        y = corner.y + top + (room - edge) / 2
        return Box(left, y, edge, edge), Box(right, y, edge, edge)

    def staged_cell(self, tile: int) -> float:
        """The side of an element in shared memory."""
        return min(self.cell, (44 if self.pen.narrow else 66) / tile)

    @cached_property
    def bars(self) -> Box:
        """The two counts, with their heading."""
        return Box(0, 258, 328, 54) if self.pen.narrow else Box(432, 2, 408, 84)

    @cached_property
    def plot(self) -> Box:
        """The roofline, without its labels."""
        return Box(34, 342, 288, 80) if self.pen.narrow else Box(476, 150, 360, 188)


def grid(key: str, parts: Iterable[tuple[Box, int, int]], role: str) -> Mark:
    """The lines between the rows and between the columns of some boxes, as one mark."""
    strokes = []
    for box, rows, columns in parts:
        left, top, right, bottom = (tidy(edge) for edge in (box.x, box.y, box.right, box.bottom))
        for index in range(1, columns):
            x = tidy(box.x + index * box.width / columns)
            strokes.append(f"M{x} {top}L{x} {bottom}")
        for index in range(1, rows):
            y = tidy(box.y + index * box.height / rows)
            strokes.append(f"M{left} {y}L{right} {y}")
    return Mark(key, "path", role, {"d": "".join(strokes) or "M0 0"})
