"""Running mean: the picture. A bar for each number that has come, and the mean as a line across them."""

from __future__ import annotations

from collections.abc import Iterator

from loom.draw import Box, Mark, Pen, headline
from loom.scene import Moment

from .model import LASTS, NUMBERS

TOP = max(LASTS)


def draw(moment: Moment, width: float) -> Iterator[Mark]:
    pen, state = Pen(width), moment.result[moment.at]
    box = Box(0, 16, width, pen.pick(150, 200))
    columns = box.columns(len(NUMBERS) + 1, gap=pen.pick(10, 20))
    scale = box.height / TOP
    for place, (column, number) in enumerate(zip(columns, state.numbers, strict=False), 1):
        bar = column.inset(top=box.height - number * scale)
        role = "hot" if place == len(state.numbers) else "data"
        yield pen.rect(f"number-{place}", bar, role, read=f"number {place} is {number:g}")
    yield pen.line("floor", 0, box.bottom, width, box.bottom)
    # The bar lands first, and the mean moves in the next beat.
    mean = state.mean if moment.progress == 1 else state.before
    height = box.bottom - mean * scale
    yield pen.line("mean", 0, height, width, height, "work")
    if len(state.numbers) == len(columns):
        rail = [(columns[-1].x + columns[-1].width / 2, box.bottom - number * scale) for number in LASTS]
        yield pen.knob("last", *rail[int(state.numbers[-1])], "last", rail)
    foot = box.bottom + 8 + pen.huge
    words = f"is the mean of {len(state.numbers)}"
    yield from headline(pen, 0, foot, f"{mean:g}", words, "work", widest=["8.8"], tone="note")
