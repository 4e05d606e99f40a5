"""Areas, error bars and many points."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from loom.draw import Axis, Box, Entry, Mark, Pen, Plot, legend

from .._pieces import piece


def example(pen: Pen) -> Iterator[Mark]:
    age, height = Axis("age", "years", (0, 18)), Axis("height", "cm", (40, 190))
    plot = Plot(pen, Box(34, 50, pen.width - 44, 190), age, height)
    years = np.linspace(0, 18, 37)
    mean = 50 + 125 * (1 - np.exp(-years / 9)) / (1 - np.exp(-2))
    noise = np.random.default_rng(7).normal(size=(2, 900))
    ages = np.clip(9 + 4.5 * noise[0], 0, 18)
    yield from plot.axes()
    yield plot.area("most", years, mean * 1.08, mean * 0.92, "data soft")
    yield plot.scatter("children", ages, np.interp(ages, years, mean) * (1 + 0.04 * noise[1]), "quiet")
    yield plot.curve("mean", years, mean, "data thick")
    yield plot.error_bars("measured", years[6::6], mean[6::6] * 0.96, mean[6::6] * 1.04, "work")
    entries = [Entry("mean", "data thick"), Entry("95 of 100", "data soft", "box"), Entry("a clinic", "work")]
    yield from legend(pen, "key", Box(34, 4, pen.width - 34, 20), entries)


SCENE = piece("How is spread shown?", "As an area, as error bars, or as many small points that are one mark.", example)
