"""A knob, a button and a number that a mark says: what can be touched in a picture."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from loom.draw import Axis, Box, Mark, Pen, Plot, number
from loom.scene import Range

from .._pieces import piece


def example(pen: Pen, hour: int) -> Iterator[Mark]:
    time, tide = Axis("time", "h", (0, 24), ticks=(0, 6, 12, 18, 24)), Axis("water", "m", (0, 5))
    plot = Plot(pen, Box(30, 62, pen.width - 50, 150), time, tide)
    hours = np.arange(25)
    water = 2 + 1.5 * np.cos(2 * np.pi * (hours - 3) / 12.4)
    yield from plot.axes()
    yield plot.curve("tide", hours, water)
    yield pen.text("now", plot.box.right, 36, f"{number(water[hour], 2)} m", "value hot", anchor="end", size=pen.huge)
    for low in (9, 22):
        x, y = plot.at(low, water[low])
        yield pen.circle(f"low-{low}", x, y, 6, "data", read=f"low water at {low} h: {number(water[low], 2)} m")
    for high in (3, 15):
        x, y = plot.at(high, 4.4)
        yield pen.rect(f"go-{high}", Box(x - 24, y - 14, 48, 28), "cell", set={"hour": high}, label=f"go to {high} h")
        yield pen.text(f"go-{high}-words", x, y, f"{high} h", "value", anchor="middle", middle=True)
    yield pen.knob("here", *plot.at(hour, water[hour]), "hour", plot.places(hours, water))


SCENE = piece(
    "What can be touched in a picture?",
    "A knob is dragged along its rail, a button sets the hour, and a dot says its number.",
    example,
    (Range("hour", "Hour", tuple(range(25)), default=6, unit="h"),),
    "Look at the water at {hour}.",
)
