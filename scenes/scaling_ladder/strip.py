"""The numbers of one token as bars on an axis of doublings, the windows of their scales, and the errors."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache, cached_property

import numpy as np

from loom.draw import Box, Mark, Pen, memoized, significant

from .model import SCALES, Array
from .pace import PIECES
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
        return self.pen.pick(3.0, 3.5)

    @cached_property
    def strip(self) -> Box:
        """The plot of magnitudes."""
        width = self.pitch * (COUNT - self.first)
        return self.pen.pick(Box(34, 58, width, 104), Box(46, 78, width, 176))

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

    def combs(self, magnitudes: Array) -> list[list[list[tuple[float, float]]]]:
        """In each piece, a stroke from the floor for each number that reaches above it."""
        floor, tops = self.strip.bottom, self.ys(magnitudes[self.first :])
        many = len(tops) // PIECES
        strokes = [[(x, floor), (x, top)] for x, top in zip(self.xs, tops, strict=True)]
        return [[one for one in strokes[at : at + many] if one[1][1] < floor] for at in range(0, len(tops), many)]

    @cached_property
    def stops(self) -> dict[str, float]:
        """Where the first group's bracket ends: behind its numbers, and off the strip where it holds more."""
        inside = {"channel": 1, "block 16": 16, "block 32": 32} | self.pen.pick({}, {"block 128": 128})
        outside = self.pen.pick(
            {"block 128": 246.0, "token": 276.0, "tensor": 312.0}, {"token": 529.0, "tensor": 575.0}
        )
        return {name: self.x(self.first + many) for name, many in inside.items()} | outside

    @cached_property
    def rail(self) -> list[tuple[float, float]]:
        """The stops in the order of the scales."""
        return [(self.stops[name], self.foot) for name in SCALES]

    @property
    def foot(self) -> float:
        """The line of the brackets."""
        return self.strip.bottom + 16

    @cached_property
    def axis(self) -> list[Mark]:
        """The lines of powers of two, and what they are."""
        pen, box = self.pen, self.strip
        powers = range(LOW, HIGH + 1, STRIDE)
        grid = [[(box.x, self.y(2.0**power)), (box.right, self.y(2.0**power))] for power in powers]
        return [
            pen.text("title", box.right - 4, box.y + pen.pick(16, 18), "magnitude", "note halo", anchor="end"),
            pen.strokes("grid", grid, "grid"),
            *(pen.text(f"t{power}", box.x - 5, self.y(2.0**power) - (power == LOW) * 7,
                       f"{2**power}" if power >= 0 else f"1/{2**-power}", "note", anchor="end", middle=True)
              for power in powers),  # the lowest stands on its line: under it is the knob, at its left end
        ]  # fmt: skip


@cache  # the same for every choice
def stage(width: float) -> Stage:
    return Stage(Pen(width))


def draw_strip(at: Stage, stored: Stored, phase: str, shown: Stored | None, rounded: int | None) -> Iterator[Mark]:
    """The strip in a phase, with the window that is shown, and so many pieces of the numbers rounded."""
    if shown:
        yield from _windows(at, shown)
    yield from at.axis
    yield from _bars(at, stored, phase == "ladder", rounded)
    if stored.data == "outlier":
        x, y = at.x(OUTLIER + 0.5), at.y(abs(float(stored.numbers[OUTLIER])))
        yield at.pen.text("outlier", x + 5, y + 0.7 * at.pen.size, "outlier", "label halo")


@memoized
def _windows(at: Stage, stored: Stored) -> Iterator[Mark]:
    """From the largest magnitude that a group's codes hold down to the largest that becomes zero."""
    tops, floors = (at.ys(edge[at.first :]) for edge in (stored.holds, stored.floor))
    if stored.scheme.scale == "channel":
        lines = [[(x, top), (x, floor)] for x, top, floor in zip(at.xs, tops, floors, strict=True)]
        yield at.pen.strokes("windows", lines, "axis soft thick")
        return
    for group in stored.groups(at.first):
        left, first = at.x(group.start), group.start - at.first
        top, bottom = tops[first], floors[first]
        yield at.pen.rect(
            f"w{group.start}",
            Box(left + 0.5, top, at.x(group.end) - left - 1, bottom - top),
            round=0,
            read=f"scale {significant(group.scale)}: holds up to {significant(float(stored.holds[group.start]))}, "
            f"zero below {significant(float(stored.floor[group.start]))}",
        )


@memoized
def _bars(at: Stage, stored: Stored, with_errors: bool, rounded: int | None) -> Iterator[Mark]:
    """The numbers, piece by piece; of those that are rounded, what is left and what is lost."""
    wide = at.pen.pick("", " thick")
    numbers, left = np.abs(stored.numbers), np.abs(stored.left)
    if rounded is not None:  # what is lost lies under its bar until that goes
        lost = np.where(left == 0, numbers, 0.0)
        yield at.pen.strokes("lost", _joined(at.combs(lost)), "dropped thin")
    passed = rounded or 0
    for piece, (kept, whole) in enumerate(zip(at.combs(left), at.combs(numbers), strict=True)):
        if piece >= passed:
            yield at.pen.strokes(f"bars-{piece}", whole, ("data soft" if with_errors else "data") + wide)
        elif kept:
            yield at.pen.strokes(f"kept-{piece}", kept, f"kept{wide}")
    if with_errors:
        yield at.pen.strokes("errors", _joined(at.combs(np.abs(stored.left - stored.numbers))), "dropped")


def _joined(pieces: list[list[list[tuple[float, float]]]]) -> list[list[tuple[float, float]]]:
    """The strokes of all pieces."""
    return [stroke for piece in pieces for stroke in piece]


def draw_rounding(at: Stage, rounded: int) -> Iterator[Mark]:
    """What rounds, on its way over the next piece."""
    x, box = at.x(at.first + (COUNT - at.first) * rounded / PIECES), at.strip
    yield at.pen.line("rounds", x, box.y - 4, x, box.bottom + 4, "hot steady")
