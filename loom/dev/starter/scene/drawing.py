"""The picture of the running mean: a bar for each number that has come, and the mean as a line across them."""

from __future__ import annotations

from collections.abc import Iterator

from loom.draw import Bar, Box, Mark, Pen, vertical_bars
from loom.scene import Moment

from .model import NUMBERS


def draw(moment: Moment, width: float) -> Iterator[Mark]:
    pen, state = Pen(width), moment.result[moment.at]
    most, last = max(NUMBERS), len(state.numbers)
    box = Box(0, pen.size, width, pen.pick(150, 200))
    bars = [
        Bar(f"number-{place}", str(place), number, f"{number:g}", "hot" if place == last else "data")
        for place, number in enumerate((*state.numbers, *[0.0] * (len(NUMBERS) - last)), 1)
    ]
    yield from vertical_bars(pen, box, [bar if bar.value else bar._replace(shown="") for bar in bars], most)
    floor = box.bottom - pen.size - 5
    height = floor - (floor - box.y - pen.size - 4) * state.mean / most
    yield pen.line("mean", 0, height, width, height, "kept")
    foot = box.bottom + 1.8 * pen.size
    yield pen.text("mean-label", 0, foot, f"mean of {last}: {state.mean:g}", "value strong")
