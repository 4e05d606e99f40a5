"""The numbers of one token as bars on an axis of doublings, the windows of their scales, and the errors."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache, cached_property

import numpy as np

from loom.draw import Box, Mark, Pen, dodge, memoized, significant

from .model import BLOCKS, SCALES, Array
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

    def comb(self, magnitudes: Array) -> list[list[tuple[float, float]]]:
        """A stroke from the floor for each number that reaches above it."""
        floor, tops = self.strip.bottom, self.ys(magnitudes[self.first :])
        return [[(x, floor), (x, top)] for x, top in zip(self.xs, tops, strict=True) if top < floor]

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


@memoized
def draw_strip(at: Stage, stored: Stored, phase: str) -> Iterator[Mark]:
    """The strip as it is in every picture of a phase, of the numbers or a later one."""
    if phase != "numbers":
        yield from _windows(at, stored)
    yield from at.axis
    yield from _bars(at, stored, phase)
    if stored.data == "outlier":
        x, y = at.x(OUTLIER + 0.5), at.y(abs(float(stored.numbers[OUTLIER])))
        yield at.pen.text("outlier", x + 5, y + 0.7 * at.pen.size, "outlier", "label halo")
    if phase != "numbers":
        yield from _sides(at, stored, phase)
        yield from _brackets(at, stored, told=phase != "scales")


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
        yield at.pen.rect(
            f"w{number}",
            Box(left + 0.5, top, at.x(group.end) - left - 1, bottom - top),
            round=0,
            read=f"scale {significant(group.scale)}: holds up to {significant(float(stored.holds[group.start]))}, "
            f"zero below {significant(float(stored.floor[group.start]))}",
        )


def _bars(at: Stage, stored: Stored, phase: str) -> Iterator[Mark]:
    pen, wide = at.pen, at.pen.pick("", " thick")
    numbers, left = np.abs(stored.numbers), np.abs(stored.left)
    if phase == "rounded":
        yield pen.strokes("kept", at.comb(left), f"kept{wide}")
        yield pen.strokes("lost", at.comb(np.where(left == 0, numbers, 0.0)), "dropped thin")
        return
    error = phase == "ladder"
    yield pen.strokes("bars", at.comb(numbers), ("data soft" if error else "data") + wide)
    if error:
        yield pen.strokes("errors", at.comb(np.abs(stored.left - stored.numbers)), "dropped")


def _sides(at: Stage, stored: Stored, phase: str) -> Iterator[Mark]:
    """Beside the strip: the edges of the last window, or the typical number and its error."""
    pen, box = at.pen, at.strip
    if phase == "ladder":
        amounts = [stored.errors.normal_signal**0.5, stored.errors.normal_noise**0.5]
        words = [f"{amount:.2g}" for amount in amounts]
        names = ["typical", "its error"]
    else:
        amounts = [float(stored.holds[-1]), float(stored.floor[-1])]
        words = [significant(amounts[0]), f"≤ {significant(amounts[1])}"]
        names = ["largest held", "becomes 0"]
    heights = [at.y(amount) for amount in amounts]
    if phase == "ladder":
        for key, y, role in zip(("number", "error"), heights, ("axis", "data"), strict=True):  # red is lost on errors
            yield pen.line(f"rms-{key}", box.x, y, box.right + 4, y, f"{role} dashed")
        yield pen.rect("gap", Box(box.right, heights[0], 5, heights[1] - heights[0]), "work", round=0)
    x = box.right + pen.pick(9, 12)
    places = dodge(heights, 2.9 * pen.size, box.y + pen.size, box.bottom - 1.3 * pen.size)
    for number, (name, amount, y) in enumerate(zip(names, words, map(round, places), strict=True)):
        role = "dropped" if name == names[1] and phase == "ladder" else "value"
        yield pen.text(f"side-{number}", x, y - 2, amount, f"{role} strong")
        yield pen.text(f"side-{number}-name", x, y + pen.pick(12, 15), name, "note")


def _brackets(at: Stage, stored: Stored, told: bool) -> Iterator[Mark]:
    """Under the strip: who shares a scale. The end of the first bracket is taken hold of."""
    pen, foot, scale = at.pen, at.foot, stored.scheme.scale
    end, start = at.stops[scale], at.strip.x
    if scale in BLOCKS:
        rest = [(at.x(group.start) + 1, at.x(group.end) - 1) for group in stored.groups(at.first)[1:]]
        yield pen.strokes("groups", [[(x, foot - 6), (x, foot), (far, foot), (far, foot - 6)] for x, far in rest])
    yield pen.strokes("group", [[(start, foot - 6), (start, foot), (end, foot)]], "hot")
    yield pen.strokes("stops", [[(x, foot - 4), (x, foot + 4)] for x in at.stops.values()], "axis")
    for name, x in at.stops.items():
        words = name.removeprefix("block ")
        role = "label strong" if name == scale else "note"
        wide = pen.text_width(words, strong=True) / 2
        yield pen.text(
            f"stop-{words}-name", min(x, pen.width - wide), foot + pen.pick(24, 27), words, role, anchor="middle"
        )
    yield pen.knob("end", end, foot, "scale", at.rail)
    if told or not pen.narrow:  # before, a phone has the number under the map
        words = f"{stored.scheme.sharing():,} share a scale" if told else ""
        words = pen.pick(words, ": ".join(filter(None, (words, "drag the end"))))
        x, y, anchor = pen.pick((pen.width, 24 + 1.35 * pen.size, "end"), (start, foot + 45, "start"))
        yield pen.text("hint", x, y, words, "note", anchor=anchor)
