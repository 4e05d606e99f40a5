"""Lines that grow along their data or along their length, and a hatching that grows line by line."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from loom.draw import Axis, Box, Mark, Pen, Plot, hatching

from .._pieces import piece


def example(pen: Pen, share: float) -> Iterator[Mark]:
    time, height = Axis("time", "s", (0, 4)), Axis("height", "cm", (0, 100), ticks=(0, 100))
    boxes = Box(34, 30, pen.width - 44, 180).rows(2, gap=60)
    upper, lower = (Plot(pen, box, time, height, key) for box, key in zip(boxes, ("points", "length"), strict=True))
    seconds = np.linspace(0, 4, 81)
    hops = np.where(seconds < 2, 100 * np.sin(2 * np.pi * seconds) ** 2, 0)
    for plot in (upper, lower):
        yield from plot.axes()
        yield plot.curve(f"{plot.key}-whole", seconds, hops, "ghost")
        yield pen.text(f"{plot.key}-of", plot.box.right, plot.box.y + 16, f"by its {plot.key}", "label", anchor="end")
    yield upper.curve("curve", seconds, hops, "work", drawn=share)
    yield pen.path("path", lower.places(seconds, hops), "series-2", drawn=share)
    clock = Box(34, 268, pen.width - 44, 14)
    yield pen.rect("clock", clock)
    for at in range(round(24 * share)):  # what is there stays: each part is a mark of its own
        start, end = clock.x + at / 24 * clock.width, clock.x + (at + 1) / 24 * clock.width
        yield pen.strokes(f"gone-{at}", hatching(clock, start, end))


SCENE = piece(
    "How does a line grow?",
    "A curve by its points, so that it keeps time; a path by its length, and slowly where it is steep.",
    example,
    grows=(0.5, 3),
)
