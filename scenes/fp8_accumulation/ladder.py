"""The zoom: the numbers that the accumulator can hold around its sum, as rungs, and the next term beside them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from loom.draw import Box, Mark, Pen, arrow, spread

from .model import ACCUMULATORS
from .moments import State, Story
from .words import after_the_term, number, size_of

CLOSEST = 5.5  # units between rungs; closer ones are one band
FINE = 3  # units between lines that stand for too many
SHORTEST = 4  # units of an arrow
LABELS, GAP = 60, 8  # the room for a rung's number, left of it


@lru_cache(maxsize=4)
def window(story: Story) -> tuple[float, float]:
    """How far the zoom reaches below and above the sum: the same for all steps, so that rungs move apart."""
    states = story.states
    up = max(max(state.term, min(state.step_up, 8 * abs(state.term))) for state in states)
    down = max(max(-state.term, min(state.step_down, 8 * abs(state.term))) for state in states)
    return 1.12 * max(down, 0.3 * up), 1.15 * up


@dataclass(frozen=True)
class Ladder:
    """The zoomed number line of one step, in a box whose rungs stand between labels and remarks."""

    pen: Pen
    box: Box
    state: State

    @property
    def left(self) -> float:
        return self.box.x + LABELS + GAP

    @property
    def right(self) -> float:
        return self.left + (92 if self.pen.narrow else 80)

    @property
    def scale(self) -> float:
        """Units on the stage for 1."""
        return self.box.height / sum(window(self.state.story))

    def y(self, value: float) -> float:
        down, _ = window(self.state.story)
        return self.box.bottom - (value - self.state.before + down) * self.scale

    @property
    def ends(self) -> tuple[float, float]:
        down, up = window(self.state.story)
        return self.state.before - down, self.state.before + up

    def dense(self) -> float:
        """Numbers smaller than this are too close to each other to be drawn apart."""
        if self.state.story.cuts:
            return np.inf if self.state.step * self.scale < CLOSEST else 0.0
        bits = ACCUMULATORS[self.state.story.name].mantissa_bits
        return float(2.0 ** np.ceil(np.log2(CLOSEST / self.scale) + bits))

    def rungs(self) -> list[float]:
        """The numbers that can be drawn, from low to high."""
        low, high = self.ends
        least, state = self.dense(), self.state
        if not np.isfinite(least):
            return []
        if state.story.cuts:
            first, last = np.ceil(low / state.step), np.floor(high / state.step)
            return (np.arange(first, last + 1) * state.step).tolist()
        bits, largest = ACCUMULATORS[state.story.name].mantissa_bits, max(abs(low), abs(high))
        sizes: list[float] = []
        while least <= largest:  # one binade after the other, each with 2^bits numbers
            sizes += (least * (1 + np.arange(2**bits) / 2**bits)).tolist() if least * 2 >= min_size(low, high) else []
            least *= 2
        return sorted(value for size in sizes for value in (-size, size) if low <= value <= high)


def min_size(low: float, high: float) -> float:
    """The smallest size of a number between two."""
    return 0.0 if low <= 0 <= high else min(abs(low), abs(high))


def draw_ladder(ladder: Ladder) -> Iterator[Mark]:
    """The rungs and the term; the title stands on top of the box, as a plot's does."""
    state, pen, box = ladder.state, ladder.pen, ladder.box
    holder = "Hopper" if state.story.cuts else state.story.name
    where = "above" if state.term >= 0 else "below"
    title = f"{holder} {where} {number(state.before)}: steps of {size_of(state.step)}"
    yield pen.text("zoom-title", box.x, box.y - 0.75 * pen.size, title, "label strong")
    if not state.story.cuts and state.step * ladder.scale >= CLOSEST:
        yield draw_catch(ladder)
    yield from draw_rungs(ladder)
    yield from draw_term(ladder)
    yield from draw_remarks(ladder)


def draw_catch(ladder: Ladder) -> Mark:
    """The zone from which a sum is rounded back to where it was."""
    state = ladder.state
    low, high = ladder.ends
    top = ladder.y(min(high, state.before + state.step_up / 2))
    bottom = ladder.y(max(low, state.before - state.step_down / 2))
    return ladder.pen.rect("catch", Box(ladder.left, top, ladder.right - ladder.left, bottom - top), "cell", round=0)


def draw_rungs(ladder: Ladder) -> Iterator[Mark]:
    pen, state = ladder.pen, ladder.state
    low, high = ladder.ends
    dense = ladder.dense()
    if min_size(low, high) < dense:
        top, bottom = ladder.y(min(high, dense)), ladder.y(max(low, -dense))
        yield pen.path("dense", lines(ladder, top, bottom), "axis thin soft")
    rungs = ladder.rungs()
    places = [ladder.y(value) for value in rungs]
    for value, y in zip(rungs, places, strict=True):
        index = int(np.searchsorted(rungs, value) - np.searchsorted(rungs, state.before))
        if value != state.before:
            yield pen.line(f"rung-{index}", ladder.left, y, ladder.right, y, "axis")
        labelled = abs(y - ladder.y(state.before)) >= 1.2 * pen.size and gap_at(places, y) >= 1.2 * pen.size
        if labelled and value != state.before:
            x = ladder.left - GAP
            yield pen.text(f"rung-{index}-label", x, y, number(value), "note", anchor="end", middle=True)
    y = ladder.y(state.before)
    yield pen.line("base", ladder.left, y, ladder.right, y, "data")
    yield pen.text("base-label", ladder.left - GAP, y, number(state.before), "value strong", anchor="end", middle=True)


def lines(ladder: Ladder, top: float, bottom: float) -> list[tuple[float, float]]:
    """Lines closer than rungs can be, in one stroke, at places that are the same in every step."""
    first, last = (round((y - ladder.box.y) / FINE) for y in (top, bottom))
    ends = [(ladder.left, ladder.right), (ladder.right, ladder.left)]
    return [(x, ladder.box.y + FINE * index) for index in range(first, last + 1) for x in ends[index % 2]]


def gap_at(places: list[float], y: float) -> float:
    """How far the nearest other place is."""
    return min((abs(other - y) for other in places if other != y), default=np.inf)


def draw_term(ladder: Ladder) -> Iterator[Mark]:
    """The term, standing on the sum, and the way from its end to the number that is kept."""
    state, pen = ladder.state, ladder.pen
    start, end, kept = ladder.y(state.before), ladder.y(state.reached), ladder.y(state.after)
    x, wide = ladder.left + 20, 18
    yield pen.rect("term", Box(x, min(start, end), wide, max(abs(end - start), 1.5)), "hot", round=0)
    yield pen.line("reach", x + wide, end, ladder.right + 6, end, "hot thin")
    if abs(kept - end) >= SHORTEST:
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
        y = ladder.y(half)
        yield pen.line("half", ladder.left, y, ladder.right + 6, y, "axis dashed")
        remarks.append((y, "half", f"halfway: {number(half)}", "note"))
    if not ladder.rungs():
        remarks.append((ladder.box.bottom, "dense", "too fine to draw", "note"))
    places = spread([y for y, *_ in remarks], 1.3 * pen.size, ladder.box.y, ladder.box.bottom - pen.size / 2)
    for (_, key, words, role), y in zip(remarks, places, strict=True):
        yield pen.text(f"remark-{key}", ladder.right + 12, y, words, role, middle=True)
