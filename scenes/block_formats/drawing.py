"""The picture of one step: 32 numbers as columns, and under them what the step is about."""

from __future__ import annotations

from collections.abc import Iterator

from loom.draw import Mark, Pen

from .case import AMAX, CODES, ERROR, State
from .ladder import draw_ladder
from .panels import draw_rivals, draw_sizes, draw_sums
from .stage import Stage
from .strip import draw_strip


def draw(state: State, width: float) -> Iterator[Mark]:
    stage = Stage(Pen(width), state.case)
    yield from draw_ladder(stage, state)
    if state.step <= AMAX:
        yield from draw_sizes(stage, state)
    elif state.step < CODES:
        yield from draw_sums(stage, state)
    elif state.step < ERROR:
        yield from draw_strip(stage, state)
    else:
        yield from draw_rivals(stage, state.case)
