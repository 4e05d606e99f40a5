"""Where things stand: 32 numbers as columns over a base line, and a panel with bytes or sums under them."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from loom.draw import Box, Pen

from .case import HALF, SHOWN, Case
from .model import MXFP4


@dataclass(frozen=True)
class Stage:
    """The geometry. Heights are those of the numbers themselves, so that they stay when the format changes."""

    pen: Pen
    case: Case

    @cached_property
    def plot(self) -> Box:
        """The columns, from the base line to the highest rung of any format."""
        return Box(32, 30, 264, 160) if self.pen.narrow else Box(72, 30, 696, 196)

    @property
    def gap(self) -> float:
        """Between the sixteenth number and the next: two blocks of NVFP4 part there."""
        return 8 if self.pen.narrow else 24

    @property
    def pitch(self) -> float:
        """From one column to the next."""
        return (self.plot.width - self.gap) / SHOWN

    @property
    def bar(self) -> float:
        """The width of a column."""
        return 6 if self.pen.narrow else 14

    def x(self, at: int) -> float:
        """The middle of a column."""
        return self.plot.x + (at + 0.5) * self.pitch + (at // HALF) * self.gap

    def y(self, size: float) -> float:
        """The height of a magnitude."""
        return self.plot.bottom - self.plot.height * min(size / self.case.span, 1.0)

    def half(self, which: int) -> tuple[float, float]:
        """From where to where the rungs of the first or second sixteen reach; MXFP4's are one."""
        middle = (self.x(HALF - 1) + self.x(HALF)) / 2
        edge = 0 if self.case.format == MXFP4 else self.gap / 4
        return (self.plot.x, middle - edge) if which == 0 else (middle + edge, self.plot.right)

    @cached_property
    def panel(self) -> Box:
        """What is under the numbers."""
        return Box(0, 258, 328, 188) if self.pen.narrow else Box(0, 288, 840, 124)

    @property
    def line(self) -> float:
        """From one line of words to the next."""
        return 17 if self.pen.narrow else 21

    @cached_property
    def columns(self) -> list[Box]:
        """The panel in two: beside each other where there is room."""
        if self.pen.narrow:
            return self.panel.rows(2, 4)
        return [Box(self.half(side)[0], self.panel.y, 340, self.panel.height) for side in (0, 1)]

    def cell(self, at: int) -> Box:
        """One byte of the packed blocks; on a phone they stand in two rows."""
        block, rest = divmod(at, len(self.case.stored[0]))
        top = self.panel.y + self.pen.size + 8
        if self.pen.narrow:
            row, column = (block, rest) if rest < 9 else (1, rest - 8)
            return Box(column * 35 + (8 if column else 0), top + row * 28, 35, 24)
        pitch, apart, parted = (40, 16, 0) if self.case.format == MXFP4 else (37, 6, 24)
        return Box(self.plot.x + at * pitch + (apart if rest else 0) + block * parted, top, pitch, 26)
