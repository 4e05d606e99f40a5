"""Axes and what stands on them: curves, points, steps and areas. Scale and unit are part of the axis."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise

from loom.draw.keeping import kept
from loom.draw.marks import Mark
from loom.draw.pen import Box, Pen
from loom.expected import Mistaken
from loom.quantity import plain
from loom.wording import trimmed

HAIR = 1e-9  # of a span: what the last digit of a float may add to a value


@dataclass(frozen=True)
class Axis:
    """One direction of a plot: what it measures, in which unit, over which span, on which scale.

    A value outside the span is refused, lest it be drawn where it is not. With `clip` it is held at the nearer end.
    """

    label: str
    unit: str = ""
    span: tuple[float, float] = (0.0, 1.0)
    log: bool = False
    ticks: tuple[float, ...] = ()  # chosen by the axis where empty
    clip: bool = False

    @property
    def title(self) -> str:
        return f"{self.label} [{self.unit}]" if self.unit else self.label

    def share(self, value: float) -> float:
        """Where `value` lies between the ends, 0 to 1."""
        low, high = self.span
        start, room = self._scale
        if not low <= value <= high:
            gap = HAIR * abs(high - low)
            if not self.clip and not low - gap <= value <= high + gap:
                message = f"{float(value):g} lies outside the axis '{self.label}', which goes from {low:g} to {high:g}"
                raise Mistaken((message, "widen its span, leave the point out, or hold it at the end with clip=True"))
            value = min(max(value, low), high)
        return ((math.log2(value) if self.log else value) - start) / room if room > 0 else 0.0

    @cached_property
    def _scale(self) -> tuple[float, float]:
        """Where the axis begins, and how far it goes, as its scale measures."""
        low, high = self._ends()
        return (math.log2(low), math.log2(high) - math.log2(low)) if self.log else (low, high - low)

    def _ends(self) -> tuple[float, float]:
        if self.log and min(self.span) <= 0:
            message = f"the axis '{self.label}' is logarithmic and goes from {self.span[0]:g} to {self.span[1]:g}"
            raise Mistaken((message, "begin it above 0"))
        return self.span

    def marks(self, wanted: int = 5) -> list[float]:
        """About `wanted` round numbers within the span."""
        if self.ticks:
            return [tick for tick in self.ticks if self.span[0] <= tick <= self.span[1]]
        low, high = self._ends()
        if self.log and high / low >= 4:  # within an octave or two, round numbers say more than powers
            base = 2.0 if high / low <= 2**10 else 10.0
            first, last = math.ceil(math.log(low, base) - 1e-9), math.floor(math.log(high, base) + 1e-9)
            stride = max(1, math.ceil((last - first) / wanted))
            return [base**power for power in range(first, last + 1, stride)]
        rough = (high - low) / max(1, wanted)
        scale = 10.0 ** math.floor(math.log10(rough)) if rough > 0 else 1.0
        gap = next(scale * factor for factor in (1, 2, 2.5, 5, 10) if scale * factor >= rough * 0.999)
        count = math.floor((high - low) / gap + 1e-9)
        start = math.ceil(low / gap - 1e-9) * gap
        return [value for value in (start + gap * index for index in range(count + 1)) if value <= high * (1 + 1e-9)]


@dataclass(frozen=True)
class Plot:
    """Two axes in a box. `key` keeps the marks of several plots apart."""

    pen: Pen
    box: Box
    x: Axis
    y: Axis
    key: str = "plot"

    def at(self, x: float, y: float) -> tuple[float, float]:
        """The place of a data point on the stage."""
        return (self.box.x + self.x.share(x) * self.box.width, self.box.bottom - self.y.share(y) * self.box.height)

    @kept
    def axes(self, x_ticks: int = 5, y_ticks: int = 4) -> Iterator[Mark]:
        """Both axes with ticks, units, and a quiet grid to read values from."""
        pen, box, key = self.pen, self.box, self.key
        size = pen.size
        for tick, words in _labelled(self.y.marks(y_ticks)):
            _, y = self.at(self.x.span[0], tick)
            yield pen.line(f"{key}-y-grid-{tick:.12g}", box.x, y, box.right, y, "grid")
            yield pen.text(f"{key}-y-tick-{tick:.12g}", box.x - 6, y, words, "note", anchor="end", middle=True)
        yield pen.line(f"{key}-x-axis", box.x, box.bottom, box.right, box.bottom, "axis")
        last = -math.inf
        for tick, words in _labelled(self.x.marks(x_ticks)):
            x, _ = self.at(tick, self.y.span[0])
            half = pen.room(words) / 2
            yield pen.line(f"{key}-x-tick-{tick:.12g}", x, box.bottom, x, box.bottom + 4, "axis")
            if x - half > last + 4:  # a label that would touch its neighbour stays away
                yield pen.text(f"{key}-x-label-{tick:.12g}", x, box.bottom + 5 + size, words, "note", anchor="middle")
                last = x + half
        yield pen.text(f"{key}-y-title", box.x, box.y - 0.75 * size, self.y.title, "note")
        yield pen.text(f"{key}-x-title", box.right, box.bottom + 9 + 2 * size, self.x.title, "note", anchor="end")

    def curve(self, key: str, xs: Sequence[float], ys: Sequence[float], role: str = "data",
              drawn: float = 1.0) -> Mark:  # fmt: skip
        """A line through the points. `drawn` is the share of the points that show, so that it grows along the data."""
        points = [self.at(float(x), float(y)) for x, y in zip(xs, ys, strict=True)]
        return self.pen.path(key, points, role, drawn=_length_share(points, drawn))

    def stairs(self, key: str, xs: Sequence[float], ys: Sequence[float], role: str = "data",
               drawn: float = 1.0) -> Mark:  # fmt: skip
        """A line that keeps each value until the next point."""
        places = [self.at(float(x), float(y)) for x, y in zip(xs, ys, strict=True)]
        points = places[:1]
        for here, there in pairwise(places):
            points += [(there[0], here[1]), there]
        return self.pen.path(key, points, role, drawn=_length_share(points, drawn))

    def band(self, key: str, y_low: float, y_high: float, role: str = "cell") -> Mark:
        """The strip between two values of the y axis."""
        top, bottom = self.at(self.x.span[0], y_high)[1], self.at(self.x.span[0], y_low)[1]
        return self.pen.rect(key, Box(self.box.x, top, self.box.width, bottom - top), role, round=0)

    def point(self, key: str, x: float, y: float, role: str = "hot", label: str = "",
              radius: float = 4.5) -> Iterator[Mark]:  # fmt: skip
        """A dot, with its label on the side where there is room."""
        place = self.at(x, y)
        yield self.pen.circle(key, *place, radius, role)
        if label:
            left = place[0] + radius + 5 + self.pen.room(label) > self.box.right
            shift = -(radius + 5) if left else radius + 5
            up = (
                place[1] - 0.9 * self.pen.size
                if place[1] - 2 * self.pen.size > self.box.y
                else place[1] + self.pen.size
            )
            yield self.pen.text(f"{key}-label", place[0] + shift, up, label, "label", anchor="end" if left else "start")

    def level(self, key: str, y: float, label: str, role: str = "ghost") -> Iterator[Mark]:
        """A value that the curve is compared with, as a line across."""
        _, height = self.at(self.x.span[0], y)
        yield self.pen.line(key, self.box.x, height, self.box.right, height, role)
        yield self.pen.text(f"{key}-label", self.box.right, height - 5, label, "note", anchor="end")


def _labelled(ticks: Sequence[float]) -> list[tuple[float, str]]:
    """Ticks with their numbers: as few digits as tell them apart, and no zeros that say nothing."""
    for digits in range(4, 16):
        labels = [trimmed(plain(tick, digits)) for tick in ticks]
        if len(set(labels)) == len(set(ticks)):
            break
    return list(zip(ticks, labels, strict=True)) if ticks else []


def _length_share(points: Iterable[tuple[float, float]], drawn: float) -> float:
    """The share of a polyline's length that its first `drawn` share of points takes."""
    places = list(points)
    if drawn >= 1 or len(places) < 2:
        return drawn
    lengths = [math.dist(here, there) for here, there in pairwise(places)]
    whole = sum(lengths)
    shown = drawn * len(lengths)
    done = sum(lengths[: int(shown)])
    if int(shown) < len(lengths):
        done += lengths[int(shown)] * (shown - int(shown))
    return done / whole if whole else 1.0
