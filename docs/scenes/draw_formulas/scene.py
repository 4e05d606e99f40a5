"""Formulas in labels, with letters raised and lowered."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from loom.draw import Axis, Box, Mark, Pen, Plot, bounding_box, formula

from .._pieces import piece


def example(pen: Pen) -> Iterator[Mark]:
    time, left = Axis("time", "s", (0, 5)), Axis("voltage", "V", (0, 12))
    plot = Plot(pen, Box(34, 30, pen.width - 44, 170), time, left)
    seconds = np.linspace(0, 5, 101)
    yield from plot.axes()
    yield plot.curve("left", seconds, 10 * np.exp(-seconds / 1.5))
    x, y = plot.at(1, 10 * np.exp(-1 / 1.5))
    yield from formula(pen, "law", x + 12, y - 8, r"V = V_0 e^{-t/\tau}", size=pen.large)
    label = [*formula(pen, "power", plot.box.right - 12, 60, r"P_{max} = \frac{V_0^2}{R}", anchor="end")]
    yield pen.rect("plate", bounding_box(label, 5), "cell")
    yield from label


SCENE = piece("How does a formula become a label?", "As texts side by side, some smaller and off the line.", example)
