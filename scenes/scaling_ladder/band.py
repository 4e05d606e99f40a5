"""The band over the strip: where in the tensor it lies, or what the choice costs."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from loom.draw import Box, Mark

from .model import BLOCKS, CHANNELS, TOKENS, shared_tensor
from .narration import bits_of, fixed
from .stage import Stage
from .states import COUNT, ERROR, FIRST, OUTLIER, SCALED, TOKEN, State


def draw_band(stage: Stage, state: State) -> Iterator[Mark]:
    if state.step <= SCALED:
        yield from draw_map(stage, state)
    else:
        yield from draw_costs(stage, state)


def draw_map(stage: Stage, state: State) -> Iterator[Mark]:
    """The tensor, small: a line for each outlier channel, the token drawn below, and one group that shares a scale."""
    pen, strip = stage.pen, stage.strip
    box = Box(strip.x, pen.size + 6, strip.width, 44)
    unit, row = box.width / CHANNELS, box.y + box.height * TOKEN / TOKENS
    yield pen.rect("map", box, "cell", round=1)
    normal = shared_tensor(state.data)[1]
    lines = [[(box.x + c * unit, box.y), (box.x + c * unit, box.bottom)] for c in np.flatnonzero(~normal)]
    if lines:
        yield pen.strokes("map-out", lines, "axis thin")
    yield pen.line("map-row", box.x, row, box.right, row, "data thin")
    left, right = box.x + (FIRST + stage.first) * unit, box.x + (FIRST + COUNT) * unit
    yield pen.rect("map-part", Box(left, row - 3, right - left, 6), "data", round=0)
    rays = [[(left, box.bottom), (strip.x, strip.y - 2)], [(right, box.bottom), (strip.right, strip.y - 2)]]
    yield pen.strokes("zoom", rays, "axis thin")
    end = pen.width if pen.narrow else box.right
    yield pen.text("map-name", box.x, pen.size, f"{TOKENS} tokens × {CHANNELS:,} channels", "note")
    if state.step == SCALED:
        yield pen.rect("map-group", group_box(box, state.scheme.scale, row, unit), "hot outline", round=0)
        yield pen.text("map-scales", end, pen.size, scales_in_words(state), "hot", anchor="end")
    elif not normal.all():
        yield pen.text("map-outliers", end, pen.size, f"{np.sum(~normal)} outlier channels", "note", anchor="end")


def group_box(box: Box, scale: str, row: float, unit: float) -> Box:
    """The place in the map of numbers that share a scale."""
    if scale == "tensor":
        return box
    if scale == "token":
        return Box(box.x, row - 2, box.width, 4)
    if scale == "channel":
        return Box(box.x + (FIRST + OUTLIER) * unit - 2, box.y, 4, box.height)
    width = BLOCKS[scale]
    start = FIRST + OUTLIER // width * width
    return Box(box.x + start * unit, row - 2, max(width * unit, 2.0), 4)


def scales_in_words(state: State) -> str:
    """How many scales the tensor takes."""
    number = TOKENS * CHANNELS // state.scheme.sharing()
    return "1 scale" if number == 1 else f"{number:,} scales"


def draw_costs(stage: Stage, state: State) -> Iterator[Mark]:
    """Three figures: bits, zeros and decibels. The one that the step is about stands out."""
    pen, strip, found = stage.pen, stage.strip, state.errors
    now = 2 if state.step == ERROR else 1
    shown = (
        (f"{bits_of(state.scheme.bits())}", "bits a number"),
        (f"{fixed(found.zeroed)}%", "become zero"),
        (f"{fixed(found.normal)} dB", "signal to noise"),
    )
    columns = Box(strip.x, 14, stage.pen.width - strip.x, 60).columns(3, 8)
    for number, ((amount, name), column) in enumerate(zip(shown, columns, strict=True)):
        role = ("dropped" if number == 1 else "hot") if number == now else "value"
        yield pen.text(f"cost-{number}", column.x, column.y + 26, amount, f"{role} strong", size=pen.large)
        yield pen.text(f"cost-{number}-name", column.x, column.y + 28 + pen.size * 1.2, name, "note")
