"""Where things stand: the matrix, under its columns the picked row and its sum, and a panel."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from loom.draw import Box, Pen

from .data import COLUMNS, ROWS

GAMMAS = 3.1  # a weight of so many γ is as tall as its row


@dataclass(frozen=True)
class Stage:
    """The geometry. A column is the same weight's and the same activation's all the way down."""

    pen: Pen

    @property
    def left(self) -> float:
        return 15 if self.pen.narrow else 54

    @property
    def pitch(self) -> float:
        """From one column to the next."""
        return 28 if self.pen.narrow else 41

    @property
    def right(self) -> float:
        """The end of the last column."""
        return self.left + COLUMNS * self.pitch

    @property
    def tall(self) -> float:
        """From one row of the matrix to the next."""
        return 19 if self.pen.narrow else 27

    def x(self, column: int) -> float:
        """The middle of a column."""
        return self.left + (column + 0.5) * self.pitch

    def band(self, row: int) -> Box:
        """A row of the matrix."""
        top = 20 if self.pen.narrow else 24
        return Box(self.left, top + row * self.tall, COLUMNS * self.pitch, self.tall - (2 if self.pen.narrow else 3))

    def square(self, row: int, column: int, gammas: float) -> Box:
        """The square of a weight: its area is the weight's magnitude, in units of γ."""
        band = self.band(row)
        side = max(band.height * (gammas / GAMMAS) ** 0.5, 2.5)
        return Box(self.x(column) - side / 2, band.y + (band.height - side) / 2, side, side)

    @cached_property
    def lines(self) -> tuple[float, float]:
        """Baselines of the picked row's weights and of the activations."""
        bottom, size = self.band(ROWS - 1).bottom, self.pen.size
        return (bottom + size + 5, bottom + 2 * size + 9) if self.pen.narrow else (bottom + 24, bottom + 48)

    @cached_property
    def walk(self) -> Box:
        """Where the picked row's bars stand, under its columns."""
        top = self.lines[1] + (9 if self.pen.narrow else 16)
        return Box(self.left, top, COLUMNS * self.pitch, 96 if self.pen.narrow else 142)

    @cached_property
    def panel(self) -> Box:
        """What else the step is about."""
        if self.pen.narrow:
            return Box(0, self.walk.bottom + 16, self.pen.width, 138)
        return Box(528, 0, self.pen.width - 528, self.walk.bottom)

    @property
    def line(self) -> float:
        """From one line of words to the next."""
        return 16 if self.pen.narrow else 20

    @property
    def title(self) -> float:
        """The baseline of what heads the stage, and a panel."""
        return 11 if self.pen.narrow else 13
