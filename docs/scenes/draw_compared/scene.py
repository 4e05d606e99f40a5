"""Stairs, a band and a level: what a curve is compared with."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from loom.draw import Axis, Box, Mark, Pen, Plot

from .._pieces import piece


def example(pen: Pen) -> Iterator[Mark]:
    hour, warmth = Axis("time", "h", (0, 24), ticks=(0, 6, 12, 18, 24)), Axis("warmth", "°C", (14, 24))
    plot = Plot(pen, Box(34, 30, pen.width - 44, 170), hour, warmth)
    hours, room = np.linspace(0, 24, 97), [17.0]
    wanted = np.select([hours < 6, hours < 9, hours < 16, hours < 22], [17.0, 21.5, 18.0, 21.5], 17.0)
    for aim in wanted[1:]:
        room.append(room[-1] + (aim - room[-1]) / 6)
    yield plot.hspan("pleasant", 20, 23)
    yield from plot.axes()
    yield plot.stairs("wanted", hours, wanted, "axis dashed")
    yield plot.curve("room", hours, room, "work")
    yield from plot.hline("least", 15, "never below 15 °C")
    yield pen.text("pleasant-name", *plot.at(0.5, 22.2), "pleasant", "note")
    yield pen.text("wanted-name", *plot.at(16.2, 21.9), "as set", "label")
    yield pen.text("room-name", *plot.at(11.2, 19.1), "the room", "work")


SCENE = piece(
    "What is a curve compared with?",
    "With a band that is pleasant, a level that is the least, and the stairs of what the heating is set to.",
    example,
)
