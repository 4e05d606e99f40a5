"""The picture of one step: four resources of an SM as rows, and under them one block or the outcome."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

from loom.draw import Mark, Pen

from .block import draw_block
from .launch import ALONE, State
from .rows import draw_rows
from .stage import Stage
from .stairs import draw_stairs


def draw(state: State, width: float) -> Iterator[Mark]:
    stage = stage_of(width)
    yield from draw_rows(stage, state)
    if state.step <= ALONE:
        yield from draw_block(stage, state.launch)
    else:
        yield from draw_stairs(stage, state)


@lru_cache(maxsize=4)
def stage_of(width: float) -> Stage:
    return Stage(Pen(width))
