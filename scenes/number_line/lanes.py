"""The values of a format as lines on the axis; where lines would touch, one block stands for them all."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple

import numpy as np

from loom.draw import Box, Mark, count

from .model import Array, gap, number_format, values_from_zero, values_per_power
from .stage import Line, Stage, exponents
from .words import number

NEAREST = 1.9  # lines that stand closer are drawn as one block
POWERS = 3.0  # powers of two that stand closer get no tall lines
ROLES = ("series-1", "series-2")


class Lane(NamedTuple):
    """What is drawn of a format's values on an axis."""

    lines: Array  # shape (n,): places of values that are drawn one by one
    tall: Array  # shape (p,): places of powers of two
    block: tuple[float, float] | None  # from where to where values are drawn as one block
    blocked: int  # values in the block
    beyond: int  # values past the end of the axis


@lru_cache(maxsize=1024)
def laid_out(name: str, line: Line) -> Lane:
    """The values from 0 of a format on an axis.

    Powers of two are taken whole: all values from 2^k to 2^(k + 1) are lines, or all are in the block.
    """
    fmt, values = number_format(name), values_from_zero(name)
    shown = values[values <= line.high]
    powers = np.frexp(shown[1:])[1] - 1  # shape (shown − 1,): 0 has none
    bottoms = 2.0 ** np.unique(powers)
    closest = line.at(2 * bottoms) - line.at(2 * bottoms - gap(bottoms, name))  # the last two of each power of two
    crowded = np.log2(bottoms[closest < NEAREST])
    hidden = np.isin(powers, crowded)
    block = None
    if len(crowded):
        ends = 2.0 ** crowded.min(), min(2.0 ** (crowded.max() + 1), fmt.largest, line.high)
        block = line.place(ends[0]), line.place(ends[1])
    tall = line.at(2.0 ** exponents(fmt.smallest, min(fmt.largest, line.high)))
    tall = tall[tall - line.x >= POWERS] if not line.log else tall[: len(tall) * (line.power >= POWERS)]
    lines = line.at(np.concatenate([shown[:1], shown[1:][~hidden]]))
    return Lane(lines, tall, block, int(hidden.sum()), len(values) - len(shown))


def draw_lane(stage: Stage, index: int) -> Iterator[Mark]:
    """One format: its block, its lines, taller ones at powers of two, and what they are."""
    pen, line, key, role = stage.pen, stage.line, "ab"[index], ROLES[index]
    name = (stage.state.first, stage.state.second)[index]
    lane, box = laid_out(name, line), stage.lane(index)
    if lane.block:
        left, right = lane.block
        yield pen.rect(f"{key}-block", Box(left, box.y, right - left, box.height), f"{role} soft", round=0)
    yield pen.strokes(key, upright(lane.lines, box.y, box.bottom), "data thin")
    if len(lane.tall):
        yield pen.strokes(f"{key}-tall", upright(lane.tall, box.y - stage.rise, box.bottom), role)
    y = stage.heading(index)
    yield pen.text(f"{key}-name", 0, y, name, "label strong")
    yield pen.text(f"{key}-note", line.right, y, caption(stage, name, lane), "note", anchor="end")


def upright(places: Array, top: float, bottom: float) -> list[list[tuple[float, float]]]:
    """Lines from top to bottom, one at each place; places that would be drawn on one another only once."""
    return [[(x, top), (x, bottom)] for x in np.unique(np.round(places * 2) / 2).tolist()]


def caption(stage: Stage, name: str, lane: Lane) -> str:
    """What a lane's lines stand for, and what is not there."""
    values = values_from_zero(name)
    if stage.line.log:
        counts = [f"{number}" for number in values_per_power(name).values()]
        if number_format(name).integer:
            return f"{', '.join(counts[:3])}{f' … {counts[-1]}' * (len(counts) > 3)} values in a power of two"
        return f"up to {count(2 ** number_format(name).mantissa_bits, 'value')} in each power of two"
    last = number(values[-1])
    if lane.beyond:
        lie = "" if stage.pen.narrow else "values lie "
        return f"{lane.beyond:,} of {len(values):,} {lie}beyond, up to {last} →"
    return f"all {count(len(values), 'value')} from 0 to {last}"


def draw_axis(stage: Stage) -> Iterator[Mark]:
    """The floors of the lanes, the numbers under the last one, and faint lines to what is below."""
    pen, line, y = stage.pen, stage.line, stage.axis
    ticks = labelled(stage)
    if stage.plotted:
        places = line.at(np.array([value for value, _ in ticks if value or not line.log]))
        yield pen.strokes("guides", upright(places, stage.below.y, stage.below.bottom), "grid")
    floors = [stage.lane(index).bottom for index in range(1 + stage.state.both)]
    yield pen.strokes("axis", [part for floor in floors for part in floor_of(line, floor)], "axis")
    for value, words in ticks:
        yield pen.text(f"x-{words}", line.place(value), y + pen.size + 5, words, "note", anchor="middle")


def floor_of(line: Line, y: float) -> list[list[tuple[float, float]]]:
    """The axis; a log one has a break between 0 and its first power of two."""
    if not line.log:
        return [[(line.x, y), (line.right, y)]]
    cut = (line.place(0) + line.start) / 2
    slants = [[(cut + shift - 2, y + 4), (cut + shift + 2, y - 4)] for shift in (-2, 2)]
    return [[(line.x, y), (cut - 3, y)], *slants, [(cut + 3, y), (line.right, y)]]


def labelled(stage: Stage) -> list[tuple[float, str]]:
    """Powers of two with room for their numbers, from the right, and 0."""
    pen, line = stage.pen, stage.line
    bottom = line.low if line.log else line.high / 2**8
    found, free = [(0.0, "0")], np.inf
    powers = exponents(bottom, line.high)
    stride = 1
    if line.log:
        wanted = (pen.room([number(2.0**power) for power in powers.tolist()]) + 0.8 * pen.size) / line.power
        stride = next(step for step in (1, 2, 3, 4, 6, 8, 16, 32, 64) if step >= wanted)
        powers = powers[powers % stride == 0]
    for value in (2.0 ** powers[::-1]).tolist():
        words = number(value)
        half = pen.room(words) / 2
        if line.place(value) + half + 8 > free or line.place(value) - half - 8 < line.place(0) + 4:
            continue
        free = line.place(value) - half
        found.append((value, words))
    return found
