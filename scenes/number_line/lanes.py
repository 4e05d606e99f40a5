"""The values of formats as lines on one axis; where lines would touch, one block stands for them all."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from loom.draw import Box, Mark, Pen, count

from .model import Array, Format, Pair
from .words import number

NEAREST = 1.9  # lines that stand closer are drawn as one block
POWERS = 3.0  # powers of two that stand closer get no tall lines
ROLES = ("series-1", "series-2")


@dataclass(frozen=True)
class Line:
    """The axis: from `low` (of a log axis, above zero) to `high`, drawn from x to x + width."""

    log: bool
    low: float
    high: float
    x: float
    width: float
    slot: float = 0.0  # the room that a log axis keeps for 0

    @property
    def right(self) -> float:
        return self.x + self.width

    @property
    def start(self) -> float:
        """Where `low` stands."""
        return self.x + self.slot

    @cached_property
    def power(self) -> float:
        """The width of a power of two on a log axis."""
        return (self.width - self.slot) / math.log2(self.high / self.low)

    def at(self, values: Array) -> Array:
        """Places of values from 0 to `high` on the stage; of their shape."""
        if not self.log:
            return self.x + self.width * values / self.high
        share = np.log2(np.where(values > 0, values, self.low) / self.low) / math.log2(self.high / self.low)
        return np.where(values > 0, self.start + share * (self.right - self.start), self.x + 6)

    def place(self, value: float) -> float:
        """The place of one value."""
        if not self.log:
            return self.x + self.width * value / self.high
        return self.start + math.log2(value / self.low) * self.power if value > 0 else self.x + 6


class Lane(NamedTuple):
    """What is drawn of a format's values on an axis."""

    lines: Array  # shape (n,): places of values that are drawn one by one
    tall: Array  # shape (p,): places of powers of two
    block: tuple[float, float] | None  # from where to where values are drawn as one block
    blocked: int  # values in the block
    beyond: int  # values past the end of the axis


def laid_out(fmt: Format, line: Line) -> Lane:
    """The values from 0 of a format on an axis.

    Powers of two are taken whole: all values from 2^k to 2^(k + 1) are lines, or all are in the block.
    """
    shown = fmt.from_zero[fmt.from_zero <= line.high]
    powers = np.frexp(shown[1:])[1] - 1  # shape (shown − 1,): 0 has none
    bottoms = 2.0 ** np.arange(powers[0], powers[-1] + 1)
    closest = line.at(2 * bottoms) - line.at(2 * bottoms - fmt.gap(bottoms))  # the last two of each power of two
    crowded = np.log2(bottoms[closest < NEAREST])
    hidden = np.isin(powers, crowded)
    block = None
    if len(crowded):
        ends = 2.0 ** crowded.min(), min(2.0 ** (crowded.max() + 1), fmt.largest, line.high)
        block = line.place(ends[0]), line.place(ends[1])
    tall = line.at(2.0 ** exponents(fmt.smallest, min(fmt.largest, line.high)))
    tall = tall[tall - line.x >= POWERS] if not line.log else tall[: len(tall) * (line.power >= POWERS)]
    lines = line.at(np.concatenate([shown[:1], shown[1:][~hidden]]))
    return Lane(lines, tall, block, int(hidden.sum()), len(fmt.from_zero) - len(shown))


def exponents(low: float, high: float) -> NDArray[np.int64]:
    """The powers k of two with low ≤ 2^k ≤ high."""
    return np.arange(math.ceil(math.log2(low) - 1e-9), math.floor(math.log2(high) + 1e-9) + 1)


def upright(places: Array, top: float, bottom: float) -> list[list[tuple[float, float]]]:
    """Lines from top to bottom, one at each place; places that would be drawn on one another only once."""
    return [[(x, top), (x, bottom)] for x in sorted({*(np.round(places * 2) / 2).tolist()})]


