"""Directions: angles around a middle."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from loom.draw import Axis, Mark, Pen, Polar

from .._pieces import piece


def example(pen: Pen) -> Iterator[Mark]:
    polar = Polar(pen, (pen.width / 2, 150), 110, Axis("gain", "", (0, 1)))
    angles = np.linspace(0, 2 * np.pi, 181)
    yield from polar.axes()
    yield polar.area("front", angles, (1 + np.cos(angles)) / 2)
    yield polar.curve("sides", angles, np.abs(np.cos(angles)), "series-2", close=True)
    yield pen.text("front-name", *polar.at(-0.98, 0.68), "one side", "label halo", anchor="middle", middle=True)
    yield pen.text("sides-name", *polar.at(np.pi, 0.5), "both", "label halo", anchor="middle", middle=True)


SCENE = piece("How are directions drawn?", "Around a middle: angles against the clock, from the right.", example)
