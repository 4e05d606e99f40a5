"""Where things stand: the numbers over their rungs, and the room under them."""

from __future__ import annotations

from functools import cached_property

from loom.draw import Box, Pen, number

from .case import HALF, PEAKS, SHOWN, Case
from .model import MXFP4, RUNGS


class Stage:
    """The geometry. Heights are on one scale for all choices, so that they can be compared."""

    def __init__(self, pen: Pen, case: Case, over: Stage | None = None) -> None:
        self.pen, self.case, self.one = pen, case, case.format == MXFP4  # one block, with one scale, of a power of two
        self.plot = pen.pick(Box(32, 52, 264, 90), Box(72, 30, 560, 123))  # from the base line to the highest rung
        self.gap = 0 if self.one else pen.pick(8, 20)  # where the two blocks of NVFP4 part
        if over:  # the same numbers once more: column under column, and as high
            self.plot, self.gap = self.plot._replace(y=over.plot.bottom + pen.pick(50, 52)), over.gap
        self.pitch = (self.plot.width - self.gap) / SHOWN  # from one column to the next
        self.bar = pen.pick(6, 12)  # the width of a column
        self.panel = pen.pick(Box(0, 178, 328, 100), Box(72, 202, 696, 110))  # what is under the numbers
        self.side = self.plot.right + 46  # where numbers stand beside the picture, if there is room
        self.line = pen.pick(17, 21)  # from one line of words to the next

    @cached_property
    def below(self) -> Stage:
        """The same numbers over the other scale, under these."""
        return Stage(self.pen, self.case.other, self)

    def edge(self, at: int) -> float:
        """The left end of a column's place, or after the last the end of all."""
        return self.x(at) - self.pitch / 2 if at < SHOWN else self.plot.right

    def x(self, at: int) -> float:
        """The middle of a column."""
        return self.plot.x + (at + 0.5) * self.pitch + (at // HALF) * self.gap

    def y(self, size: float) -> float:
        """The height of a magnitude."""
        return self.plot.bottom - self.plot.height * min(size / PEAKS[-1], 1.0)

    @cached_property
    def xs(self) -> list[float]:
        """The middles of all columns."""
        return [self.x(at) for at in range(SHOWN)]

    @cached_property
    def tops(self) -> list[float]:
        """The heights of the numbers as they were given."""
        return [self.y(abs(value)) for value in self.case.numbers.tolist()]

    @cached_property
    def kept_tops(self) -> list[float]:
        """The heights of what is read back."""
        return [self.y(abs(value)) for value in self.case.decoded.tolist()]

    @cached_property
    def told(self) -> list[str]:
        """What is read of each number."""
        pairs = zip(self.case.numbers.tolist(), self.case.decoded.tolist(), strict=True)
        return [f"number {at}: {number(was, 2)} → {number(back, 2)}" for at, (was, back) in enumerate(pairs)]

    def rungs(self, scale: float) -> list[float]:
        """The sizes of E2M1 that, times the scale, lie within the picture."""
        return [rung for rung in RUNGS if rung * scale <= PEAKS[-1] * (1 + 1e-6)]

    @cached_property
    def halves(self) -> list[tuple[float, float]]:
        """From where to where the rungs of the first and the second sixteen reach; MXFP4's are one."""
        middle, edge = (self.x(HALF - 1) + self.x(HALF)) / 2, 0 if self.one else self.gap / 4
        return [(self.plot.x, middle - edge), (middle + edge, self.plot.right)]

    @cached_property
    def rulers(self) -> Box:
        """What the scales that are tried are drawn on, under the name of the line that they are held against."""
        return self.pen.pick(Box(50, 190, 180, 62), Box(136, 212, 240, 96))

    @cached_property
    def sums(self) -> list[Box]:
        """Where the scale of each block is worked out: beside the rulers, or on a phone under them."""
        if self.one:
            return [self.pen.pick(self.panel.inset(top=80), Box(518, self.panel.y, 282, self.panel.height))]
        return [self.panel, self.panel] if self.pen.narrow else self.panel.columns(2, 16)

    @cached_property
    def halves_of_bytes(self) -> list[Box]:
        """A box for four bits under each number."""
        y, tall = self.panel.y + 2, self.pen.pick(18, 22)
        return [Box(self.x(at) - self.pitch / 2, y, self.pitch, tall) for at in range(SHOWN)]

    @cached_property
    def scale_cells(self) -> list[Box]:
        """A box for each scale's byte: outside, beside its block."""
        first, wide = self.halves_of_bytes[0], self.pen.pick(24, 34)
        lefts = [first.x - wide - 8, self.plot.right + 8]
        return [Box(left, first.y, wide, first.height) for left in lefts[: len(self.case.stored)]]

    @cached_property
    def cells(self) -> list[Box]:
        """A box for each byte of the packed blocks; on a phone they stand in two rows."""
        return [self._cell(block, at) for block, raw in enumerate(self.case.stored) for at in range(len(raw))]

    def _cell(self, block: int, at: int) -> Box:
        top = self.panel.y + self.pen.pick(22, 36)
        if self.pen.narrow:
            row, column = (block, at) if at < 9 else (1, at - 8)
            return Box(column * 35 + (8 if column else 0), top + row * 28, 35, 24)
        pitch, apart, parted = (40, 16, 0) if self.one else (37, 6, 24)
        whole = block * len(self.case.stored[0]) + at
        return Box(self.panel.x + whole * pitch + (apart if at else 0) + block * parted, top, pitch, 26)
