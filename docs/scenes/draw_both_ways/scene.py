"""A field that goes both ways from a middle, with its colour scale."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from loom.draw import Axis, Box, Mark, Pen, Plot, colorbar, equal_aspect, field

from .._pieces import piece


def example(pen: Pen) -> Iterator[Mark]:
    x, y, away = Axis("east", "m", (-3, 3)), Axis("north", "m", (-2, 2)), Axis("water", "cm", (-2, 2), diverging=True)
    plot = Plot(pen, equal_aspect(Box(34, 30, pen.width - 44, pen.pick(200, 300)), x, y), x, y)
    across, up = np.meshgrid(x.samples(120), y.samples(80))
    left, right = np.hypot(across + 1, up), np.hypot(across - 1, up)
    yield from plot.axes()
    yield from field(plot, "waves", np.cos(4 * left) + np.cos(4 * right), away)
    yield from colorbar(pen, "scale", Box(34, plot.box.bottom + 70, 180, 10), away)


SCENE = piece(
    "How is a field drawn that goes both ways?",
    "In two colours that grow stronger from the middle, with signs where they are strong.",
    example,
)
