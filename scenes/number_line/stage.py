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
    more: Array  # those that are so only once the ruler is bent
    block: tuple[float, float]  # from which number to which one block stands for all; both 0 without it
    octaves: list[Octave]  # from the largest down


@dataclass(frozen=True, eq=False)
class Stage:
    """The layout of two formats in a window at one width, on a ruler that is even or bent."""

    pen: Pen
    pair: Pair
    bent: float = 0.0  # 0: a difference of 1 is as long everywhere; 1: each power of two is

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

    @cached_property
    def low(self) -> float:
        """Where the bent ruler begins: a power of two."""
        return self.pair.low

    def x(self, value: float) -> float:
        """The place of a number in the window; held at its end, and on the bent ruler at its beginning."""
        even, bent = min(value, self.pair.window) / self.pair.window, 0.0
        if value > self.low:
            bent = min(1.0, math.log2(value / self.low) / math.log2(self.pair.window / self.low))
        return self.map.x + (even + (bent - even) * self.bent) * self.map.width

    @cached_property
    def lanes(self) -> list[Lane]:
        return [self._lane(fmt, strip) for fmt, strip in zip(self.pair.both, self.strips, strict=True)]

    def _lane(self, fmt: Format, strip: Box) -> Lane:
        shown = fmt.from_zero[fmt.from_zero < self.pair.window]
        wide = fmt.gap(shown) * self.scale >= NEAREST
        lines, none = shown[wide], shown[:0]
        end = min(math.nextafter(fmt.largest, math.inf), self.pair.window)
        octaves = self._octaves(fmt, shown, strip)
        if not self.bent:
            return Lane(lines, none, (0.0, 0.0 if wide[0] else float(lines[0]) if len(lines) else end), octaves)
        octave = self.map.width / math.log2(self.pair.window / self.low)
        some = shown[shown >= max(self.low, fmt.smallest)]
        apart = octave * np.log2(1 + fmt.relative_gap(some)) >= NEAREST if len(some) else np.ones(0, bool)
        if not (fmt.integer or apart.all()):
            return Lane(none, none, (float(some[0]), end), octaves)  # each power of two looks like the others
        close = some[~apart & ~np.isin(some, lines)]
        return Lane(lines, some[apart & ~np.isin(some, lines)], (float(close[0]), end) if len(close) else (0.0, 0.0),
                    octaves)  # fmt: skip

    def _octaves(self, fmt: Format, shown: Array, strip: Box) -> list[Octave]:
        """The powers of two that are wide enough; below the last of a float lie its subnormal numbers."""
        found: list[Octave] = []
        top = 2.0 ** math.ceil(math.log2(min(self.pair.window, fmt.largest + fmt.smallest)))
        if self.bent:
            while top > max(self.low, fmt.smallest):
                found.append(self._octave(top / 2, top, shown, strip))
                top /= 2
            return found
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
        last = round(math.log2(self.low)) if self.bent else LOW - 8
        for power in range(math.ceil(math.log2(window)) - 1, last, -1):
            words, x = number(2.0**power), self.x(2.0**power)
            half = self.pen.text_width(words) / 2
            if x + half + 8 <= free and x - half - 8 > zero + (half if self.bent else 4):
                found.append((x, words))
                free = x - half
        return [*found, (zero, number(self.low) if self.bent == 1 else "0" if not self.bent else "")]


@lru_cache(maxsize=8)  # the steps share it, at either width
def stage(pair: Pair, width: float, bent: float = 0.0) -> Stage:
    """The layout of two formats in a window at this width."""
    return Stage(Pen(width), pair, bent)
