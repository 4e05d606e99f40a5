"""Where things stand: a map of all powers of two, the numbers of two formats in a window, and curves under them."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import NamedTuple

import numpy as np

from loom.draw import Box, Pen

from .model import WINDOWS, Array, Format, Pair
from .words import number

NEAREST = 1.9  # numbers that stand closer are drawn as one block
LOW, HIGH = -16, 16  # powers of two at the ends of the map
BOX = 10.0  # the least width of a power of two that is drawn as one


class Octave(NamedTuple):
    """The numbers of a format from one power of two to the next, as far as they are in the window."""

    low: float
    high: float
    count: int
    place: Box


class Lane(NamedTuple):
    """What is drawn of a format's numbers in a window."""

    lines: Array  # the numbers that are drawn one by one
    block: float  # up to which number one block stands for all; 0 without it
    octaves: list[Octave]  # from the largest down


@dataclass(frozen=True, eq=False)
class Stage:
    """The layout of two formats in a window at one width."""

    pen: Pen
    pair: Pair

    @cached_property
    def map(self) -> Box:
        """All powers of two, each as wide as the others."""
        return self.pen.pick(Box(38, 16, 282, 22), Box(60, 18, 600, 26))

    def on_map(self, value: float) -> float:
        """The place of a number on the map, held at its ends."""
        share = (math.log2(value) - LOW) / (HIGH - LOW) if value > 0 else 0.0
        return self.map.x + min(1.0, max(0.0, share)) * self.map.width

    @cached_property
    def rail(self) -> list[tuple[float, float]]:
        """Where the window's end stands on the map, for each window."""
        y = self.map.y + self.map.height / 2
        return [(self.on_map(window), y) for window in WINDOWS]

    @cached_property
    def strips(self) -> list[Box]:
        """Where the numbers of either format stand."""
        tops, tall = self.pen.pick((83.0, 150.0), (78.0, 132.0)), self.pen.pick(22.0, 28.0)
        return [Box(self.map.x, top, self.map.width, tall) for top in tops]

    @cached_property
    def plot(self) -> Box:
        """The room of the curves."""
        return self.pen.pick(Box(38, 220, 282, 96), Box(60, 216, 600, 94))

    @property
    def scale(self) -> float:
        """Units to a difference of 1."""
        return self.map.width / self.pair.window

    def x(self, value: float) -> float:
        """The place of a number in the window; held at its end."""
        return self.map.x + min(value, self.pair.window) * self.scale

    @cached_property
    def lanes(self) -> list[Lane]:
        return [self._lane(fmt, strip) for fmt, strip in zip(self.pair.both, self.strips, strict=True)]

    def _lane(self, fmt: Format, strip: Box) -> Lane:
        shown = fmt.from_zero[fmt.from_zero < self.pair.window]
        wide = fmt.gap(shown) * self.scale >= NEAREST
        lines = shown[wide]
        end = (
            0.0
            if wide[0]
            else float(lines[0])
            if len(lines)
            else min(math.nextafter(fmt.largest, math.inf), self.pair.window)
        )
        return Lane(lines, end, self._octaves(fmt, shown, strip))

    def _octaves(self, fmt: Format, shown: Array, strip: Box) -> list[Octave]:
        """The powers of two that are wide enough; below the last of a float lie its subnormal numbers."""
        found: list[Octave] = []
        top = 2.0 ** math.ceil(math.log2(min(self.pair.window, fmt.largest + fmt.smallest)))
        while top > fmt.smallest_normal and (top - top / 2) * self.scale >= BOX:
            found.append(self._octave(top / 2, top, shown, strip))
            top /= 2
        if top <= fmt.smallest_normal and not fmt.integer and top * self.scale >= BOX:
            found.append(self._octave(0.0, top, shown, strip))
        return found

    def _octave(self, low: float, high: float, shown: Array, strip: Box) -> Octave:
        left, right = self.x(low), self.x(high)
        count = int(np.count_nonzero((shown >= low) & (shown < high)))
        return Octave(low, min(high, self.pair.window), count, Box(left, strip.y, right - left, strip.height))

    @cached_property
    def ticks(self) -> list[tuple[float, str]]:
        """Powers of two with room for their words, from the window's end down, and 0: each with its place."""
        window, words = self.pair.window, number(self.pair.window)
        half = self.pen.text_width(words) / 2
        found = [(min(self.x(window), self.pen.width - half), words)]
        free = found[0][0] - half
        zero = self.map.x
        for power in range(math.ceil(math.log2(window)) - 1, LOW - 8, -1):
            words, x = number(2.0**power), self.x(2.0**power)
            half = self.pen.text_width(words) / 2
            if x + half + 8 <= free and x - half - 8 > zero + 4:
                found.append((x, words))
                free = x - half
        return [*found, (zero, "0")]


@lru_cache(maxsize=2)  # the steps share it, at either width
def stage(pair: Pair, width: float) -> Stage:
    """The layout of two formats in a window at this width."""
    return Stage(Pen(width), pair)
