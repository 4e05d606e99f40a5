"""The picture: values of one format or two as lines on an axis, and under it their codes, gaps or a lens."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from loom.draw import Box, Mark
from loom.scene import Moment

from .lanes import Line, Stage, stage, upright
from .lens import draw_codes, draw_zero
from .plot import draw_plot


def draw(moment: Moment, width: float) -> Iterator[Mark]:
    """All marks of one step."""
    at, shown = stage(moment.result, width), 1 + moment.since("beside")
    axis = at.strips[shown - 1].bottom
    below = at.below(axis)
    if moment.phase not in ("values", "zero"):
        places = np.array([x for value, x, _ in at.ticks if value or not at.line.log])
        yield at.pen.strokes("guides", upright(places, below.y, below.bottom), "grid")
    yield from _axis(at, at.strips[:shown])
    for marks in at.lane_marks[:shown]:
        yield from marks
    if moment.phase == "values":
        yield from draw_codes(at, below)
    elif moment.phase == "zero":
        yield from draw_zero(at, below, axis)
    else:
        yield from draw_plot(at, moment, below)


def _axis(at: Stage, strips: list[Box]) -> Iterator[Mark]:
    """The floors of the lanes, and the numbers under the last one."""
    floors = [part for strip in strips for part in _floor(at.line, strip.bottom)]
    yield at.pen.strokes("axis", floors, "axis")
    for _, x, words in at.ticks:
        yield at.pen.text(f"x-{words}", x, strips[-1].bottom + at.pen.size + 5, words, "note", anchor="middle")


def _floor(line: Line, y: float) -> list[list[tuple[float, float]]]:
    """The axis; a log one has a break between 0 and its first power of two."""
    if not line.log:
        return [[(line.x, y), (line.right, y)]]
    cut = (line.place(0) + line.start) / 2
    slants = [[(cut + shift - 2, y + 4), (cut + shift + 2, y - 4)] for shift in (-2, 2)]
    return [[(line.x, y), (cut - 3, y)], *slants, [(cut + 3, y), (line.right, y)]]
