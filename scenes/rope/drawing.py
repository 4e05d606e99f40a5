"""The picture of rotary position embedding: two tokens on a strip, four dials, and a plot over tokens below."""

from __future__ import annotations

from collections.abc import Iterator

from loom.draw import Box, Mark, Pen

from .choices import draw_choices
from .dials import draw_dials
from .scores import draw_scores
from .story import State
from .strip import draw_strip
from .waves import draw_waves


def draw(state: State, width: float) -> Iterator[Mark]:
    pen = Pen(width)
    last = state.name == "extended"
    if pen.narrow:
        yield from draw_strip(pen, Box(4, 2, width - 8, 44), state)
        yield from draw_dials(pen, Box(0, 54, width, 140), state)
        plot = Box(30, 228, width - 38, 136 if last else 188)
        table = Box(0, 412, width, 50)
    else:
        yield from draw_strip(pen, Box(6, 4, width - 12, 50), state)
        yield from draw_dials(pen, Box(0, 74, width, 104), state)
        plot = Box(36, 214, width - 52, 172)
        table = Box(532, 214 + 172 - 121, 292, 112)
    yield from (draw_waves if state.on_waves else draw_scores)(pen, plot, state)
    if last:
        yield from draw_choices(pen, table, state)
