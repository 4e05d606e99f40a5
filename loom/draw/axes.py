"""Axes and what stands on them: curves, points, steps and areas. Scale and unit are part of the axis."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from loom.draw.axis import Axis, labelled
from loom.draw.box import Box
from loom.draw.clip import contains, cut_line, cut_shape
from loom.draw.extent import bounding_box
from loom.draw.finite import finite
from loom.draw.marks import Mark, Point
from loom.draw.pen import Pen
from loom.draw.piece_cache import memoized
from loom.expected import Mistaken


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
        box = self.box
        return (box.x + self.x.normalize(x) * box.width, box.bottom - self.y.normalize(y) * box.height)

    def places(self, xs: Sequence[float], ys: Sequence[float]) -> list[Point]:
        """The places of many data points at once. Where an axis clips, they may lie outside the box."""
        if len(xs) != len(ys):
            raise Mistaken((f"{len(xs)} values of x go with {len(ys)} of y", "give as many of each"))
        left, width, bottom, height, top = self.box.x, self.box.width, self.box.bottom, self.box.height, self.box.y
        places = zip(self.x.normalize_all(xs), self.y.normalize_all(ys), strict=True)
        # The maximum is placed exactly at the top: a rounding error above it would be clipped.
        return [(left + x * width, top if y == 1 else bottom - y * height) for x, y in places]

    @memoized
    def axes(
        self, x_ticks: int = 5, y_ticks: int = 4, x_grid: bool = False, knob: Point | None = None, drop: float = 0.0
    ) -> Iterator[Mark]:
        """Both axes with ticks, units, and a quiet grid to read values from; `x_grid` has lines for x as well.

        Under a `knob`, whose own control says where it stands, a number is left out, and the title of y goes aside.
        Words under the axis of x are lower by `drop`: clear of a knob that may stand anywhere on it.
        """
        marks = self._axes(x_ticks, y_ticks, x_grid, drop)
        yield from marks if knob is None else self._clear_of(marks, *knob)

    def _clear_of(self, marks: Iterable[Mark], x: float, y: float) -> Iterator[Mark]:
        """Axes of which no words lie under a knob or its rim."""
        reach = self.pen.knob_radius
        for mark in marks:
            (left, top, wide, tall), words = bounding_box([mark], margin=0), mark.tag == "text"
            if not words or max(abs(left + wide / 2 - x) - wide / 2, abs(top + tall / 2 - y) - tall / 2) >= reach:
                yield mark
            elif mark.key == f"{self.key}-y-title":
                yield mark._replace(shape={**mark.shape, "x": x + reach + 2})

    @memoized
    def _axes(self, x_ticks: int, y_ticks: int, x_grid: bool, drop: float) -> Iterator[Mark]:
        pen, box, key = self.pen, self.box, self.key
        size = pen.size
        for tick, words in labelled(self.y.tick_values(y_ticks)):
            _, y = self.at(self.x.span[0], tick)
            yield pen.line(f"{key}-y-grid-{tick:.12g}", box.x, y, box.right, y, "grid")
            yield pen.text(f"{key}-y-tick-{tick:.12g}", box.x - 6, y, words, "note", anchor="end", middle=True)
        yield pen.line(f"{key}-x-axis", box.x, box.bottom, box.right, box.bottom, "axis")
        ticks = [
            (self.at(tick, self.y.span[0])[0], tick, words) for tick, words in labelled(self.x.tick_values(x_ticks))
        ]
        yield from tick_row(pen, f"{key}-x", box, ticks, grid=x_grid, drop=drop)
        yield pen.text(f"{key}-y-title", box.x, box.y - 0.75 * size, self.y.title, "note")
        foot = box.bottom + 9 + 2 * size + drop
        yield pen.text(f"{key}-x-title", box.right, foot, self.x.title, "note", anchor="end")

    def curve(self, key: str, xs: Sequence[float], ys: Sequence[float], role: str = "data",
              drawn: float | None = None) -> Mark:  # fmt: skip
        """A line through the points. `drawn` is the share of the points that show, so that it grows along the data."""
        finite(f"the curve '{key}'", xs=xs, ys=ys)
        return self._line(key, self.places(xs, ys), role, drawn)

    def stairs(self, key: str, xs: Sequence[float], ys: Sequence[float], role: str = "data",
               drawn: float | None = None) -> Mark:  # fmt: skip
        """A line that keeps each value until the next point."""
        finite(f"the stairs '{key}'", xs=xs, ys=ys)
        places = self.places(xs, ys)
        points = places[:1]
        for here, there in pairwise(places):
            points += [(there[0], here[1]), there]
        return self._line(key, points, role, drawn)

    @property
    def _clips(self) -> bool:
        return self.x.clip or self.y.clip

    def _line(self, key: str, points: list[Point], role: str, drawn: float | None) -> Mark:
        begun = points if drawn is None else _begun(points, drawn)
        pieces, shown = [points], [begun]
        if self._clips:
            pieces = cut_line(points, self.box)
            shown = pieces if begun is points else cut_line(begun, self.box)
        if len(pieces) == 1:
            return self.pen.path(key, pieces[0], role, drawn=None if drawn is None else _share(shown, pieces))
        return self.pen.strokes(key, shown, role)  # not by a dash, which would start again in each piece

    def area(self, key: str, xs: Sequence[float], tops: Sequence[float], floors: Sequence[float] | None = None,
             role: str = "data soft") -> Mark:  # fmt: skip
        """The area between two curves, or under one; the floor is the least of the y axis unless it is given."""
        low = [self.y.span[0]] * len(xs) if floors is None else floors
        finite(f"the area '{key}'", xs=xs, tops=tops, floors=low)
        ring = [*self.places(xs, tops), *reversed(self.places(xs, low))]
        return self.pen.path(key, cut_shape(ring, self.box) if self._clips else ring, f"{role} solid", close=True)

    def error_bars(self, key: str, xs: Sequence[float], lows: Sequence[float], highs: Sequence[float],
                   role: str = "axis", cap: float = 3) -> Mark:  # fmt: skip
        """The uncertainty of each value: a line from low to high with caps, all of them as one mark."""
        finite(f"the error bars '{key}'", xs=xs, lows=lows, highs=highs)
        lines: list[list[Point]] = []
        for (x, low), (_, high) in zip(self.places(xs, lows), self.places(xs, highs), strict=True):
            lines += [[(x, low), (x, high)], [(x - cap, low), (x + cap, low)], [(x - cap, high), (x + cap, high)]]
        if self._clips:
            lines = [part for line in lines for part in cut_line(line, self.box)]
        return self.pen.strokes(key, lines, role)

    def scatter(self, key: str, xs: Sequence[float], ys: Sequence[float], role: str = "data",
                side: float = 2) -> Mark:  # fmt: skip
        """Many points as one mark: small squares. Where an axis clips, points outside the plot are left out."""
        finite(f"the scatter '{key}'", xs=xs, ys=ys)
        half, places = side / 2, self.places(xs, ys)
        boxes = [Box(x - half, y - half, side, side) for x, y in places if contains(self.box, x, y)]
        return self.pen.outline(key, (one.corners[:4] for one in boxes), f"{role} solid")

    def hspan(self, key: str, y_low: float, y_high: float, role: str = "cell") -> Mark:
        """The strip between two values of the y axis."""
        top, bottom = self.at(self.x.span[0], y_high)[1], self.at(self.x.span[0], y_low)[1]
        return self.pen.rect(key, Box(self.box.x, top, self.box.width, bottom - top), role, round=0)

    def point(self, key: str, x: float, y: float, role: str = "hot", label: str = "",
              radius: float = 4.5) -> Iterator[Mark]:  # fmt: skip
        """A dot, with its label on the side that has room for it."""
        place = self.at(x, y)
        yield self.pen.circle(key, *place, radius, role)
        if label:
            left = place[0] + radius + 5 + self.pen.text_width(label) > self.box.right
            shift = -(radius + 5) if left else radius + 5
            up = (
                place[1] - 0.9 * self.pen.size
                if place[1] - 2 * self.pen.size > self.box.y
                else place[1] + self.pen.size
            )
            yield self.pen.text(f"{key}-label", place[0] + shift, up, label, "label", anchor="end" if left else "start")

    def hline(self, key: str, y: float, label: str, role: str = "ghost") -> Iterator[Mark]:
        """A horizontal reference line with its label."""
        _, height = self.at(self.x.span[0], y)
        yield self.pen.line(key, self.box.x, height, self.box.right, height, role)
        yield self.pen.text(f"{key}-label", self.box.right, height - 5, label, "note", anchor="end")


def tick_row(pen: Pen, key: str, box: Box, ticks: Iterable[tuple[float, float, str]], *,
             grid: bool = False, drop: float = 0.0) -> Iterator[Mark]:  # fmt: skip
    """The ticks below a box, each at its x with its number and words: labels that would touch another are left out."""
    last, foot = -math.inf, box.bottom + 5 + pen.size + drop
    for x, tick, words in ticks:
        half = pen.text_width(words) / 2
        if grid:
            yield pen.line(f"{key}-grid-{tick:.12g}", x, box.y, x, box.bottom, "grid")
        yield pen.line(f"{key}-tick-{tick:.12g}", x, box.bottom, x, box.bottom + 4, "axis")
        if x - half > last + 4:
            yield pen.text(f"{key}-label-{tick:.12g}", x, foot, words, "note", anchor="middle")
            last = x + half


def _begun(points: list[Point], drawn: float) -> list[Point]:
    """The first `drawn` share of a line's points; the last stretch is cut in proportion."""
    if drawn >= 1 or len(points) < 2:
        return points
    shown = max(0.0, drawn) * (len(points) - 1)
    last = min(int(shown), len(points) - 2)
    (x, y), (right, low), part = points[last], points[last + 1], shown - last
    return [*points[: last + 1], (x + part * (right - x), y + part * (low - y))]


def _share(some: Sequence[Sequence[Point]], every: Sequence[Sequence[Point]]) -> float:
    """The length of some lines as a share of the length of all."""
    if some == every:
        return 1.0
    part, whole = (sum(math.dist(*ends) for line in lines for ends in pairwise(line)) for lines in (some, every))
    return part / whole if whole else 1.0
