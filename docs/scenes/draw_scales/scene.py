"""A logarithmic axis, upright grid lines, and curves that end at the frame."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from loom.draw import Axis, Box, Mark, Pen, Plot

from .._pieces import piece


def example(pen: Pen) -> Iterator[Mark]:
    frequency = Axis("frequency", "Hz", (10, 10_000), log=True, decades=True)
    gain = Axis("gain", "", (0.01, 10), log=True, decades=True, clip=True)
    plot = Plot(pen, Box(44, 30, pen.width - 68, 190), frequency, gain)
    tones = np.array(frequency.samples(200))
    yield from plot.axes(x_grid=True)
    for at, quality in enumerate((0.5, 2, 30), 1):
        ratio = tones / 440
        yield plot.curve(f"quality-{at}", tones, 1 / np.hypot(1 - ratio**2, ratio / quality), f"series-{at}")


SCENE = piece(
    "How does an axis scale?", "Logarithmically, if it is told to; with clip=True curves end at the frame.", example
)
