"""A polar plot: a direction and a distance from the middle."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from loom.draw.axis import Axis, labelled
from loom.draw.finite import finite
from loom.draw.marks import Mark, Point
from loom.draw.pen import Pen
from loom.draw.piece_cache import memoized
from loom.expected import Mistaken


@dataclass(frozen=True)
class Polar:
    """Angles in radians, counterclockwise from the right, and distances from a middle, along the axis `r`."""

    pen: Pen
    middle: Point
    radius: float
    r: Axis
    key: str = "polar"

    def at(self, angle: float, r: float) -> Point:
        """The place of a data point on the stage."""
        away = self.r.normalize(r) * self.radius
        return (self.middle[0] + away * math.cos(angle), self.middle[1] - away * math.sin(angle))

    @memoized
    def axes(self, rings: int = 3, spokes: int = 12) -> Iterator[Mark]:
        """Rings with their numbers, spokes with their angles in degrees, and the axis title."""
        pen, key, (x, y) = self.pen, self.key, self.middle
        least, most = self.r.span
        for at in range(spokes):
            angle = 2 * math.pi * at / spokes
            yield pen.line(f"{key}-spoke-{at}", x, y, *self.at(angle, most), "grid")
            across, up = math.cos(angle), math.sin(angle)
            side = "middle" if abs(across) < 0.3 else "start" if across > 0 else "end"
            place = x + (self.radius + 6) * across, y - (self.radius + 4 + 0.5 * pen.size) * up
            yield pen.text(f"{key}-angle-{at}", *place, f"{360 * at / spokes:g}°", "note", anchor=side, middle=True)
        for tick, words in labelled(self.r.tick_values(rings)):
            away = self.r.normalize(tick) * self.radius
            if away > 0:
                yield pen.circle(f"{key}-ring-{tick:.12g}", x, y, away, "grid outline")
                if tick < most:
                    yield pen.text(f"{key}-tick-{tick:.12g}", x + 3, y - away - 3, words, "note")
        if least > 0:
            yield pen.circle(f"{key}-least", x, y, 1.5, "quiet")
        title = y + self.radius + 2.6 * pen.size + 6
        yield pen.text(f"{key}-title", x, title, self.r.title, "note", anchor="middle")

    def curve(self, key: str, angles: Sequence[float], rs: Sequence[float], role: str = "data", *,
              close: bool = False) -> Mark:  # fmt: skip
        """A line through the points; `close` leads back to the first."""
        finite(f"the curve '{key}'", angles=angles, rs=rs)
        return self.pen.path(key, self._places(angles, rs), role, close=close)

    def area(self, key: str, angles: Sequence[float], rs: Sequence[float], role: str = "data soft") -> Mark:
        """The area that a line round the middle encloses."""
        finite(f"the area '{key}'", angles=angles, rs=rs)
        return self.pen.path(key, self._places(angles, rs), f"{role} solid", close=True)

    def _places(self, angles: Sequence[float], rs: Sequence[float]) -> list[Point]:
        if len(angles) != len(rs):
            raise Mistaken((f"{len(angles)} angles go with {len(rs)} distances", "give as many of each"))
        return [self.at(float(angle), float(r)) for angle, r in zip(angles, rs, strict=True)]
