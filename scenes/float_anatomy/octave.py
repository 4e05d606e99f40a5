"""The last chapter: one stretch of the number line, from power of two to power of two, as each format has it."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from functools import cache, lru_cache
from typing import NamedTuple

from loom.draw import Box, Mark, Pen

from .._formats.floats import Float
from .fall import View
from .model import Spelled
from .stage import Stage
from .words import picked, power_of_two

FINEST = 4.0  # units between two values that can still be told apart
BEYOND = 10.0  # units by which what lies nearer to zero stands out of the stretch
LEAST = 2.0  # units that an error takes, or it could not be seen
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


class Stretch(NamedTuple):
    """Where a number and its nearest values stand, and the marks that are the same at every beat."""

    x: float
    nearest: list[float]
    below: list[Mark]  # what the number goes over
    above: list[Mark]


def draw_octave(at: Stage, one: Spelled, now: View) -> Iterator[Mark]:
    """Where each format has values, the number on its way through all of them, and how far off the nearest one is."""
    found = _stretch(at, one)
    yield from found.below
    yield from _outcomes(at, one, found, now)
    yield from _traveller(at, one, found.x, now)
    yield from found.above


@lru_cache(maxsize=2)  # all beats of a chapter, at either width
def _stretch(at: Stage, one: Spelled) -> Stretch:
    line, rows = at.octave, at.rows
    base = line.y - 5
    if not one.number or not math.isfinite(one.number):  # what lies on no stretch goes down all the same
        x = line.x + line.width / 2
        return Stretch(x, [x] * len(rows), [], [_number(at, one, x, base)])
    span = (line.x, line.right)[:: -1 if at.mirrored else 1]
    low = math.frexp(abs(one.number))[1] - 1
    kinds = tuple(near.fmt for near in one.everywhere)
    x = _x(span, abs(one.number) / 2.0**low - 1)
    nearest = [_x(span, abs(near.value or 0) / 2.0**low - 1) for near in one.everywhere]
    below = [*_zoom(at, low, span, base - at.pen.size), *draw_values(at.pen, kinds, low, rows, span)]
    above = [*draw_ends(at, one, low, span, x, base)]
    if not at.pen.narrow:
        above += draw_steps(at.pen, one, low, rows, line.right + 76)
    return Stretch(x, nearest, below, above)


def _x(span: Span, share: float) -> float:
    """The place of a share of the stretch; what lies before it stands a little outside."""
    if share < 0:
        return span[0] - math.copysign(BEYOND, span[1] - span[0])
    return span[0] + min(1.0, share) * (span[1] - span[0])


def _zoom(at: Stage, low: int, span: Span, foot: float) -> Iterator[Mark]:
    """From the stretch on the line of all powers of two to its enlargement, if it is there at all."""
    if 2.0**low <= at.fmt.largest:
        above = [at.at(at.share(2.0**power)) for power in (low, low + 1)]
        lines = [[(x, at.ruler.bottom + 2), (end, foot)] for x, end in sorted(zip(above, span, strict=True))]
        yield at.pen.strokes("zoom", lines, "ghost")


def _outcomes(at: Stage, one: Spelled, found: Stretch, now: View) -> Iterator[Mark]:
    """What each format makes of the number: a way to its nearest value, which grows, or a square on it."""
    x = found.x
    for place, (row, near, end) in enumerate(zip(at.rows, one.everywhere, found.nearest, strict=True)):
        name, y = near.fmt.name, row.y + row.height / 2
        if near.error and place < max(now.reached, now.place + 1):
            way = math.copysign(max(LEAST, abs(end - x)), end - x) if place < now.reached else 0.0
            yield at.pen.rect(f"off-{name}", Box(min(x, x + way), y - 1.5, abs(way), 3), "dropped", round=0)
        elif near.verdict == "exact" and place < now.reached:
            yield at.pen.rect(f"exact-{name}", Box(x - 3, y - 3, 6, 6), "kept", round=0)


def _traveller(at: Stage, one: Spelled, x: float, now: View) -> Iterator[Mark]:
    """The number, and how far down it has come. It is the value of the chapter before unless that was rounded."""
    top = at.octave.y
    bound = [top + 1, *(row.y + row.height / 2 for row in at.rows)]
    foot = bound[now.place + 1] if now.falls else bound[-1 if now.reached else 0]
    manner = " steady" if now.falls else ""
    yield at.pen.rect("way", Box(x - 0.75, top, 1.5, foot - top), f"hot soft{manner}", round=0)
    yield at.pen.circle("number" if one.rounds else "value", x, bound[now.place + 1], at.pen.pick(4, 5), f"hot{manner}")


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
    (tall, wide), ticks, bands, axes = pen.pick((4, 3), (5, 5)), [], [], []  # half of what a tick and a band take
    for fmt, row in zip(kinds, rows, strict=True):
        y, (many, reach) = row.y + row.height / 2, steps(fmt, low)
        axes.append([(span[0], y), (span[1], y)])
        if many and abs(span[1] - span[0]) / many < FINEST:
            left, right = sorted((span[0], _x(span, reach)))
            bands.append(Box(left, y - wide, right - left, 2 * wide).corners)
            continue
        places = [at / many for at in range(many + 1) if at / many <= reach] if many else []
        if not many and steps(fmt, low + 1)[0]:
            places = [1.0]  # of a step twice as long, the end
        ticks += [[(_x(span, place), y - tall), (_x(span, place), y + tall)] for place in places]
    return [pen.strokes("axes", axes, "grid"), pen.strokes("bands", bands, "series-1 soft solid"),
            pen.strokes("values", ticks, "series-1")]  # fmt: skip


def _number(at: Stage, one: Spelled, middle: float, base: float) -> Mark:
    """The number over its way: the words that stood by the value, unless that was rounded."""
    return at.pen.text(
        "number-head" if one.rounds else "here", middle, base, picked(one), "hot strong", anchor="middle"
    )


def draw_ends(at: Stage, one: Spelled, low: int, span: Span, x: float, base: float) -> Iterator[Mark]:
    """The number over its line, and the powers of two at the ends where there is room for them."""
    pen, words, sign = at.pen, picked(one), "−" * (one.number < 0)
    half = pen.text_width(words, strong=True) / 2
    middle = min(max(x, min(span) + half), max(span) - half)
    yield _number(at, one, middle, base)
    for key, end, edge in (("low", low, span[0]), ("high", low + 1, span[1])):
        label = sign + power_of_two(end)
        left = edge == min(span)
        if abs(middle - edge) > half + pen.text_width(label) + 8:
            yield pen.text(f"{key}-head", edge, base, label, "note", anchor="start" if left else "end")
