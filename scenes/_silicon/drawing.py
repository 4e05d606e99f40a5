"""Measured points over a model's line: a ring for the median, and a stroke from the least to the greatest."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from loom.draw import Mark, Pen, Plot


class Dot(NamedTuple):
    """A measured point in the units of a plot's axes, and what it says."""

    x: float
    y: float
    least: float
    greatest: float
    told: str


def rings(pen: Pen, plot: Plot, key: str, dots: Iterable[Dot], radius: float = 3) -> Iterator[Mark]:
    """What was measured, in the plot, each ring with its number."""
    dots = tuple(dots)
    if not dots:
        return
    spreads = [(plot.at(dot.x, dot.least), plot.at(dot.x, dot.greatest)) for dot in dots]
    yield pen.strokes(f"{key}-spread", spreads, "axis measured")
    for at, dot in enumerate(dots):
        yield pen.circle(f"{key}-{at}", *plot.at(dot.x, dot.y), radius, "axis measured", read=dot.told)
