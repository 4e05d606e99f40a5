"""The picture: values of one format or two as lines on an axis, and under it their codes, gaps or a lens."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

from loom.draw import Mark, Pen

from .codes import draw_codes
from .lanes import draw_axis, draw_lane
from .model import State
from .plot import draw_plot
from .stage import Stage
from .zero import draw_zero


@lru_cache(maxsize=4096)
def draw(state: State, width: float) -> tuple[Mark, ...]:
    """All marks of one step."""
    return tuple(_marks(Stage(Pen(width), state)))


def _marks(stage: Stage) -> Iterator[Mark]:
    yield from draw_axis(stage)
    yield from draw_lane(stage, 0)
    if stage.state.both:
        yield from draw_lane(stage, 1)
    if stage.state.step == "values":
        yield from draw_codes(stage)
    elif stage.state.step == "zero":
        yield from draw_zero(stage)
    else:
        yield from draw_plot(stage)