@dataclass(frozen=True, eq=False)
class Stage:
    """The layout of two formats at one width: one axis of numbers, shared by two lanes and what is below them."""

    pen: Pen
    pair: Pair

    @cached_property
    def line(self) -> Line:
        """The shared axis; whole steps of powers of two fall on half units."""
        x, width, slot = self.pen.pick((34.5, 256.0, 24.0), (56.0, 704.0, 40.0))
        if not self.pair.log:
            return Line(False, 0.0, self.pair.reach, x, width)
        low = 2.0 ** round(math.log2(min(fmt.smallest for fmt in self.pair.both)))
        high = 2.0 ** math.ceil(math.log2(max(fmt.largest for fmt in self.pair.both)))
        return Line(True, low, high, x, width, slot)

    @cached_property
    def strips(self) -> list[Box]:
        """Where the values of either format stand; tall lines reach `rise` above it, the heading above those."""
        height, gap = self.pen.pick((26.0, 32.0), (30.0, 38.0))
        whole = Box(self.line.x, self.pen.size + 6 + self.rise, self.line.width, 0)
        return whole.stack(height, height, gap=gap)

    @property
    def rise(self) -> float:
        return self.pen.pick(7.0, 9.0)

    def below(self, axis: float) -> Box:
        """The room under the axis and its numbers, less that of a title."""
        top = axis + 3.6 * self.pen.size + 16
        return Box(self.line.x, top, self.line.width, self.pen.pick(326.0, 368.0) - top)

    @cached_property
    def lanes(self) -> list[Lane]:
        return [laid_out(fmt, self.line) for fmt in self.pair.both]

    @cached_property
    def lane_marks(self) -> list[list[Mark]]:
        return [list(self._lane(index)) for index in (0, 1)]

    def _lane(self, index: int) -> Iterator[Mark]:
        """One format: its block, its lines, taller ones at powers of two, and what they are."""
        pen, key, role, fmt = self.pen, "ab"[index], ROLES[index], self.pair.both[index]
        lane, box = self.lanes[index], self.strips[index]
        if lane.block:
            left, right = lane.block
            yield pen.rect(f"{key}-block", Box(left, box.y, right - left, box.height), f"{role} soft", round=0)
        yield pen.strokes(key, upright(lane.lines, box.y, box.bottom), "data thin")
        if len(lane.tall):
            yield pen.strokes(f"{key}-tall", upright(lane.tall, box.y - self.rise, box.bottom), role)
        y = box.y - self.rise - 6
        yield pen.text(f"{key}-name", 0, y, fmt.name, "label strong")
        yield pen.text(f"{key}-note", self.line.right, y, self.caption(fmt, lane), "note", anchor="end")

    def caption(self, fmt: Format, lane: Lane) -> str:
        """What a lane's lines stand for, and what is not there."""
        if self.line.log and fmt.integer:
            counts = [str(held) for held in fmt.per_power.values()]
            return f"{', '.join(counts[:3])}{f' … {counts[-1]}' * (len(counts) > 3)} values in a power of two"
        if self.line.log:
            return f"up to {count(2**fmt.mantissa_bits, 'value')} in each power of two"
        last, many = number(fmt.largest), len(fmt.from_zero)
        if lane.beyond:
            return f"{lane.beyond:,} of {many:,} {self.pen.pick('', 'values lie ')}beyond, up to {last} →"
        return f"all {count(many, 'value')} from 0 to {last}"

    @cached_property
    def ticks(self) -> list[tuple[float, float, str]]:
        """Powers of two with room for their numbers, from the right, and 0: each with its place and its words."""
        pen, line = self.pen, self.line
        zero = line.place(0)
        found, free = [(0.0, zero, "0")], math.inf
        powers = exponents(line.low if line.log else line.high / 2**8, line.high)
        if line.log:
            wanted = (pen.room([number(2.0**power) for power in powers.tolist()]) + 0.8 * pen.size) / line.power
            stride = next(step for step in (1, 2, 3, 4, 6, 8, 16, 32, 64) if step >= wanted)
            powers = powers[powers % stride == 0]
        for value in (2.0 ** powers[::-1]).tolist():
            words, x = number(value), line.place(value)
            half = pen.room(words) / 2
            if x + half + 8 <= free and x - half - 8 >= zero + 4:
                free = x - half
                found.append((value, x, words))
        return found


@lru_cache(maxsize=2)  # the steps share it, at either width
def stage(pair: Pair, width: float) -> Stage:
    """The layout of two formats at this width."""
    return Stage(Pen(width), pair)
