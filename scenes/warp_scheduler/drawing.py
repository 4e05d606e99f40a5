"""The picture of one step: warps over time, the issue slots under them, and the curve of slots used."""

from __future__ import annotations

from collections.abc import Iterator

from loom.draw import Mark, Pen

from .curve import draw_curve
from .moments import State
from .rows import draw_lane, draw_rows
from .stage import Stage


def draw(state: State, width: float) -> Iterator[Mark]:
    stage = Stage(Pen(width))
    yield from draw_rows(stage, state)
    yield from draw_lane(stage, state)
    yield from draw_curve(stage, state)
