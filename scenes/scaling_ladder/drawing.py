"""The picture of one step: a strip of numbers under its windows, or the ladder."""

from __future__ import annotations

from collections.abc import Iterator

from loom.draw import Mark, Pen

from .band import draw_band
from .rungs import draw_ladder
from .stage import Stage
from .states import LADDER, State
from .strip import draw_strip


def draw(state: State, width: float) -> Iterator[Mark]:
    pen = Pen(width)
    if state.step == LADDER:
        yield from draw_ladder(pen, state)
        return
    stage = Stage(pen)
    yield from draw_band(stage, state)
    yield from draw_strip(stage, state)
