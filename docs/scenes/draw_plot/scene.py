"""Axes, a curve, a point and a value to compare with."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from loom.draw import Axis, Box, Mark, Pen, Plot

from .._pieces import piece


def example(pen: Pen) -> Iterator[Mark]:
    time, tide = Axis("time", "h", (0, 24)), Axis("water", "m", (0, 5))
    plot = Plot(pen, Box(30, 30, pen.width - 40, 170), time, tide)
    hours = np.linspace(0, 24, 97)
    water = 2 + 1.5 * np.cos(2 * np.pi * (hours - 3) / 12.4)
    yield from plot.axes()
    yield plot.curve("tide", hours, water)
    yield from plot.hline("mean", 2, "mean level")
    yield from plot.point("high", 15.4, 3.5, label="high water")


SCENE = piece("How is a curve drawn?", "A plot has two axes; each knows its unit and chooses its own ticks.", example)
