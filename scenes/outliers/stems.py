"""A matrix as stems: a column of them for each channel, each as tall as its value."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

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

    @property
    def zero(self) -> float:
        return self.box.y + self.box.height / 2

    def height(self, value: float) -> float:
        """Where a value lies; beyond the ends it is held there."""
        share = min(1.0, max(-1.0, value / self.span))
        return round(self.zero - share * self.box.height / 2)

    def column(self, channel: int) -> float:
        """The middle of a channel's first stem."""
        return self.box.x + channel * self.box.width / SHOWN + self.pitch

    def frame(self, title: str, ends: str) -> Iterator[Mark]:
        """Title above, zero line, and the numbers at the ends of the scale."""
        pen, box, key = self.pen, self.box, self.key
        yield pen.text(f"{key}t", box.x, box.y - 0.7 * pen.size, title, "note")
        for place, y, words in (("h", box.y, ends), ("m", self.zero, "0"), ("n", box.bottom, f"−{ends}")):
            yield pen.text(f"{key}{place}", box.x - 6, y, words, "note", anchor="end", middle=True)
        yield pen.line(f"{key}0", box.x, self.zero, box.right, self.zero, "axis")

    def stems(self, key: str, values: Array, role: str, chosen: Array, *, flat: bool = False, least: float = 0) -> Mark:
        """The stems of the chosen values, shape (tokens, channels), but for those shorter than `least`.

        `flat` ones lie on the zero line as dashes.
        """
        lines = []
        for channel, token in np.argwhere(chosen.T):
            x = self.column(int(channel)) + int(token) * self.pitch
            if flat:
                lines.append([(x - 1, self.zero), (x + 1, self.zero)])
                continue
            y = self.height(float(values[token, channel]))
            if abs(y - self.zero) >= least:
                lines.append([(x, self.zero), (x, y)])
        return self.pen.strokes(f"{self.key}{key}", lines, role)

    def shaded(self, values: Array, least: float = 3.0) -> float:
        """The magnitude up to which the values, given ascending, are too close to draw; 0 if none are."""
        gaps = np.diff(values) * self.box.height / (2 * self.span)
        close = np.abs(np.concatenate((values[:-1][gaps < least], values[1:][gaps < least])))
        return float(close.max(initial=0.0))

    def levels(self, values: Array) -> Iterator[Mark]:
        """A line for each value that can be kept, given ascending; where they are too close to draw, a shade."""
        limit = self.shaded(values)
        top, bottom = self.height(limit), self.height(-limit)
        yield self.pen.rect(f"{self.key}d", Box(self.box.x, top, self.box.width, bottom - top), "cell soft", round=0)
        heights = [self.height(float(value)) for value in values[np.abs(values) > limit]]
        yield self.pen.strokes(f"{self.key}g", [[(self.box.x, y), (self.box.right, y)] for y in heights], "grid")
