"""Where things stand: A left, B above, C where they meet, and the answer in the corner that is left."""

from __future__ import annotations

from dataclasses import dataclass

from loom.draw import Box, Pen

from .model import SIDE, TILES


@dataclass(frozen=True)
class Stage(Pen):
    """A pen that knows the places."""

    cell: float  # the side of an element
    gap: float  # between two matrices
    near: Box  # what comes for one k, from near; on a phone only its words
    bars: Box  # loads one by one and in blocks, under what they are for
    plot: Box  # the roofline, without its labels

    @property
    def side(self) -> float:
        return SIDE * self.cell

    @property
    def a(self) -> Box:
        return Box(0, self.side + self.gap, self.side, self.side)

    @property
    def b(self) -> Box:
        return Box(self.side + self.gap, 0, self.side, self.side)

    @property
    def c(self) -> Box:
        return Box(self.side + self.gap, self.side + self.gap, self.side, self.side)

    def part(self, matrix: Box, row: int, column: int, rows: int, columns: int) -> Box:
        """Some elements of a matrix."""
        cell = self.cell
        return Box(matrix.x + column * cell, matrix.y + row * cell, columns * cell, rows * cell)

    def corner(self, rows: int, columns: int) -> tuple[float, float]:
        """Where the corner of the first block is taken hold of: just outside it."""
        out = self.pick(5, 6)
        return self.c.x + columns * self.cell + out, self.c.y + rows * self.cell + out

    @property
    def corners(self) -> list[tuple[float, float]]:
        """The corners of all blocks that there may be."""
        return [self.corner(rows, columns) for rows in TILES for columns in TILES]


NARROW = Stage(328, 6.7, 8, Box(244, 34, 84, 80), Box(0, 260, 328, 44), Box(44, 260, 270, 34))
WIDE = Stage(840, 9.2, 14, Box(400, 0, 150, 150), Box(400, 236, 440, 64), Box(446, 24, 384, 116))
