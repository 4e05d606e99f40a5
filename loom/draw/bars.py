"""Bars: length is quantity. Each bar carries its name and its number; there is no legend."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from loom.draw.box import Box
from loom.draw.marks import Mark
from loom.draw.pen import Pen


class Bar(NamedTuple):
    """One bar. `ghost` is a value to compare with, drawn as an outline behind it."""

    key: str
    name: str
    value: float
    shown: str = ""
    role: str = "data"
    ghost: float | None = None


def horizontal_bars(pen: Pen, box: Box, bars: Sequence[Bar], maximum: float, *, names: float = 0) -> Iterator[Mark]:
    """Bars from left to right, one a row, names before them, numbers after their ends.

    `maximum` is the value that would fill the box; `names` the width kept for the names (0: measured).
    """
    names = names or pen.text_width([bar.name for bar in bars]) + 8
    after = pen.text_width([bar.shown for bar in bars]) + 8
    start, full = box.x + names, box.width - names - after
    for bar, row in zip(bars, box.rows(len(bars), gap=4 if pen.narrow else 6), strict=True):
        middle = row.y + row.height / 2
        length, ghost = (full * value / maximum if maximum else 0.0 for value in (bar.value, bar.ghost or 0.0))
        length = max(length, 1.0)
        yield pen.text(f"{bar.key}-name", box.x, middle, bar.name, "label", middle=True)
        if bar.ghost is not None:
            yield pen.rect(f"{bar.key}-ghost", Box(start, row.y, ghost, row.height), "ghost outline")
        yield pen.rect(f"{bar.key}-bar", Box(start, row.y, length, row.height), bar.role)
        if bar.shown:
            x = start + _clear(length, ghost, pen.text_width(bar.shown) + 8) + 6
            yield pen.text(f"{bar.key}-value", x, middle, bar.shown, "value", middle=True)


def vertical_bars(pen: Pen, box: Box, bars: Sequence[Bar], maximum: float, *, gap: float = 4) -> Iterator[Mark]:
    """Bars from the floor up, names under the floor, numbers on their tops."""
    floor = box.bottom - pen.size - 5
    full = floor - box.y - pen.size - 4
    yield pen.line(f"{bars[0].key if bars else 'bars'}-floor", box.x, floor, box.right, floor, "axis")
    for bar, column in zip(bars, box.columns(len(bars), gap), strict=True):
        height, ghost = (full * value / maximum if maximum else 0.0 for value in (bar.value, bar.ghost or 0.0))
        middle = column.x + column.width / 2
        if bar.ghost is not None:
            yield pen.rect(f"{bar.key}-ghost", Box(column.x, floor - ghost, column.width, ghost), "ghost outline")
        yield pen.rect(f"{bar.key}-bar", Box(column.x, floor - height, column.width, height), bar.role)
        yield pen.text(f"{bar.key}-name", middle, box.bottom, bar.name, "note", anchor="middle")
        if bar.shown:
            y = floor - _clear(height, ghost, pen.size + 4) - 4
            yield pen.text(f"{bar.key}-value", middle, y, bar.shown, "value", anchor="middle")


def _clear(end: float, ghost: float, room: float) -> float:
    """Where a bar's number begins: at the bar's end, or at its ghost's if that would cross the number."""
    return ghost if end < ghost < end + room else end
