"""The picture of pipelining: time in lanes, the period over the number of stages, and their shared memory."""

from __future__ import annotations

from collections.abc import Iterator

from loom.draw import Mark, Pen

from .moments import State
from .panels import draw_memory, draw_periods
from .stage import Stage
from .timeline import draw_timeline


def draw(state: State, width: float) -> Iterator[Mark]:
    stage = Stage(Pen(width), state.chosen.window)
    yield from draw_timeline(stage, state)
    yield from draw_periods(stage, state)
    yield from draw_memory(stage, state)
