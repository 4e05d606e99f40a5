"""One arrow, and many."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from loom.draw import Axis, Box, Mark, Pen, Plot, arrow, equal_aspect, quiver

from .._pieces import piece


def example(pen: Pen) -> Iterator[Mark]:
    x, y = Axis("x", "", (-2, 2)), Axis("y", "", (-1, 1))
    plot = Plot(pen, equal_aspect(Box(30, 26, pen.width - 40, pen.pick(150, 260)), x, y), x, y)
    across, up = (values.ravel() for values in np.meshgrid(np.linspace(-1.8, 1.8, 13), np.linspace(-0.9, 0.9, 7)))
    yield from plot.axes()
    yield quiver(plot, "flow", across, up, -up, across, maximum=2, reach=pen.pick(14, 34), role="work")
    yield arrow(pen, "turn", plot.at(1.2, -0.6), plot.at(1.6, 0.2), "hot")


SCENE = piece(
    "How is a flow drawn?", "As arrows whose length says how strong it is there; all of them are one mark.", example
)
