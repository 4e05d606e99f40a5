"""How far marks reach: what keeps drawings inside their stage, and gives a stage its height."""

from __future__ import annotations

from collections.abc import Iterable

from loom.draw.marks import Mark
from loom.draw.text import text_width


def extent(frame: Iterable[Mark]) -> float:
    """How far down a frame reaches, so that the stage of a scene has one height for all its states."""
    return max((bottom(mark) for mark in frame), default=0.0)


def sides(mark: Mark) -> tuple[float, float]:
    """The leftmost and the rightmost place of a mark."""
    shape = mark.shape
    if mark.tag == "rect":
        return float(shape["x"]), float(shape["x"]) + float(shape["width"])
    if mark.tag == "circle":
        return float(shape["cx"]) - float(shape["r"]), float(shape["cx"]) + float(shape["r"])
    if mark.tag == "text":
        width = text_width(mark.text, float(shape["font-size"]), "strong" in mark.role.split())
        roles = mark.role.split()
        back = width if "end" in roles else width / 2 if "middle" in roles else 0.0
        return float(shape["x"]) - back, float(shape["x"]) - back + width
    if mark.tag == "line":
        return min(float(shape["x1"]), float(shape["x2"])), max(float(shape["x1"]), float(shape["x2"]))
    numbers = _path_numbers(str(shape["d"]))[::2]
    return (min(numbers), max(numbers)) if numbers else (0.0, 0.0)


def bottom(mark: Mark) -> float:
    """The lowest place of a mark."""
    shape = mark.shape
    if mark.tag == "rect":
        return float(shape["y"]) + float(shape["height"])
    if mark.tag == "circle":
        return float(shape["cy"]) + float(shape["r"])
    if mark.tag == "text":
        return float(shape["y"]) + 0.3 * float(shape["font-size"])
    if mark.tag == "line":
        return max(float(shape["y1"]), float(shape["y2"]))
    return max(_path_numbers(str(shape["d"]))[1::2], default=0.0)


def _path_numbers(d: str) -> list[float]:
    """The coordinates of a path of M, L and Z, which is all that the pen draws."""
    return [float(number) for number in d.replace("M", " ").replace("L", " ").replace("Z", " ").split()]
