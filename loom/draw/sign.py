"""Plus and minus signs as strokes: in a diverging field they tell the sign where hue alone would."""

from __future__ import annotations

from loom.draw.marks import Point


def sign(place: Point, way: float, arm: float = 3) -> list[list[Point]]:
    """A plus or a minus in two strokes; at 0, two strokes of no length, so that the player can grow them in place."""
    (x, y), across, up = place, arm if way else 0.0, arm if way > 0 else 0.0
    return [[(x - across, y), (x + across, y)], [(x, y - up), (x, y + up)]]
