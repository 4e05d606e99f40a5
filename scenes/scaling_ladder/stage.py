"""Where things stand: the strip of numbers with its axis of doublings, at both widths."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass

from loom.draw import Box, Pen

from .states import COUNT

LOW, HIGH = -8, 8  # powers of two at the ends of the axis
HALF = COUNT // 2


@dataclass(frozen=True)
class Stage:
    """The strip of numbers; a phone shows the second half of the block, which holds the outlier."""

    pen: Pen

    @property
    def first(self) -> int:
        """The first number drawn."""
        return HALF if self.pen.narrow else 0

    @property
    def pitch(self) -> float:
        """Width of one number."""
        return 3.5 if self.pen.narrow else 5.0

    @property
    def strip(self) -> Box:
        """The plot of magnitudes."""
        width = self.pitch * (COUNT - self.first)
        return Box(34, 108, width, 240) if self.pen.narrow else Box(46, 108, width, 264)

    @property
    def margin(self) -> float:
        """Where labels beside the strip begin."""
        return self.strip.right + (6 if self.pen.narrow else 12)

    def x(self, index: float) -> float:
        """The left edge of a number's place."""
        return self.strip.x + (index - self.first) * self.pitch

    def y(self, magnitude: float) -> float:
        """The height of a magnitude, in whole units; what is off the axis is held at its ends."""
        power = math.log2(magnitude) if magnitude > 0 else LOW
        share = (min(max(power, LOW), HIGH) - LOW) / (HIGH - LOW)
        return round(self.strip.bottom - share * self.strip.height)

    def comb(self, magnitudes: Iterable[tuple[int, float]]) -> list[list[tuple[float, float]]]:
        """A stroke from the floor for each number (index, magnitude) that reaches above it."""
        floor = self.strip.bottom
        lines = []
        for index, magnitude in magnitudes:
            top, x = self.y(magnitude), self.x(index + 0.5)
            if index >= self.first and top < floor:
                lines.append([(x, floor), (x, top)])
        return lines
