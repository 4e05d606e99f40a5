"""Where things stand: the row of bits, three lines that zoom in on a number, and the list of formats."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

from loom.draw import Box, Pen

from .model import CODES, Spelled

# Field name and role, from the highest bit down.
FIELDS = (("sign", "series-5"), ("exponent", "series-2"), ("mantissa", "series-1"))


@dataclass(frozen=True)
class Bits:
    """The row of bits: one pitch in a field, gaps between fields."""

    pitch: float
    side: float  # height of a cell
    gap: float
    size: float  # of a digit
    between: str  # what keeps digits apart where two are one text

    def left(self, bit: int, lengths: tuple[int, int, int]) -> float:
        """Where the `bit`-th bit from the left begins."""
        fields = (bit >= lengths[0]) + (bit >= lengths[0] + lengths[1])
        return bit * self.pitch + fields * self.gap


@dataclass(frozen=True)
class Stage:
    """The layout at one width."""

    pen: Pen
    mirrored: bool = False  # a negative number: larger magnitudes lie to the left

    @property
    def margin(self) -> float:
        """Beside the lines, for what their ends are called."""
        return 42 if self.pen.narrow else 64

    @property
    def span(self) -> float:
        return self.pen.width - 2 * self.margin

    def at(self, share: float) -> float:
        """The place of a share (0 to 1) of the way from zero outwards."""
        return self.margin + self.span * (1 - share if self.mirrored else share)

    def between(self, start: float, end: float, y: float, height: float) -> Box:
        """The box from one share to another."""
        left, right = sorted((self.at(start), self.at(end)))
        return Box(left, y, right - left, height)

    def bits(self, count: int) -> Bits:
        """The row for a format of so many bits."""
        pen, blank = self.pen, "\u00a0"
        if count in CODES:
            pitch, gap = ({4: (50, 20), 6: (44, 16), 8: (37, 10)}[count]) if pen.narrow else (46, 24)
            return Bits(pitch, min(pitch - 2, 40.0), gap, pen.large, "")
        size, between, gap = (19.0, blank * 2, 14.0)
        if pen.narrow:
            size, between, gap = (13.5, blank, 6.0) if count > 19 else (15.0, blank * 2, 10.0)
        return Bits(pen.room("0" + between, size=size), size + 8, gap, size, between)

    @property
    def formula(self) -> float:
        """Baseline of the sum that the bits stand for."""
        return 88 if self.pen.narrow else 98

    @property
    def ruler(self) -> Box:
        """All powers of two."""
        return self.between(0, 1, *((126, 18) if self.pen.narrow else (142, 20)))

    @property
    def bar(self) -> Box:
        """From one power of two to the next."""
        return self.between(0, 1, *((198, 28) if self.pen.narrow else (208, 32)))

    @property
    def line(self) -> float:
        """The number and its neighbours: height of the axis."""
        return 330 if self.pen.narrow else 322

    @property
    def list(self) -> Box:
        """Every format."""
        return Box(0, 110, self.pen.width, 288) if self.pen.narrow else Box(0, 116, self.pen.width, 270)


@lru_cache
def stage(width: float, mirrored: bool) -> Stage:
    """The layout at this width, for a number above or below zero."""
    return Stage(Pen(width), mirrored)


def lengths(one: Spelled) -> tuple[int, int, int]:
    """Bits of the three fields."""
    return 1, one.fmt.exponent_bits, one.fmt.mantissa_bits
