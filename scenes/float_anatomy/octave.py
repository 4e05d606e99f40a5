"""The last step: one stretch of the number line, from power of two to power of two, as each format has it."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from functools import cache

from loom.draw import Box, Mark, Pen

from .._formats.floats import Float
from .model import Spelled
from .stage import Stage
from .words import picked, power_of_two

FINEST = 4.0  # units between two values that can still be told apart
BEYOND = 10.0  # units by which what lies nearer to zero stands out of the stretch
Span = tuple[float, float]  # where a stretch begins and ends: mirrored for numbers below 0


def steps(fmt: Float, low: int) -> tuple[int, float]:
    """How many equal steps a format takes from 2^low up, none in which it has no value, and how far they lead.

    The stretch ends at 2^(low + 1), which is 1; the largest value may lie before that, and a subnormal's step be as
    long as all of it or longer.
    """
    size = 2.0 ** max(low - fmt.mantissa_bits, 1 - fmt.bias - fmt.mantissa_bits)
    reach = min(2.0, fmt.largest / 2.0**low) - 1
    many = math.floor(2.0**low / size)
    return (many, reach) if reach >= 0 else (0, 0.0)


def draw_octave(at: Stage, one: Spelled, rows: Sequence[Box], line: Box) -> Iterator[Mark]:
    """Where each format has values, the number across all of them, and how far off the nearest one is."""
    if not one.number or not math.isfinite(one.number):
        return
    low = math.frexp(abs(one.number))[1] - 1
    span = (line.x, line.right)[:: -1 if at.mirrored else 1]
    kinds = tuple(near.fmt for near in one.everywhere)
    yield from draw_values(at.pen, kinds, low, tuple(rows), span)
    x, foot = _x(span, abs(one.number) / 2.0**low - 1), rows[-1].bottom
    yield from draw_ends(at, one, low, span, x, line.y - 5)
    yield at.pen.line("number", x, line.y, x, foot, "hot thin")
    found = [(row.y + row.height / 2, near) for row, near in zip(rows, one.everywhere, strict=True)]
    from_where = [(_x(span, abs(near.value or 0) / 2.0**low - 1), y) for y, near in found if near.error]
    ways = [[place, (x, place[1])] for place in from_where]
    yield at.pen.strokes("errors", ways, "dropped thick")
    exact = [Box(x - 3, y - 3, 6, 6).corners for y, near in found if not near.error]
    yield at.pen.strokes("exact", exact, "kept solid")
    if not at.pen.narrow:
        yield from draw_steps(at.pen, one, low, rows, line.right + 72)


def _x(span: Span, share: float) -> float:
    """The place of a share of the stretch; what lies before it stands a little outside."""
    if share < 0:
        return span[0] - math.copysign(BEYOND, span[1] - span[0])
    return span[0] + min(1.0, share) * (span[1] - span[0])


def draw_steps(pen: Pen, one: Spelled, low: int, rows: Sequence[Box], right: float) -> Iterator[Mark]:
    """How many steps each format takes, many more than can be drawn."""
    yield pen.text("steps-head", right, rows[0].y - 5, "steps", "note", anchor="end")
    for row, near in zip(rows, one.everywhere, strict=True):
        many, reach = steps(near.fmt, low)
        foot = row.y + row.height / 2 + 0.35 * pen.size
        words = f"{math.floor(many * reach):,}" if many else "–"
        yield pen.text(f"{near.fmt.name}-steps", right, foot, words, "note", anchor="end")


@cache  # the same for all numbers of a stretch
def draw_values(pen: Pen, kinds: tuple[Float, ...], low: int, rows: tuple[Box, ...], span: Span) -> list[Mark]:
    """A tick for each value; a band where they stand too close."""
    ticks, bands, axes = [], [], []
    for fmt, row in zip(kinds, rows, strict=True):
        y, (many, reach) = row.y + row.height / 2, steps(fmt, low)
        axes.append([(span[0], y), (span[1], y)])
        if many and abs(span[1] - span[0]) / many < FINEST:
            left, right = sorted((span[0], _x(span, reach)))
            bands.append(Box(left, y - 5, right - left, 10).corners)
            continue
        places = [at / many for at in range(many + 1) if at / many <= reach] if many else []
        if not many and steps(fmt, low + 1)[0]:
            places = [1.0]  # of a step twice as long, the end
        ticks += [[(_x(span, place), y - 5), (_x(span, place), y + 5)] for place in places]
    return [pen.strokes("axes", axes, "grid"), pen.strokes("bands", bands, "series-1 soft solid"),
            pen.strokes("values", ticks, "series-1")]  # fmt: skip


def draw_ends(at: Stage, one: Spelled, low: int, span: Span, x: float, base: float) -> Iterator[Mark]:
    """The number over its line, and the powers of two at the ends where there is room for them."""
    pen, words, sign = at.pen, picked(one), "−" * (one.number < 0)
    half = pen.text_width(words, strong=True) / 2
    middle = min(max(x, min(span) + half), max(span) - half)
    yield pen.text("number-head", middle, base, words, "hot strong", anchor="middle")
    for key, end, edge in (("low", low, span[0]), ("high", low + 1, span[1])):
        label = sign + power_of_two(end)
        left = edge == min(span)
        if abs(middle - edge) > half + pen.text_width(label) + 8:
            yield pen.text(f"{key}-head", edge, base, label, "note", anchor="start" if left else "end")
