"""A plus or a minus, drawn: in a field that goes both ways, hue alone must not tell which."""

from __future__ import annotations

from loom.draw.marks import Point


def sign(place: Point, way: float, arm: float = 3) -> list[list[Point]]:
    """A plus or a minus in two strokes, or at 0 none: strokes of no length, which grow in their place."""
    (x, y), across, up = place, arm if way else 0.0, arm if way > 0 else 0.0
    return [[(x - across, y), (x + across, y)], [(x, y - up), (x, y + up)]]
