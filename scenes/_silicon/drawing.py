"""Measured points over a model's line: a ring for the median, and a stroke from the least to the greatest."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from loom.draw import Box, Mark, Pen, Plot


class Dot(NamedTuple):
    """A measured point in the units of a plot's axes, and what it says; `name` may stand beside it."""

    x: float
    y: float
    least: float
    greatest: float
    told: str
    name: str = ""


def rings(
    pen: Pen, plot: Plot, key: str, dots: Iterable[Dot], radius: float = 3, square: bool = False
) -> Iterator[Mark]:
    """What was measured, in the plot, each ring with its number; a spread that its ring would hide is left out.

    Where rings of two lines stand close together, those of one are square.
    """
    dots = tuple(dots)
    if not dots:
        return
    ends = [[plot.at(dot.x, y) for y in (dot.least, dot.y, dot.greatest)] for dot in dots]
    spreads = [(low, high) for low, middle, high in ends if max(low[1] - middle[1], middle[1] - high[1]) > radius]
    if spreads:
        yield pen.strokes(f"{key}-spread", spreads, "axis measured")
    for at, dot in enumerate(dots):
        x, y = plot.at(dot.x, dot.y)
        if square:
            box = Box(x - radius, y - radius, 2 * radius, 2 * radius)
            yield pen.rect(f"{key}-{at}", box, "axis measured", round=0, read=dot.told)
        else:
            yield pen.circle(f"{key}-{at}", x, y, radius, "axis measured", read=dot.told)
