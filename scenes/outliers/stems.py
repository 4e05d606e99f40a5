"""The values close to zero: a stem for each, in a column for each channel, and what rounding leaves of them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from loom.draw import Box, Mark, Pen

from .ladder import Ladder
from .model import SHOWN, Array


@dataclass(frozen=True)
class Field:
    """A scale from −span to span in a box; `tokens` are drawn of each channel."""

    pen: Pen
    box: Box
    span: float
    tokens: int

    @cached_property
    def zero(self) -> float:
        return self.box.y + self.box.height / 2

    @cached_property
    def unit(self) -> float:
        """How many units of the drawing a value of 1 takes."""
        return self.box.height / (2 * self.span)

    def height(self, value: float) -> float:
        """Where a value lies; beyond the ends it is held there."""
        return round(self.zero - min(self.span, max(-self.span, value)) * self.unit)

    def places(self, channel: int) -> list[float]:
        """Where the stems of a channel stand."""
        each = self.box.width / SHOWN
        apart = round(each / (self.tokens + 1.5))  # whole units, which are short to write
        return [round(self.box.x + channel * each + (token + 1) * apart) for token in range(self.tokens)]

    def frame(self) -> Iterator[Mark]:
        """The zero line, and the numbers at the ends of what is shown."""
        pen, box = self.pen, self.box
        for key, y, words in (("h", box.y, f"{self.span:g}"), ("n", box.bottom, f"−{self.span:g}")):
            yield pen.text(f"a{key}", box.x - 6, y, words, "note", anchor="end", middle=True)
        yield pen.text("am", box.x - 6, self.zero, "0", "note", anchor="end", middle=True)
        yield pen.line("a0", box.x, self.zero, box.right, self.zero)

    def stems(self, key: str, channel: int, values: Array, chosen: NDArray[np.bool_], role: str,
              read: str = "") -> Mark:  # fmt: skip
        """The values of one channel: those that are not chosen have no length, so that they can grow."""
        drawn = zip(self.places(channel), values.tolist(), chosen.tolist(), strict=False)  # fewer than there are tokens
        lines = [[(x, self.zero), (x, self.height(value if here else 0.0))] for x, value, here in drawn]
        return self.pen.strokes(f"{key}{channel}", lines, role, read=read)

    def levels(self, ladder: Ladder) -> Iterator[Mark]:
        """A line for each value that can be kept; where they are too close to be drawn, their colour."""
        left, right = self.box.x, self.box.right
        top = self.height(ladder.close)
        if ladder.close:
            wash = self.pen.rect("wash", Box(left, top, right - left, 2 * (self.zero - top)), "memory", round=0)
            yield wash._replace(shape={**wash.shape, "opacity": 0.2})  # so that the lines on it can be told apart
        ends = [(sign * value, right if 0 < value < self.span else left)  # out of the field, no length
                for sign in (1, -1) for value in ladder.lines.tolist()]  # fmt: skip
        lines = [[(left, self.height(value)), (end, self.height(value))] for value, end in ends]
        yield self.pen.strokes("levels", lines, "memory thin")

    def crush(self, half: float) -> Mark:
        """What becomes zero: all within half the smallest value that can be kept."""
        top = self.height(half)
        return self.pen.rect(
            "crush", Box(self.box.x, top, self.box.width, 2 * (self.zero - top)), "dropped soft", round=0
        )

    def crushed(self, half: float, role: str) -> Mark:
        """A bracket beside the field, as tall as what becomes zero; a line where it is too little to be seen."""
        x = self.box.right
        top, bottom = self.height(half), self.height(-half)
        return self.pen.path("ak", [(x + 4, top), (x + 11, top), (x + 11, bottom), (x + 4, bottom)], role)
