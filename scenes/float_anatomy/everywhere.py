"""The same number in every format: its bits, its nearest value, and how far that is off."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence

from loom.draw import Box, Mark

from .model import State
from .nearest import FORMATS, Nearest, everywhere
from .stage import FIELDS, Stage
from .words import digits, number, percent, raised

VERDICTS = {"exact": "exact", "overflow": "too large", "zero": "becomes 0", "none": "no such code"}
LEAST = -25  # power of two of an error whose bar has no length
BARS = (704.0, 834.0)  # where bars of errors begin, and where that of 1 ends
Line = list[tuple[float, float]]


def draw_list(at: Stage, state: State) -> Iterator[Mark]:
    """One row for each format. Bits stand up where they are 1; the mantissas of all formats begin at one place."""
    pen, one, box = at.pen, state.spelled, at.list
    found, rows = everywhere(one.number), box.rows(len(FORMATS))
    own = rows[FORMATS.index(one.fmt.name)]
    yield pen.rect("own", Box(0, own.y + 1, box.width, own.height - 2), "cell", round=3)
    yield from _codes(at, rows, found)
    for row, near in zip(rows, found, strict=True):
        name, foot = near.fmt.name, row.y + row.height / 2 + 0.35 * pen.size
        yield pen.text(f"{name}", 6, foot, name, "label strong" if row is own else "label")
        yield pen.text(f"{name}-is", _columns(at)[1], foot, held(near), "value", anchor="end")
        role = "dropped" if near.verdict in ("overflow", "zero", "none") else "value"
        yield pen.text(f"{name}-off", _columns(at)[2], foot, verdict(near), role, anchor="end")
    if not pen.narrow:
        yield pen.strokes("errors", error_bars(rows, found), "dropped thick")
    yield from _heads(at, box.y - 5)


def _heads(at: Stage, y: float) -> Iterator[Mark]:
    """What the columns are; the bars' scale is logarithmic, so its ends are named."""
    (middle, nearest, error), pitch = _columns(at), 4
    heads = [("range", middle - pitch, "range", "end"), ("precision", middle + pitch, "precision", "start"),
             ("nearest", nearest, "nearest", "end"), ("error", error, "error", "end")]  # fmt: skip
    if not at.pen.narrow:
        heads += [("least", BARS[0], f"2{raised(LEAST)}", "start"), ("most", BARS[1], "1", "end")]
    for key, x, words, anchor in heads:
        yield at.pen.text(f"{key}-head", x, y, words, "note", anchor=anchor)


def _columns(at: Stage) -> tuple[float, float, float]:
    """Where exponent and mantissa meet, and where values and errors end."""
    return (76, 248, 324) if at.pen.narrow else (190, 560, 690)


def held(near: Nearest) -> str:
    """The nearest value."""
    return "–" if near.value is None else number(near.value, digits(near.fmt.name))


def verdict(near: Nearest) -> str:
    """The error, or what went wrong."""
    return VERDICTS.get(near.verdict) or percent(near.error or 0.0)


def _codes(at: Stage, rows: Sequence[Box], found: Sequence[Nearest]) -> Iterator[Mark]:
    """The bits of all formats, a mark for each field."""
    pitch, middle = 3.0 if at.pen.narrow else 9.0, _columns(at)[0]
    fields: list[list[Line]] = [[], [], []]
    for row, near in zip(rows, found, strict=True):
        if near.code is None:
            continue
        floor, before = row.y + row.height / 2 + 6, 1 + near.fmt.exponent_bits
        for place, digit in enumerate(f"{near.code:0{near.fmt.bits}b}"):
            field = 0 if not place else 1 if place < before else 2
            x = middle + (place - before + 0.5) * pitch + (pitch / 2 if field == 2 else -pitch / 2)
            fields[field].append([(x, floor), (x, floor - (13 if digit == "1" else 3))])
    for (name, role), lines in zip(FIELDS, fields, strict=True):
        yield at.pen.strokes(f"{name}s", lines, role)


def error_bars(rows: Sequence[Box], found: Sequence[Nearest]) -> list[Line]:
    """A bar for each error, as long as its power of two is high: from 2⁻²⁵ to 1."""
    start, end = BARS
    bars = []
    for row, near in zip(rows, found, strict=True):
        if near.error:
            share = min(1.0, max(0.02, 1 - math.log2(near.error) / LEAST))
            y = row.y + row.height / 2
            bars.append([(start, y), (start + share * (end - start), y)])
    return bars
