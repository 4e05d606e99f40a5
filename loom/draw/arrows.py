"""Arrows: one that points, and many that show a direction and a strength at places of a plot."""

from __future__ import annotations

import math
from collections.abc import Sequence

from loom.draw.axes import Plot
from loom.draw.clip import contains
from loom.draw.finite import finite
from loom.draw.marks import Mark, Point
from loom.draw.pen import Pen
from loom.expected import Mistaken


def arrow(pen: Pen, key: str, start: tuple[float, float], end: tuple[float, float], role: str = "axis",
          head: float = 5) -> Mark:  # fmt: skip
    """A line with a small open head at its end."""
    return pen.path(key, _arrow(start, end, head), f"{role} outline")


def quiver(plot: Plot, key: str, xs: Sequence[float], ys: Sequence[float], u: Sequence[float],
           v: Sequence[float], *, maximum: float, reach: float, role: str = "data thin") -> Mark:  # fmt: skip
    """Arrows at places of a plot as one mark, each with its middle on its place.

    `u` and `v` are their components. An arrow of strength `maximum` is `reach` stage units long, the others in
    proportion; use the same `maximum` in all states, so that lengths can be compared. Arrows too short for a head are
    drawn as dots. Where an axis clips, arrows at places outside the plot are left out.
    """
    if len({len(xs), len(ys), len(u), len(v)}) > 1:
        counts = f"{len(xs)}, {len(ys)}, {len(u)} and {len(v)}"
        raise Mistaken((f"a quiver has {counts} numbers", "give a place and a direction for each arrow"))
    if not maximum > 0:
        raise Mistaken((f"the strongest arrow of a quiver is {maximum:g}", "say a strength above 0"))
    finite(f"the quiver '{key}'", xs=xs, ys=ys, u=u, v=v)
    lines, unit = [], reach / maximum
    for (x, y), right, rise in zip(plot.places(xs, ys), u, v, strict=True):
        if not contains(plot.box, x, y):
            continue
        half = float(right) * unit / 2, -float(rise) * unit / 2
        length = 2 * math.hypot(*half)
        start, end = (x - half[0], y - half[1]), (x + half[0], y + half[1])
        lines.append(_arrow(start, end, min(5.0, 0.4 * length)) if not length < 2 else [(x - 0.5, y), (x + 0.5, y)])
    return plot.pen.strokes(key, lines, role)


def _arrow(start: Point, end: Point, head: float) -> list[Point]:
    """A line to the end, and from there the two sides of the head."""
    angle = math.atan2(end[1] - start[1], end[0] - start[0])
    left = (end[0] - head * math.cos(angle - 0.5), end[1] - head * math.sin(angle - 0.5))
    right = (end[0] - head * math.cos(angle + 0.5), end[1] - head * math.sin(angle + 0.5))
    return [start, end, left, end, right]
