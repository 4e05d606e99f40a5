"""The numbers of one token as bars on an axis of doublings, the windows of their scales, and the errors."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache, cached_property

import numpy as np

from loom.draw import Box, Mark, Pen, bracket, plain, spread
from loom.scene import Moment

from .model import CHANNELS, Array
from .stored import COUNT, OUTLIER, Stored

LOW, HIGH = -8, 8  # powers of two at the ends of the axis
STRIDE = 4  # powers of two from one grid line to the next


@dataclass(frozen=True, eq=False)
class Stage:
    """The strip of numbers; a phone shows the second half of the block, which holds the outlier."""

    pen: Pen

    @cached_property
    def first(self) -> int:
        """The first number drawn."""
        return self.pen.pick(COUNT // 2, 0)

    @cached_property
    def pitch(self) -> float:
        """Width of one number."""
        return self.pen.pick(3.5, 5.0)

    @cached_property
    def strip(self) -> Box:
        """The plot of magnitudes."""
        width = self.pitch * (COUNT - self.first)
        return self.pen.pick(Box(34, 108, width, 240), Box(46, 108, width, 264))

    def x(self, index: float) -> float:
        """The left edge of a number's place."""
        return self.strip.x + (index - self.first) * self.pitch

    def y(self, magnitude: float) -> float:
        """The height of a magnitude, in whole units; what is off the axis is held at its ends."""
        return self.ys(np.array([magnitude]))[0]

    def ys(self, magnitudes: Array) -> list[float]:
        """The heights of many magnitudes."""
        powers = np.log2(np.clip(magnitudes, 2.0**LOW, 2.0**HIGH))
        shares = (powers - LOW) / (HIGH - LOW)
        return np.rint(self.strip.bottom - shares * self.strip.height).tolist()

    @cached_property
    def xs(self) -> list[float]:
        """The middle of each drawn number's place."""
        return [self.x(index + 0.5) for index in range(self.first, COUNT)]

    def comb(self, magnitudes: Array) -> list[list[tuple[float, float]]]:
        """A stroke from the floor for each number that reaches above it."""
        floor, tops = self.strip.bottom, self.ys(magnitudes[self.first :])
        return [[(x, floor), (x, top)] for x, top in zip(self.xs, tops, strict=True) if top < floor]

    @cached_property
    def axis(self) -> list[Mark]:
        """The lines of powers of two, and what they are."""
        pen, box = self.pen, self.strip
        powers = range(LOW, HIGH + 1, STRIDE)
        words = f"magnitude, ×{2**STRIDE} from line to line"
        grid = [[(box.x, self.y(2.0**power)), (box.right, self.y(2.0**power))] for power in powers]
        return [
            pen.text("title", box.right - 4, box.y + pen.size + 4, words, "note", anchor="end"),
            pen.strokes("grid", grid, "grid"),
            *(pen.text(f"t{power}", box.x - 5, self.y(2.0**power), f"{2**power}" if power >= 0 else f"1/{2**-power}",
                       "note", anchor="end", middle=True) for power in powers),
        ]  # fmt: skip


@cache  # the same for every choice
def stage(width: float) -> Stage:
    return Stage(Pen(width))


def draw_strip(at: Stage, moment: Moment) -> Iterator[Mark]:
    stored: Stored = moment.result
    if moment.since("scales"):
        yield from _windows(at, stored)
    yield from at.axis
    yield from _bars(at, moment)
    if stored.data == "outlier":
        x, y = at.x(OUTLIER + 0.5), at.y(abs(float(stored.numbers[OUTLIER])))
        yield at.pen.text("outlier", x + 5, y + 0.7 * at.pen.size, "outlier", "label")
    if moment.since("scales"):
        yield from _sides(at, moment)
    yield from _brackets(at, moment)


def _windows(at: Stage, stored: Stored) -> Iterator[Mark]:
    """From the largest magnitude that a group's codes hold down to the largest that becomes zero."""
    tops, floors = (at.ys(edge[at.first :]) for edge in (stored.holds, stored.floor))
    if stored.scheme.scale == "channel":
        lines = [[(x, top), (x, floor)] for x, top, floor in zip(at.xs, tops, floors, strict=True)]
        yield at.pen.strokes("windows", lines, "axis soft thick")
        return
    for number, group in enumerate(stored.groups(at.first)):
        left, first = at.x(group.start), group.start - at.first
        top, bottom = tops[first], floors[first]
        yield at.pen.rect(f"w{number}", Box(left + 0.5, top, at.x(group.end) - left - 1, bottom - top), round=0)


def _bars(at: Stage, moment: Moment) -> Iterator[Mark]:
    stored, pen, wide = moment.result, at.pen, at.pen.pick("", " thick")
    numbers, left = np.abs(stored.numbers), np.abs(stored.left)
    if moment.phase == "rounded":
        yield pen.strokes("kept", at.comb(left), f"kept{wide}")
        yield pen.strokes("lost", at.comb(np.where(left == 0, numbers, 0.0)), "dropped thin")
        return
    error = moment.phase == "error"
    yield pen.strokes("bars", at.comb(numbers), ("data soft" if error else "data") + wide)
    if error:
        yield pen.strokes("errors", at.comb(np.abs(stored.left - stored.numbers)), "dropped")


def _sides(at: Stage, moment: Moment) -> Iterator[Mark]:
    """Beside the strip: the edges of the last window, or the typical number and the typical error."""
    stored, pen, box = moment.result, at.pen, at.strip
    if moment.phase == "error":
        amounts = [stored.errors.normal_signal**0.5, stored.errors.normal_noise**0.5]
        words = [f"{amount:.2g}" for amount in amounts]
        names = pen.pick(["typical", "its error"], ["typical number", "typical error"])
    else:
        amounts = [float(stored.holds[-1]), float(stored.floor[-1])]
        words = [plain(amounts[0]), f"≤ {plain(amounts[1])}"]
        names = ["largest held", "becomes 0"]
    heights = [at.y(amount) for amount in amounts]
    if moment.phase == "error":
        for key, y, role in zip(("number", "error"), heights, ("axis", "hot"), strict=True):
            yield pen.line(f"rms-{key}", box.x, y, box.right + 4, y, f"{role} dashed")
    x = box.right + pen.pick(6, 12)
    places = spread(heights, 2.4 * pen.size, box.y + pen.size, box.bottom - pen.size)
    for number, (name, amount, y) in enumerate(zip(names, words, places, strict=True)):
        yield pen.text(f"side-{number}", x, y - 2, amount, "value strong")
        yield pen.text(f"side-{number}-name", x, y + pen.size, name, "note")


def _brackets(at: Stage, moment: Moment) -> Iterator[Mark]:
    """Under the strip: who shares a scale, and its size."""
    stored, pen, box = moment.result, at.pen, at.strip
    shown, foot = COUNT - at.first, box.bottom + 5
    if moment.phase == "numbers" or stored.scheme.scale == "channel":
        words = (f"{shown} of the {CHANNELS:,} channels of one token" if moment.phase == "numbers"
                 else f"a scale for each of these {shown} channels")  # fmt: skip
        yield from bracket(pen, "all", box.x, box.right, foot, words)
        return
    groups = stored.groups(at.first)
    for number, group in enumerate(groups):
        words, start, end = plain(group.scale), at.x(group.start), at.x(group.end)
        if len(groups) == 1:
            words = f"one scale for {stored.scheme.sharing():,} numbers: {words}"
        elif number == 0 and pen.room(f"scale {words}") < end - start:
            words = f"scale {words}"
        yield from bracket(pen, f"b{number}", start + 1.5, end - 1.5, foot, words)
