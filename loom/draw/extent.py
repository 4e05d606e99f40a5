"""How far marks reach: what keeps drawings inside their stage, and gives a stage its height."""

from __future__ import annotations

from collections.abc import Iterable

from loom.draw.marks import Mark
from loom.draw.text import text_width


def extent(frame: Iterable[Mark]) -> float:
    """How far down a frame reaches, so that the stage of a scene has one height for all its states."""
    return max((bounds(mark)[3] for mark in frame), default=0.0)


def bounds(mark: Mark) -> tuple[float, float, float, float]:
    """The left, top, right and bottom of a mark."""
    shape = {name: value for name, value in mark.shape.items() if not isinstance(value, str)}
    if mark.tag == "rect":
        x, y = shape["x"], shape["y"]
        return x, y, x + shape["width"], y + shape["height"]
    if mark.tag == "circle":
        x, y, radius = shape["cx"], shape["cy"], shape["r"]
        return x - radius, y - radius, x + radius, y + radius
    if mark.tag == "text":
        size, roles = shape["font-size"], mark.role.split()
        width = text_width(mark.text, size, "strong" in roles)
        left = shape["x"] - (width if "end" in roles else width / 2 if "middle" in roles else 0.0)
        return left, shape["y"] - 0.75 * size, left + width, shape["y"] + 0.3 * size
    if mark.tag == "line":
        xs, ys = [shape["x1"], shape["x2"]], [shape["y1"], shape["y2"]]
    else:
        numbers = _path_numbers(str(mark.shape["d"]))
        xs, ys = numbers[::2] or [0.0], numbers[1::2] or [0.0]
    return min(xs), min(ys), max(xs), max(ys)


def _path_numbers(d: str) -> list[float]:
    """The coordinates of a path of M, L and Z, which is all that the pen draws."""
    return [float(number) for number in d.replace("M", " ").replace("L", " ").replace("Z", " ").split()]
