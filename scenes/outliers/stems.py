"""A matrix as stems: a column of them for each channel, each as tall as its value."""

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
    """A scale from −span to span in a box, with a column for each drawn channel. `key` keeps two fields apart."""

    pen: Pen
    key: str
    box: Box
    span: float
    pitch: float  # from stem to stem

    @cached_property
    def zero(self) -> float:
        return self.box.y + self.box.height / 2

    def height(self, value: float) -> float:
        """Where a value lies; beyond the ends it is held there."""
        return round(self.zero - min(1.0, max(-1.0, value / self.span)) * self.box.height / 2)

    def column(self, channel: int) -> float:
        """The middle of a channel's first stem."""
        return self.box.x + channel * self.box.width / SHOWN + self.pitch

    def frame(self, title: str, ends: str) -> Iterator[Mark]:
        """Title above, zero line, and the numbers at the ends of the scale."""
        pen, box, key = self.pen, self.box, self.key
        yield pen.text(f"{key}t", box.x, box.y - 0.7 * pen.size, title, "note")
        for place, y, words in (("h", box.y, ends), ("m", self.zero, "0"), ("n", box.bottom, f"−{ends}")):
            yield pen.text(f"{key}{place}", box.x - 6, y, words, "note", anchor="end", middle=True)
        yield pen.line(f"{key}0", box.x, self.zero, box.right, self.zero)

    def stems(self, key: str, values: Array, role: str, chosen: NDArray[np.bool_], *, flat: bool = False,
              least: float = 0) -> Mark:  # fmt: skip
        """The stems of the chosen values, shape (tokens, channels), but for those shorter than `least`.

        `flat` ones lie on the zero line as dashes.
        """
        zero, lines = self.zero, []
        for channel, (column, wanted) in enumerate(zip(values.T.tolist(), chosen.T.tolist(), strict=True)):
            left = self.column(channel)
            places = [(left + token * self.pitch, column[token]) for token, here in enumerate(wanted) if here]
            if flat:
                lines += [[(x - 1, zero), (x + 1, zero)] for x, _ in places]
            else:
                tops = [(x, self.height(value)) for x, value in places]
                lines += [[(x, zero), (x, y)] for x, y in tops if abs(y - zero) >= least]
        return self.pen.strokes(f"{self.key}{key}", lines, role)

    def shaded(self, values: Array, least: float = 3.0) -> float:
        """The magnitude up to which the values, given ascending, are too close to draw; 0 if none are."""
        close = np.diff(values) * self.box.height / (2 * self.span) < least
        return float(np.abs([*values[:-1][close], *values[1:][close]]).max(initial=0.0))

    def levels(self, values: Array) -> Iterator[Mark]:
        """A line for each value that can be kept, given ascending; where they are too close to draw, a shade."""
        limit = self.shaded(values)
        top, bottom = self.height(limit), self.height(-limit)
        yield self.pen.rect(f"{self.key}d", Box(self.box.x, top, self.box.width, bottom - top), "cell soft", round=0)
        heights = map(self.height, values[np.abs(values) > limit].tolist())
        yield self.pen.strokes(f"{self.key}g", [[(self.box.x, y), (self.box.right, y)] for y in heights], "grid")
