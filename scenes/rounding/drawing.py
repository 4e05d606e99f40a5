"""The picture: one update under the lens, and what becomes of the value, update after update."""

from __future__ import annotations

from collections.abc import Iterator

from loom.draw import Mark, Pen

from .chart import Chart, draw_chart
from .lens import Lens, draw_lens
from .moments import State
from .stage import Stage


def draw(state: State, width: float) -> Iterator[Mark]:
    stage = Stage(Pen(width))
    yield from draw_lens(Lens(stage.pen, stage.lens, state))
    yield from draw_chart(Chart(stage.pen, stage.chart, state))
