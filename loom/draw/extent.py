"""How far marks reach: what keeps drawings inside their stage, and gives a stage its height."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Mapping
from functools import lru_cache
from typing import Any

from loom.draw.marks import Mark
from loom.draw.text import text_width


def extent(frames: Iterable[Iterable[Mark]]) -> float:
    """How far down some frames reach, so that the stage of a scene has one height for all its states."""
    lowest, seen = 0.0, dict[str, Mark]()
    for mark in itertools.chain.from_iterable(frames):
        if seen.get(mark.key) != mark:  # most marks stay as they are from frame to frame
            seen[mark.key] = mark
            lowest = max(lowest, bounds(mark)[3])
    return lowest


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
        left = shape["x"] - (width if "end" in roles else width / 2 if "middle" in roles else 0.0)
        return left, shape["y"] - 0.75 * size, left + width, shape["y"] + 0.3 * size
    if mark.tag == "line":
        xs, ys = [shape["x1"], shape["x2"]], [shape["y1"], shape["y2"]]
    else:
        return _path_bounds(shape["d"])
    return min(xs), min(ys), max(xs), max(ys)


@lru_cache(1 << 10)  # asked for twice of each mark, and again where more of the same path is drawn
def _path_bounds(d: str) -> tuple[float, float, float, float]:
    """Those of a path of M, L and Z, which is all that the pen draws."""
    numbers = [float(number) for number in d.replace("M", " ").replace("L", " ").replace("Z", " ").split()]
    xs, ys = numbers[::2] or [0.0], numbers[1::2] or [0.0]
    return min(xs), min(ys), max(xs), max(ys)
