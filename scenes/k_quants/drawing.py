"""The picture of one step: the weights with their sub-blocks, or at last their bytes."""

from __future__ import annotations

from collections.abc import Iterator

from loom.draw import Box, Mark, Pen

from .case import BYTES, State
from .layout import draw_layout, draw_weight
from .ledger import draw_ladder, draw_ledger
from .near import draw_near
from .overview import draw_overview
from .stage import Stage


def draw(state: State, width: float) -> Iterator[Mark]:
    stage = Stage(Pen(width), state)
    if state.step < BYTES:
        yield from draw_overview(stage, state)
        yield from draw_near(stage, state)
        yield from draw_ledger(stage, state)
        return
    yield from draw_weight(stage, state)
    yield from draw_layout(stage, state)
    box = Box(0, 246, 328, 192) if stage.pen.narrow else Box(0, 228, 840, 186)
    yield from draw_ladder(stage, state, box)
