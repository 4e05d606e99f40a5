"""The picture of a float: bits that can be flipped, three lines that zoom in, and at last every format."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache

from loom.draw import Box, Mark, Pen
from loom.scene import Moment

from .._formats.floats import Float
from .bits import draw_bits, draw_formula
from .lines import draw_bar, draw_nearby, draw_ruler
from .model import Spelled
from .nearest import FORMATS, Nearest
from .octave import draw_octave
from .stage import FIELDS, Stage, stage
from .words import digits, number, percent

BITS = 742.0  # where exponents end and mantissas begin
VERDICTS = {"exact": "exact", "overflow": "too large", "zero": "becomes 0", "none": "no such code"}


def draw(moment: Moment, width: float) -> Iterator[Mark]:
    one: Spelled = moment.result
    at = stage(one.fmt.name, width, one.negative)
    yield from draw_bits(at, one)
    yield from draw_formula(at, moment)
    if moment.phase == "everywhere":
        yield from _list(at, one)
        return
    for part in (draw_ruler, draw_bar, draw_nearby):
        yield from part(at, moment)


def _list(at: Stage, one: Spelled) -> Iterator[Mark]:
    """One row for each format: its values about the number, the nearest of them, and, if there is room, its bits."""
    pen, box = at.pen, Box(0, *at.pen.pick((122, 328, 216), (112, 840, 196)))
    rows = box.rows(len(FORMATS))
    values, errors = pen.pick((253, 324), (600, 690))  # where columns end
    own = rows[FORMATS.index(one.fmt.name)]
    yield pen.rect("own", own.inset(top=1, bottom=1), "cell", round=3)
    yield from draw_octave(at, one, rows, Box(*pen.pick((58, box.y, 94, 0), (84, box.y, 312, 0))))
    for row, near in zip(rows, one.everywhere, strict=True):
        name, foot = near.fmt.name, row.y + row.height / 2 + 0.35 * pen.size
        yield pen.text(name, 6, foot, name, "label strong" if row is own else "label")
        yield pen.text(f"{name}-is", values, foot, held(near), "value", anchor="end")
        role = "dropped" if near.verdict in ("overflow", "zero", "none") else "value"
        words = VERDICTS.get(near.verdict) or percent(near.error or 0.0)
        yield pen.text(f"{name}-off", errors, foot, words, role, anchor="end")
    heads = [("nearest", values, "nearest", "end"), ("error", errors, "error", "end")]
    if not pen.narrow:
        yield from _codes(at, rows, one.everywhere, BITS)
        x = 762.0
        legend = [[(x, box.y - 4), (x, box.y - 14)], [(x + 18, box.y - 4), (x + 18, box.y - 7)]]
        yield pen.strokes("legend", legend, "series-1")
        heads += [
            ("bits", 710, "bits:", "start"),
            ("legend-1", x + 4, "1", "start"),
            ("legend-0", x + 22, "0", "start"),
        ]
    for key, x, words, anchor in heads:
        yield pen.text(f"{key}-head", x, box.y - 5, words, "note", anchor=anchor)


def held(near: Nearest) -> str:
    """The nearest value."""
    return "–" if near.value is None else number(near.value, digits(near.fmt.name))


def _codes(at: Stage, rows: Sequence[Box], found: Sequence[Nearest], middle: float) -> Iterator[Mark]:
    """The bits of all formats, a mark for each field."""
    paths = ["", "", ""]
    for row, near in zip(rows, found, strict=True):
        if near.code is not None:
            strokes = _bit_strokes(at.pen, near.fmt, row, middle)
            for (field, *either), digit in zip(strokes, f"{near.code:0{near.fmt.bits}b}", strict=True):
                paths[field] += either[digit == "1"]
    for (name, role), path in zip(FIELDS, paths, strict=True):
        yield at.pen.strokes(f"{name}s", [], role)._replace(shape={"d": path or "M0 0"})


@cache  # only their lengths depend on the code
def _bit_strokes(pen: Pen, fmt: Float, row: Box, middle: float) -> list[tuple[int, str, str]]:
    """The field of each bit, and its stroke if it is 0, and if it is 1."""
    pitch, floor, before = 3.7, row.y + row.height / 2 + 6, 1 + fmt.exponent_bits
    found = []
    for place in range(fmt.bits):
        field = 0 if not place else 1 if place < before else 2
        x = middle + (place - before + (1 if field == 2 else 0)) * pitch
        zero, one = (str(pen.strokes("", [[(x, floor), (x, floor - tall)]]).shape["d"]) for tall in (3, 13))
        found.append((field, zero, one))
    return found
