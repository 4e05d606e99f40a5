"""What both scenes of RoPE draw and say of a pair's dial."""

from __future__ import annotations

import math

from loom.draw import significant

Point = tuple[float, float]

SLOW = 48  # the slow pair that has a dial


def on_dial(centre: Point, angle: float, radius: float) -> Point:
    """A place on a dial: angles run clockwise from the top, as on a clock."""
    return centre[0] + radius * math.sin(angle), centre[1] - radius * math.cos(angle)


def degrees(angle: float) -> str:
    """An angle in degrees, with three digits."""
    return f"{significant(math.degrees(angle), 3)}°"
