"""The picture of a float: bits that can be flipped, three lines that zoom in, and at last every format."""

from __future__ import annotations

from collections.abc import Iterator

from loom.draw import Mark

from .bits import draw_bits, draw_formula
from .everywhere import draw_list
from .lines import draw_bar, draw_ruler
from .model import EVERYWHERE, State
from .nearby import draw_nearby
from .stage import stage


def draw(state: State, width: float) -> Iterator[Mark]:
    at = stage(width, state.spelled.negative)
    yield from draw_bits(at, state)
    yield from draw_formula(at, state)
    if state.step == EVERYWHERE:
        yield from draw_list(at, state)
        return
    yield from draw_ruler(at, state)
    yield from draw_bar(at, state)
    yield from draw_nearby(at, state)
