"""The picture of the roofline: a slope, a ceiling, and the kernels that touch them."""

from __future__ import annotations

from collections.abc import Iterator

from loom.draw import Mark, Pen

from .dots import draw_kernels
from .moments import CEILING, SLOPE, State
from .panel import draw_panel
from .roofs import draw_axes, draw_ghosts, draw_reading, draw_roof
from .stage import Stage


def draw(state: State, width: float) -> Iterator[Mark]:
    stage = Stage(Pen(width))
    yield from draw_axes(stage, state)
    if state.step >= CEILING:
        yield from draw_ghosts(stage, state)
    yield from draw_roof(stage, state)
    if state.step == SLOPE:
        yield from draw_reading(stage, state)
    yield from draw_kernels(stage, state)
    yield from draw_panel(stage, state)
