"""Where things stand: the matrix, under its columns the picked row and its sum, and a panel."""

from __future__ import annotations

from loom.draw import Box, Pen

from .case import COLUMNS, ROWS

GAMMAS = 3.1  # a weight of so many γ is as tall as its row


class Stage:
    """The geometry. A column is the same weight's and the same activation's all the way down."""

    def __init__(self, pen: Pen) -> None:
        self.pen = pen
        self.left, self.pitch = pen.pick((15, 28), (54, 41))  # of the columns; from one to the next
        self.right = self.left + COLUMNS * self.pitch
        self.xs = [self.left + (column + 0.5) * self.pitch for column in range(COLUMNS)]  # their middles
        self.half = self.pitch * 0.3  # of a bar's width
        top, tall, gap = pen.pick((20, 19, 2), (24, 27, 3))
        self.bands = Box(self.left, top, COLUMNS * self.pitch, 0).stack(*[tall - gap] * ROWS, gap=gap)  # the matrix
        self.title = pen.pick(11, 13)  # the baseline of what heads the stage, and a panel
        self.line = pen.pick(16, 20)  # from one line of words to the next
        bottom, size = self.bands[-1].bottom, pen.size
        # Baselines of the picked row's weights and of the activations.
        self.lines = pen.pick((bottom + size + 5, bottom + 2 * size + 9), (bottom + 24, bottom + 48))
        under, height = pen.pick((9, 96), (16, 142))
        self.walk = Box(self.left, self.lines[1] + under, COLUMNS * self.pitch, height)  # of the picked row's bars
        below, beside = Box(0, self.walk.bottom + 16, pen.width, 138), Box(528, 0, pen.width - 528, self.walk.bottom)
        self.panel = pen.pick(below, beside)  # what else the step is about

    def square(self, row: int, column: int, gammas: float) -> Box:
        """The square of a weight: its area is the weight's magnitude, in units of γ."""
        band = self.bands[row]
        side = max(band.height * (gammas / GAMMAS) ** 0.5, 2.5)
        return Box(self.xs[column] - side / 2, band.y + (band.height - side) / 2, side, side)
