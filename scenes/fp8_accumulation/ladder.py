"""The zoom: the numbers that the accumulator can hold around its sum, as rungs, and the next term beside them."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property
from itertools import pairwise

import numpy as np

from loom.draw import Box, Mark, Pen, arrow, dodge

from .model import ACCUMULATORS
from .narration import after_the_term
from .story import KEPT, RUNGS, State
from .words import number, size_of

CLOSEST = 5.5  # units between rungs; closer ones are one band
SHORTEST = 4  # units of an arrow
LABELS, GAP = 60, 8  # the room for a rung's number, left of it


class Ladder:
    """The zoomed number line of one step, in a box whose rungs stand between labels and remarks."""

    def __init__(self, pen: Pen, box: Box, state: State) -> None:
        self.pen, self.box, self.state, self.fmt = pen, box, state, ACCUMULATORS[state.story.name]
        self.left = box.x + LABELS + GAP
        self.right = self.left + pen.pick(92, 80)
        self.below, above = state.story.window
        self.scale = box.height / (self.below + above)  # units on the stage for 1
        self.low, self.high = state.before - self.below, state.before + above
        # Numbers smaller than this are too close to each other to be drawn apart.
        self.dense = float(2.0 ** np.ceil(np.log2(CLOSEST / self.scale) + self.fmt.mantissa_bits))
        if state.story.cuts:
            self.dense = np.inf if state.step * self.scale < CLOSEST else 0.0
        self.nearest = 0.0 if self.low <= 0 <= self.high else min(abs(self.low), abs(self.high))  # to zero

    def y(self, value: float) -> float:
        return round(2 * (self.box.bottom - (value - self.state.before + self.below) * self.scale)) / 2

    def rung(self, key: str, y: float, role: str, beyond: float = 0) -> Mark:
        """A line from the labels to the remarks."""
        return self.pen.line(key, self.left, y, self.right + beyond, y, role)

    def number(self, key: str, y: float, value: float, role: str) -> Mark:
        """A number left of the rungs."""
        return self.pen.text(key, self.left - GAP, y, number(value), role, anchor="end", middle=True)

    @cached_property
    def rungs(self) -> list[float]:
        """The numbers that can be drawn, from low to high."""
        low, high, least, step = self.low, self.high, self.dense, self.state.step
        if not np.isfinite(least):
            return []
        if self.state.story.cuts:
            return (np.arange(np.ceil(low / step), np.floor(high / step) + 1) * step).tolist()
        sizes, binade = [], 2**self.fmt.mantissa_bits
        while least <= max(abs(low), abs(high)):  # one binade after the other, each with as many numbers
            if least * 2 >= self.nearest:
                sizes += [least * (1 + index / binade) for index in range(binade)]
            least *= 2
        return [value for value in (*(-size for size in reversed(sizes)), *sizes) if low <= value <= high]


def draw_ladder(ladder: Ladder) -> Iterator[Mark]:
    """The rungs and the term; the title stands on top of the box, as a plot's does."""
    state, pen, box = ladder.state, ladder.pen, ladder.box
    where = "above" if state.term >= 0 else "below"
    title = f"{state.story.name} {where} {number(state.before)}: steps of {size_of(state.step)}"
    yield pen.text("zoom-title", box.x, box.y - 0.75 * pen.size, title, "label strong")
    if not state.story.cuts and state.step * ladder.scale >= CLOSEST:  # from where a sum is rounded back
        top = ladder.y(min(ladder.high, state.before + state.step_up / 2))
        bottom = ladder.y(max(ladder.low, state.before - state.step_down / 2))
        yield pen.rect("catch", Box(ladder.left, top, ladder.right - ladder.left, bottom - top), "cell", round=0)
    if ladder.nearest < ladder.dense:
        top, low = ladder.y(min(ladder.high, ladder.dense)), ladder.y(max(ladder.low, -ladder.dense))
        yield pen.rect("dense", Box(ladder.left, top, ladder.right - ladder.left, low - top), "quiet soft", round=0)
    yield from draw_rungs(ladder)
    yield from draw_term(ladder)
    if not state.passing:
        yield from draw_remarks(ladder)


def draw_rungs(ladder: Ladder) -> Iterator[Mark]:
    state, room = ladder.state, 1.2 * ladder.pen.size
    places, base = [ladder.y(value) for value in ladder.rungs], ladder.y(state.before)
    gaps = [np.inf, *(low - high for low, high in pairwise(places)), np.inf]
    first = int(np.searchsorted(ladder.rungs, state.before))
    for at, (value, y) in enumerate(zip(ladder.rungs, places, strict=True)):
        if value == state.before:
            continue
        yield ladder.rung(f"rung-{at - first}", y, "axis")
        if abs(y - base) >= room and min(gaps[at], gaps[at + 1]) >= room:
            yield ladder.number(f"rung-{at - first}-label", y, value, "note")
    yield ladder.rung("base", base, "data")
    yield ladder.pen.circle("base-dot", ladder.left, base, 5, "hot")
    yield ladder.number("base-label", base, state.before, "value strong")


def draw_term(ladder: Ladder) -> Iterator[Mark]:
    """The term, standing on the sum, and the way from its end to the number that is kept."""
    state, pen = ladder.state, ladder.pen
    start, end, kept = ladder.y(state.before), ladder.y(state.reached), ladder.y(state.after)
    x, wide, tall = ladder.left + 20, 18, max(abs(end - start), 1.5)
    if state.shows == RUNGS:
        yield pen.rect("term", Box(x, start, wide, 0), "hot", round=0)
        return
    yield pen.rect("term", Box(x, min(start, end), wide, tall), "hot", round=0)
    yield pen.line("reach", x + wide, end, ladder.right + 6, end, "hot thin")
    if abs(kept - end) >= SHORTEST and state.shows == KEPT:
        across = x + wide + 22
        yield arrow(pen, "rounding", (across, end), (across, kept), "dropped" if state.lost else "kept")


def draw_remarks(ladder: Ladder) -> Iterator[Mark]:
    """Right of the rungs: how far the term reaches, where the middle is, and what is kept."""
    state, pen = ladder.state, ladder.pen
    reach, keeps = ladder.y(state.reached), ladder.y(state.after)
    sign = "+" if state.term >= 0 else "−"
    remarks = [
        (reach, "reach", f"{sign} {number(abs(state.term))} = {number(state.reached)}", "hot strong"),
        (keeps if abs(keeps - reach) >= SHORTEST else reach + 0.1, "keeps", after_the_term(state),
         "dropped strong" if state.lost else "kept strong"),
    ]  # fmt: skip
    half = state.before + (state.step if state.term >= 0 else -state.step) / 2
    if not state.story.cuts and state.step * ladder.scale > 4 * pen.size:
        yield ladder.rung("half", ladder.y(half), "axis dashed", 6)  # from the beginning: it is what to look at
        remarks.append((ladder.y(half), "half", f"halfway: {number(half)}", "note"))
    if ladder.nearest < ladder.dense:
        remarks.append((ladder.box.bottom, "dense", "too close to draw", "note"))
    places = dodge([y for y, *_ in remarks], 1.3 * pen.size, ladder.box.y, ladder.box.bottom - pen.size / 2)
    later = {RUNGS: ("reach", "keeps"), KEPT: ()}.get(state.shows, ("keeps",))
    for (_, key, words, role), y in zip(remarks, places, strict=True):
        if key in later:
            continue
        yield pen.text(f"remark-{key}", ladder.right + 12, y, words, role, middle=True)
