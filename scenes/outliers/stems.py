"""The values close to zero: a stem for each, in a column for each channel, and what rounding leaves of them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from loom.draw import Box, Mark, Pen

from .model import SHOWN, Array


@dataclass(frozen=True)
class Field:
    """A scale from −span to span in a box. `key` keeps two fields apart; `tokens` are drawn of each channel."""

    pen: Pen
    key: str
    box: Box
    span: float
    tokens: int

    @cached_property
    def zero(self) -> float:
        return self.box.y + self.box.height / 2

    def height(self, value: float) -> float:
        """Where a value lies; beyond the ends it is held there."""
        return round(self.zero - min(1.0, max(-1.0, value / self.span)) * self.box.height / 2)

    def places(self, channel: int) -> list[float]:
        """Where the stems of a channel stand."""
        each = self.box.width / SHOWN
        apart = round(each / (self.tokens + 1.5))  # whole units, which are short to write
        return [self.box.x + channel * each + (token + 1) * apart for token in range(self.tokens)]

    def frame(self) -> Iterator[Mark]:
        """The zero line, and the numbers at the ends of the scale."""
        pen, box, key = self.pen, self.box, self.key
        for place, y, words in (("h", box.y, f"{self.span:g}"), ("n", box.bottom, f"−{self.span:g}")):
            yield pen.text(f"{key}{place}", box.x - 6, y, words, "note", anchor="end", middle=True)
        yield pen.text(f"{key}m", box.x - 6, self.zero, "0", "note", anchor="end", middle=True)
        yield pen.line(f"{key}0", box.x, self.zero, box.right, self.zero)

    def stems(self, key: str, channel: int, values: Array, chosen: NDArray[np.bool_], role: str,
              read: str = "") -> Mark:  # fmt: skip
        """The chosen values of one channel."""
        drawn = zip(self.places(channel), values.tolist(), chosen.tolist(), strict=False)  # fewer than there are tokens
        lines = [[(x, self.zero), (x, self.height(value))] for x, value, here in drawn if here]
        return self.pen.strokes(f"{self.key}{key}{channel}", lines, role, read=read)

    def levels(self, values: Array, least: float = 5.0) -> Mark:
        """A line for each value that can be kept, given ascending, as far as they are not too close to draw."""
        close = np.diff(values) * self.box.height / (2 * self.span) < least
        limit = np.abs([*values[:-1][close], *values[1:][close]]).max(initial=0.0)
        heights = map(self.height, values[np.abs(values) > limit].tolist())
        return self.pen.strokes(
            f"{self.key}g", [[(self.box.x, y), (self.box.right, y)] for y in heights], "axis soft thin"
        )

    def crush(self, half: float) -> Mark:
        """The limits of what becomes zero: half the smallest value that can be kept, if they can be seen."""
        seen = self.zero - self.height(half) > 2 and half < self.span
        ends = [self.height(half), self.height(-half)] if seen else []
        return self.pen.strokes(f"{self.key}c", [[(self.box.x, y), (self.box.right, y)] for y in ends],
                                "dropped thin dashed")  # fmt: skip

    def crushed(self, half: float, role: str) -> Mark:
        """A bracket beside the field, as tall as what becomes zero; a line where it is too little to be seen."""
        x = self.box.right
        top, bottom = self.height(half), self.height(-half)
        return self.pen.path(f"{self.key}k", [(x + 4, top), (x + 11, top), (x + 11, bottom), (x + 4, bottom)], role)
