"""Where marks stand: their boxes, estimated as a reader sees them."""

from __future__ import annotations

import re

from loom.draw.extent import bottom, sides
from loom.draw.marks import Mark

ASCENT, DESCENT = 0.7, 0.2  # of capitals and digits, and of letters that hang below the line, in ems
HANGING = frozenset("gjpqyQ,;()[]{}|/_")
NUMBER = re.compile(r"-?[\d.]+")
Box = tuple[float, float, float, float]


def box(mark: Mark) -> Box:
    """The left, top, right and bottom of a mark."""
    left, right = sides(mark)
    if mark.tag != "text":
        return left, top(mark), right, bottom(mark)
    size, baseline = float(mark.shape["font-size"]), float(mark.shape["y"])
    return left, baseline - ASCENT * size, right, baseline + DESCENT * size * bool(HANGING & set(mark.text))


def top(mark: Mark) -> float:
    """The highest place of a mark that is not a text."""
    shape = mark.shape
    if mark.tag == "rect":
        return float(shape["y"])
    if mark.tag == "circle":
        return float(shape["cy"]) - float(shape["r"])
    if mark.tag == "line":
        return min(float(shape["y1"]), float(shape["y2"]))
    return min(map(float, NUMBER.findall(str(shape["d"]))[1::2]))


def overlap(a: Box, b: Box, slack: float = 1.0) -> bool:
    """Whether two boxes share more than a strip of `slack` units."""
    return all(min(a[at + 2], b[at + 2]) - max(a[at], b[at]) > slack for at in (0, 1))
