"""Where things stand: 32 numbers as columns over a base line, and a panel with bytes or sums under them."""

from __future__ import annotations

from functools import cached_property

from loom.draw import Box, Pen

from .case import HALF, SHOWN, Case
from .model import MXFP4


class Stage:
    """The geometry. Heights are those of the numbers themselves, so that they stay when the format changes."""

    def __init__(self, pen: Pen, case: Case) -> None:
        self.pen, self.case, self.one = pen, case, case.format == MXFP4  # one block, with one scale, of a power of two
        self.plot = pen.pick(Box(32, 30, 264, 160), Box(72, 30, 696, 196))  # from the base line to the highest rung
        self.gap = pen.pick(8, 24)  # between the sixteenth number and the next: two blocks of NVFP4 part there
        self.pitch = (self.plot.width - self.gap) / SHOWN  # from one column to the next
        self.bar = pen.pick(6, 14)  # the width of a column
        self.panel = pen.pick(Box(0, 258, 328, 188), Box(0, 288, 840, 124))  # what is under the numbers
        self.line = pen.pick(17, 21)  # from one line of words to the next

    def x(self, at: int) -> float:
        """The middle of a column."""
        return self.plot.x + (at + 0.5) * self.pitch + (at // HALF) * self.gap

    def y(self, size: float) -> float:
        """The height of a magnitude."""
        return self.plot.bottom - self.plot.height * min(size / self.case.span, 1.0)

    @cached_property
    def halves(self) -> list[tuple[float, float]]:
        """From where to where the rungs of the first and the second sixteen reach; MXFP4's are one."""
        middle, edge = (self.x(HALF - 1) + self.x(HALF)) / 2, 0 if self.one else self.gap / 4
        return [(self.plot.x, middle - edge), (middle + edge, self.plot.right)]

    @cached_property
    def columns(self) -> list[Box]:
        """The panel in two: beside each other where there is room."""
        if self.pen.narrow:
            return self.panel.rows(2, 4)
        return [Box(left, self.panel.y, 340, self.panel.height) for left, _ in self.halves]

    @cached_property
    def cells(self) -> list[Box]:
        """A box for each byte of the packed blocks; on a phone they stand in two rows."""
        return [self._cell(block, at) for block, raw in enumerate(self.case.stored) for at in range(len(raw))]

    def _cell(self, block: int, at: int) -> Box:
        top = self.panel.y + self.pen.size + 8
        if self.pen.narrow:
            row, column = (block, at) if at < 9 else (1, at - 8)
            return Box(column * 35 + (8 if column else 0), top + row * 28, 35, 24)
        pitch, apart, parted = (40, 16, 0) if self.one else (37, 6, 24)
        whole = block * len(self.case.stored[0]) + at
        return Box(self.plot.x + whole * pitch + (apart if at else 0) + block * parted, top, pitch, 26)
