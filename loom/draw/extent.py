"""The bounds of marks: they give a stage its height, and keep drawings inside it."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from functools import lru_cache
from typing import Any

from loom.draw.box import Box
from loom.draw.marks import Mark
from loom.draw.text import text_width
from loom.expected import Mistaken

ASCENT, DESCENT = 0.7, 0.2  # of capitals and digits, and of letters that hang below the line, in ems
HANGING = frozenset("gjpqyQ,;()[]{}|/_")


def bounding_box(marks: Iterable[Mark], margin: float = 4) -> Box:
    """The box around marks, with a margin: for a plate behind words, or a frame around a group."""
    reaches = [bounds(mark) for mark in marks]
    if not reaches:
        raise Mistaken(("there are no marks to go around", "name one at least"))
    left, top = min(one[0] for one in reaches) - margin, min(one[1] for one in reaches) - margin
    right, low = max(one[2] for one in reaches) + margin, max(one[3] for one in reaches) + margin
    return Box(left, top, right - left, low - top)


def bounds(mark: Mark) -> tuple[float, float, float, float]:
    """The left, top, right and bottom of a mark."""
    shape: Mapping[str, Any] = mark.shape
    if mark.tag == "rect":
        x, y = shape["x"], shape["y"]
        return x, y, x + shape["width"], y + shape["height"]
    if mark.tag == "circle":
        x, y, radius = shape["cx"], shape["cy"], shape["r"]
        return x - radius, y - radius, x + radius, y + radius
    if mark.tag == "text":
        size, roles = shape["font-size"], mark.role.split()
        width = text_width(mark.text, size, "strong" in roles)
        start = -(width if "end" in roles else width / 2 if "middle" in roles else 0.0)
        box = start, -0.75 * size, start + width, 0.3 * size
        left, top, right, low = _turned(box, shape["rotate"]) if "rotate" in shape else box
        return shape["x"] + left, shape["y"] + top, shape["x"] + right, shape["y"] + low
    if mark.tag == "line":
        xs, ys = [shape["x1"], shape["x2"]], [shape["y1"], shape["y2"]]
    else:
        return _path_bounds(shape["d"])
    return min(xs), min(ys), max(xs), max(ys)


def letters(mark: Mark) -> tuple[float, float, float, float]:
    """The left, top, right and bottom of the letters of a text: less than those of its line."""
    left, top, right, low = bounds(mark)
    shape: Mapping[str, Any] = mark.shape
    if "rotate" in shape:
        return left, top, right, low
    size, baseline = shape["font-size"], shape["y"]
    return left, baseline - ASCENT * size, right, baseline + DESCENT * size * bool(HANGING & set(mark.text))


def _turned(box: tuple[float, float, float, float], degrees: float) -> tuple[float, float, float, float]:
    """The bounds of a box that is rotated about the origin, clockwise because y grows downwards."""
    cos, sin = math.cos(math.radians(degrees)), math.sin(math.radians(degrees))
    xs, ys = zip(*[(x * cos - y * sin, x * sin + y * cos) for x in box[::2] for y in box[1::2]], strict=True)
    return min(xs), min(ys), max(xs), max(ys)


@lru_cache(1 << 10)  # each mark needs it twice, and a path that is drawn in part needs it again
def _path_bounds(d: str) -> tuple[float, float, float, float]:
    """The bounds of a path of M, L and Z, the only commands that the pen writes."""
    numbers = [float(number) for number in d.replace("M", " ").replace("L", " ").replace("Z", " ").split()]
    xs, ys = numbers[::2] or [0.0], numbers[1::2] or [0.0]
    return min(xs), min(ys), max(xs), max(ys)
