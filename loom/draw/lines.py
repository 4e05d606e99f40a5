"""Polylines and hatchings as SVG path data, and signs as strokes.

Paths are cached: most lines of a frame stand in the frame before, too.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache
from itertools import islice

from loom.draw.box import Box
from loom.draw.finite import finite_points
from loom.draw.marks import Point, place, spelled
from loom.expected import Mistaken

NOWHERE = "M0 0"  # a path that shows nothing
SHORT = 64  # points of a line that is cached, at most
MOST = 200_000  # points of a mark; an author's iterator may never end


def points_of(piece: str, lines: Iterable[Iterable[Point]]) -> list[list[Point]]:
    """The points of each line of a mark; reading stops as soon as there are too many."""
    found, left = [], MOST
    for line in lines:
        found.append([*line] if type(line) in (list, tuple) else [*islice(line, left + 1)])
        left -= len(found[-1]) or 1
        if left < 0:
            raise Mistaken((f"{piece} has more than {MOST:,} points", "draw as many as can be told apart"))
    return found


def polylines(key: str, lines: list[list[Point]], name: str) -> str:
    """Lines one after the other, as a path."""
    try:
        return "".join([polyline(line) for line in lines])
    except (ValueError, OverflowError):
        finite_points(f"the path '{key}'", lines, name)
        raise


def polyline(points: Iterable[tuple[float, float]]) -> str:
    """A line through some points, as a path; without points, a valid path that shows nothing."""
    line = tuple(points)
    try:
        return _short_line(line) if len(line) <= SHORT else _line(line)
    except TypeError:  # points given as lists can't be hashed for the cache
        return _line(line)


def _line(points: Sequence[tuple[float, float]]) -> str:
    return f"M{places}" if (places := "L".join([place(x, y) for x, y in points])) else NOWHERE


_short_line = lru_cache(1 << 12)(_line)  # nine of ten lines recur in another frame


@lru_cache(1 << 12)  # a hatched box stays the same for many steps
def hatch_lines(box: Box, gap: float) -> str:
    """The slanted lines across one box."""
    parts, gap = [], max(gap, 0.5)  # finer lines would merge into a plane, and be very many
    x, _, width, height = box
    start, end, bottom = x - height, box.right, box.bottom
    for index in range(1, int((width + height) / gap) + 1):
        foot = start + index * gap
        left, right = max(foot, x), min(foot + height, end)
        if right - left > 0.5:
            low, high = spelled(bottom - (left - foot)), spelled(bottom - (right - foot))
            parts.append(f"M{spelled(left)} {low}L{spelled(right)} {high}")
    return "".join(parts)


def sign(place: Point, way: float, arm: float = 3) -> list[list[Point]]:
    """A plus or a minus in two strokes, for a diverging field, in which hue alone would tell the sign.

    At 0 the strokes have no length, so that the player can grow them in place.
    """
    (x, y), across, up = place, arm if way else 0.0, arm if way > 0 else 0.0
    return [[(x - across, y), (x + across, y)], [(x, y - up), (x, y + up)]]
