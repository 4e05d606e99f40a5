"""A place for a name that nothing else takes."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Mapping
from typing import Any

from loom.draw.box import Box
from loom.draw.clip import cut_line
from loom.draw.extent import bounds, letters
from loom.draw.marks import Mark, Point
from loom.draw.pen import HALO
from loom.expected import Mistaken

NUMBER = re.compile(r"-?[\d.]+")


def first_clear(places: Iterable[Mark], of: Iterable[Mark], gap: float = 2) -> Mark:
    """The first place for a mark that is clear of other marks, or the first of all if none is.

    Parameters
    ----------
    places : iterable of Mark
        The same mark at several places, the best one first. A text counts as large as its letters.
    of : iterable of Mark
        What it keeps off: knobs with their rings, circles, the lines of paths, letters, and boxes.
    gap : float
        How far it keeps off.
    """
    found, taken = list(places), list(of)
    if not found:
        raise Mistaken(("there are no places to choose from", "give the mark at one at least"))
    return next((mark for mark in found if not any(_touch(mark, one, gap) for one in taken)), found[0])


def _touch(mark: Mark, other: Mark, gap: float) -> bool:
    """Whether a mark is nearer to another one than `gap`."""
    left, top, right, low = _extent(mark)
    shape: Mapping[str, Any] = other.shape
    if other.tag == "circle":
        away = max(left - shape["cx"], 0, shape["cx"] - right), max(top - shape["cy"], 0, shape["cy"] - low)
        return bool(math.hypot(*away) < shape["r"] + HALO * bool(other.handle) + gap)
    room = Box(left - gap, top - gap, right - left + 2 * gap, low - top + 2 * gap)
    if other.tag in ("line", "path"):
        return any(cut_line(line, room) for line in _lines(other))
    x1, y1, x2, y2 = _extent(other)
    return x1 < room.right and room.x < x2 and y1 < room.bottom and room.y < y2


def _extent(mark: Mark) -> tuple[float, float, float, float]:
    return letters(mark) if mark.tag == "text" else bounds(mark)


def _lines(mark: Mark) -> list[list[Point]]:
    """The lines that a mark draws, each as its points."""
    shape: Mapping[str, Any] = mark.shape
    if mark.tag == "line":
        return [[(shape["x1"], shape["y1"]), (shape["x2"], shape["y2"])]]
    lines = []
    for part in shape["d"].split("M")[1:]:
        numbers = [float(number) for number in NUMBER.findall(part)]
        points = list(zip(numbers[::2], numbers[1::2], strict=True))
        lines.append([*points, points[0]] if part.endswith("Z") else points)
    return lines
