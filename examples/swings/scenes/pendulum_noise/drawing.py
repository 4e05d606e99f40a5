"""The picture of many readings: some as dots, all of them counted in cells, and their means with their errors."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from loom.draw import Axis, Box, Mark, Pen, Plot, bounding_box, colorbar, field, memoized, wrap
from loom.scene import Moment

from .model import SPAN, WIDEST, Readings, period

ANGLE = Axis("let go at", "degrees", (0, WIDEST), ticks=(0, 15, 30, 45, 60, 75, 90))
TIME = Axis("period", "s", SPAN)
ALL = np.linspace(0, WIDEST, 91)


def draw(moment: Moment, width: float) -> Iterator[Mark]:
    pen, readings = Pen(width), moment.result
    plot = Plot(pen, Box(34, 26, width - 42, pen.pick(166, 216)), ANGLE, TIME)
    yield from plot.axes(x_ticks=7)
    if moment.phase == "dots":
        yield from dots(plot, readings)
    elif moment.phase == "cells":
        yield from cells(plot, readings)
    else:
        yield from means(plot, readings)
    yield from words(pen, plot.box.bottom + 44, moment.phase, readings)


@memoized
def dots(plot: Plot, readings: Readings) -> Iterator[Mark]:
    """The first readings, one by one; those outside are left out and counted in words."""
    inside = replace(plot, y=replace(TIME, clip=True))
    some = slice(readings.shown)
    yield inside.scatter("readings", readings.angles[some], readings.times[some], "data", side=plot.pen.pick(2.5, 3))


def scale(readings: Readings) -> Axis:
    """What the shades of cells count."""
    return Axis("readings in a cell", span=(0, max(4, readings.counts.max())))


@memoized
def cells(plot: Plot, readings: Readings) -> Iterator[Mark]:
    """All readings, counted; a cell without any is left as it is."""
    counts = np.where(readings.counts > 0, readings.counts, np.nan)
    yield from field(plot, "cells", counts, scale(readings), levels=8, cells=True)


@memoized
def means(plot: Plot, readings: Readings) -> Iterator[Mark]:
    """The mean of each ten degrees, twice its error up and down, and what it should be."""
    groups, inside = readings.groups, replace(plot, y=replace(TIME, clip=True))
    middles = [group.middle for group in groups]
    small = float(period(np.array(0.0)))
    yield from plot.hline("small", small, "small swings", "ghost")
    yield inside.curve("exact", ALL, period(ALL), "work")
    yield inside.error_bars("errors", middles, [group.mean - 2 * group.error for group in groups],
                            [group.mean + 2 * group.error for group in groups], "hot", plot.pen.pick(4, 6))  # fmt: skip
    for at, group in enumerate(groups):
        told = f"{group.count} readings: {group.mean:.3f} s, give or take {1000 * group.error:.1f} ms"
        yield inside.pen.circle(f"mean-{at}", *inside.at(group.middle, group.mean), 3.5, "hot", read=told)
    x, y = plot.at(62, 2.32)
    yield plot.pen.text("exact-label", x, y, "a pendulum, exactly", "work", anchor="end")


def words(pen: Pen, y: float, phase: str, readings: Readings) -> Iterator[Mark]:
    """What is shown, of how many; and the number of the step."""
    if phase == "means":
        number, of = f"{1000 * readings.groups[-1].error:.2g} ms", "is how sure the last mean is: its standard error"
    elif phase == "cells":
        number, of = f"{readings.count:,}", "readings, each counted in one of 864 cells"
    else:
        number, of = f"{readings.shown}", f"of {readings.count:,} readings, drawn one by one"
    label = pen.text("number", 34, y + pen.huge - 8, number, "hot strong", size=pen.huge)
    yield label
    beside = bounding_box([label]).right + 6
    for at, line in enumerate(wrap(of, pen.size, pen.width - beside)):
        yield pen.text(f"of-{at}", beside, y + pen.huge - pen.pick(18, 8) + 15 * at, line, "note")
    if phase == "dots" and readings.outside:
        told = f"{readings.outside} of all lie outside"
        yield pen.text("outside", pen.width - 8, y - 56, told, "note halo", anchor="end")
    if phase == "cells":
        strip = Box(pen.pick(34, 560), y + pen.pick(54, 14), pen.pick(200, 240), 10)
        yield from colorbar(pen, "scale", strip, scale(readings), levels=8)
