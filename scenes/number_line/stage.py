"""Where things stand: one axis of numbers, shared by two lanes and what is below them."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from loom.draw import Box, Pen

from .model import Array, State, number_format, reach

NARROW_AXIS, WIDE_AXIS = 256.0, 704.0  # whole steps of powers of two fall on half units


@dataclass(frozen=True)
class Line:
    """The axis: from `low` (of a log axis, above zero) to `high`, drawn from x to x + width."""

    log: bool
    low: float
    high: float
    x: float
    width: float
    slot: float = 0.0  # the room that a log axis keeps for 0

    @property
    def right(self) -> float:
        return self.x + self.width

    @property
    def start(self) -> float:
        """Where `low` stands."""
        return self.x + self.slot

    def at(self, values: Array | float) -> Array:
        """Places of values from 0 to `high` on the stage; of their shape."""
        values = np.asarray(values, dtype=np.float64)
        if not self.log:
            return self.x + self.width * values / self.high
        share = np.log2(np.where(values > 0, values, self.low) / self.low) / math.log2(self.high / self.low)
        return np.where(values > 0, self.start + share * (self.right - self.start), self.x + 6)

    def place(self, value: float) -> float:
        """The place of one value."""
        return float(self.at(value))

    @property
    def power(self) -> float:
        """The width of a power of two on a log axis."""
        return (self.right - self.start) / math.log2(self.high / self.low)


@dataclass(frozen=True)
class Stage:
    """The layout of one step at one width."""

    pen: Pen
    state: State

    @cached_property
    def line(self) -> Line:
        """The shared axis."""
        state, x = self.state, 34.5 if self.pen.narrow else 56.0
        width = NARROW_AXIS if self.pen.narrow else WIDE_AXIS
        if not state.log:
            return Line(False, 0.0, reach(state.first, state.second), x, width)
        formats = [number_format(name) for name in (state.first, state.second)]
        low = 2.0 ** round(math.log2(min(fmt.smallest for fmt in formats)))
        high = 2.0 ** math.ceil(math.log2(max(fmt.largest for fmt in formats)))
        return Line(True, low, high, x, width, 24.0 if self.pen.narrow else 40.0)

    def lane(self, number: int) -> Box:
        """The strip of a format's values; tall lines stand `rise` above it, the heading above those."""
        height, pitch = (26.0, 58.0) if self.pen.narrow else (30.0, 68.0)
        top = self.pen.size + 6 + self.rise
        return Box(self.line.x, top + number * pitch, self.line.width, height)

    @property
    def rise(self) -> float:
        return 7.0 if self.pen.narrow else 9.0

    def heading(self, number: int) -> float:
        """The baseline of a lane's name."""
        return self.lane(number).y - self.rise - 6

    @property
    def plotted(self) -> bool:
        """Whether a plot that shares the axis is below."""
        return self.state.step in ("gaps", "beside", "relative")

    @property
    def axis(self) -> float:
        """The height of the axis: right under the last lane that is shown."""
        return self.lane(1 if self.state.both else 0).bottom

    @property
    def below(self) -> Box:
        """The room under the axis and its numbers, less that of a title."""
        top = self.axis + 3.6 * self.pen.size + 16
        bottom = 326.0 if self.pen.narrow else 368.0
        return Box(self.line.x, top, self.line.width, bottom - top)


def exponents(low: float, high: float) -> NDArray[np.int64]:
    """The powers k of two with low ≤ 2^k ≤ high."""
    return np.arange(math.ceil(math.log2(low) - 1e-9), math.floor(math.log2(high) + 1e-9) + 1)
