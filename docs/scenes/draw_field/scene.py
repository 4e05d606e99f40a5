"""A field of values as a heat map, with contours and its colour scale."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from loom.draw import Axis, Box, Mark, Pen, Plot, colorbar, contours, equal_aspect, field

from .._pieces import piece


def example(pen: Pen) -> Iterator[Mark]:
    x, y, height = Axis("east", "km", (-3, 3)), Axis("north", "km", (-2, 2)), Axis("height", "m", (0, 900))
    plot = Plot(pen, equal_aspect(Box(34, 30, pen.width - 44, pen.pick(200, 300)), x, y), x, y)
    across, up = np.meshgrid(x.samples(90), y.samples(60))
    hills = 850 * np.exp(-((across + 1) ** 2 + up**2)) + 500 * np.exp(-((across - 1.5) ** 2 + (up - 0.5) ** 2) / 0.5)
    yield from plot.axes()
    yield from field(plot, "hills", hills, height, levels=10)
    yield from contours(plot, "line", hills, [200, 400, 600], labels=True)
    yield from colorbar(pen, "scale", Box(34, plot.box.bottom + 70, 180, 10), height, levels=10)


SCENE = piece(
    "How is a field drawn?", "In up to sixteen shades, one mark each; contours are lines of equal height.", example
)
