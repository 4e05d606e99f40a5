"""The picture of one step: where in the tensor a strip lies or what the choice costs, and the strip; or the ladder."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from loom.draw import Box, Mark, Pen, count, fixed, trimmed
from loom.scene import Moment

from .ladder import draw_ladder
from .model import BLOCKS, CHANNELS, TOKENS
from .stored import COUNT, FIRST, OUTLIER, TOKEN, Stored
from .strip import Stage, draw_strip, stage


def draw(moment: Moment, width: float) -> Iterator[Mark]:
    if moment.phase == "ladder":
        yield from draw_ladder(Pen(width), moment.result)
        return
    at = stage(width)
    yield from (_costs if moment.since("rounded") else _map)(at, moment)
    yield from draw_strip(at, moment)


def _map(at: Stage, moment: Moment) -> Iterator[Mark]:
    """The tensor, small: a line for each outlier channel, the token drawn below, and one group that shares a scale."""
    stored, pen, strip = moment.result, at.pen, at.strip
    box = Box(strip.x, pen.size + 6, strip.width, 44)
    unit, row = box.width / CHANNELS, box.y + box.height * TOKEN / TOKENS
    yield pen.rect("map", box, round=1)
    outliers = np.flatnonzero(~stored.tensor.normal).tolist()
    if outliers:
        lines = [[(box.x + c * unit, box.y), (box.x + c * unit, box.bottom)] for c in outliers]
        yield pen.strokes("map-out", lines, "axis thin")
    yield pen.line("map-row", box.x, row, box.right, row, "data thin")
    left, right = box.x + (FIRST + at.first) * unit, box.x + (FIRST + COUNT) * unit
    yield pen.rect("map-part", Box(left, row - 3, right - left, 6), "data", round=0)
    rays = [[(left, box.bottom), (strip.x, strip.y - 2)], [(right, box.bottom), (strip.right, strip.y - 2)]]
    yield pen.strokes("zoom", rays, "axis thin")
    end = pen.pick(pen.width, box.right)
    yield pen.text("map-name", box.x, pen.size, f"{TOKENS} tokens × {CHANNELS:,} channels", "note")
    if moment.phase == "scales":
        words = count(TOKENS * CHANNELS // stored.scheme.sharing(), "scale")
        yield pen.rect("map-group", _group_box(box, stored.scheme.scale, row, unit), "hot outline", round=0)
        yield pen.text("map-scales", end, pen.size, words, "hot", anchor="end")
    elif outliers:
        yield pen.text("map-outliers", end, pen.size, f"{len(outliers)} outlier channels", "note", anchor="end")


def _group_box(box: Box, scale: str, row: float, unit: float) -> Box:
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


def _costs(at: Stage, moment: Moment) -> Iterator[Mark]:
    """Three figures: bits, zeros and decibels. The one that the step is about stands out."""
    stored: Stored = moment.result
    pen, found = at.pen, stored.errors
    roles = ("value", "value", "hot") if moment.phase == "error" else ("value", "dropped", "value")
    shown = (
        (bits_of(stored.scheme.bits()), "bits a number"),
        (f"{fixed(found.zeroed, 1)}%", "become zero"),
        (f"{fixed(found.normal, 1)} dB", "signal to noise"),
    )
    columns = Box(at.strip.x, 14, pen.width - at.strip.x, 60).columns(3, 8)
    for number, ((amount, name), role, column) in enumerate(zip(shown, roles, columns, strict=True)):
        yield pen.text(f"cost-{number}", column.x, column.y + 26, amount, f"{role} strong", size=pen.large)
        yield pen.text(f"cost-{number}-name", column.x, column.y + 28 + pen.size * 1.2, name, "note")


def bits_of(bits: float) -> str:
    """The price of a number: 8, 8.25, 8.0078."""
    return trimmed(fixed(bits, 4))
