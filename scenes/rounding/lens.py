"""The lens: one update on the number line of the format, between the two numbers that could hold it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from loom.draw import Box, Mark, Pen, arrow

from .._formats.floats import spacing
from .moments import GRID, ROUND, SUM, State, Story
from .words import amount, number, percent, step_of

BEFORE, BEHIND, AFTER = 0.9, 2.4, 1.3  # steps shown before the value, before a far sum, and after the gap
MOST = 40  # rungs


@dataclass(frozen=True)
class Lens:
    """The number line around one update."""

    pen: Pen
    box: Box
    state: State

    @property
    def story(self) -> Story:
        return self.state.story

    @cached_property
    def span(self) -> tuple[float, float]:
        """The numbers at both edges."""
        inner, outer = self.story.gap
        step = outer - inner
        return max(self.story.base - BEFORE * step, inner - BEHIND * step), outer + AFTER * step

    @property
    def axis(self) -> float:
        return self.box.bottom - 3.3 * self.pen.size

    @property
    def top(self) -> float:
        """Of the field over the gap, where its chance is drawn."""
        return self.axis - (42 if self.pen.narrow else 50)

    @property
    def flight(self) -> float:
        """The height of the update's arrow."""
        return self.top - 14

    def x(self, value: float) -> float:
        low, high = self.span
        return self.box.x + self.box.width * (value - low) / (high - low)

    def rungs(self) -> list[float]:
        """The numbers of the format in view, from low to high."""
        low, high = self.span
        name, story = self.story.fmt.name, self.story
        above = [story.gap[0]]
        while above[-1] < high and len(above) < MOST:
            above.append(above[-1] + float(spacing(above[-1], name)))
        below = [story.gap[0]]
        while below[-1] > low and len(below) < MOST:  # below a power of two the step is half as long
            below.append(below[-1] - float(spacing(np.nextafter(below[-1], -np.inf), name)))
        return sorted({value for value in (*below, *above) if low <= value <= high})


def draw_lens(lens: Lens) -> Iterator[Mark]:
    state, pen, story = lens.state, lens.pen, lens.story
    title = f"{story.fmt.name} near {number(story.exact, story)}: steps of {step_of(story.gap[1] - story.gap[0])}"
    yield pen.text("title", 0, pen.size, title, "label strong")
    if story.base < lens.span[0]:
        base = number(story.base, story)
        words = f"{base} is farther left" if state.step == GRID else f"from {base}, farther left"
        yield pen.text("away", 0, lens.flight - 0.6 * pen.size, words, "note")
    if state.step >= ROUND:
        yield from draw_rule(lens)
    yield from draw_rungs(lens)
    if state.step >= SUM:
        yield from draw_update(lens)
    yield from draw_held(lens)
    if state.step >= ROUND:
        yield from draw_verdict(lens)


def draw_rungs(lens: Lens) -> Iterator[Mark]:
    pen, story, y = lens.pen, lens.story, lens.axis
    rungs = lens.rungs()
    yield pen.line("axis", lens.box.x, y, lens.box.right, y, "axis")
    yield pen.strokes("rungs", [[(lens.x(value), y - 7), (lens.x(value), y + 7)] for value in rungs], "axis")
    # The numbers that the story is about are named first, the others where there is room.
    first = [*story.gap, story.base]
    named: list[float] = []
    for value in [*first, *rungs]:
        half = pen.room(number(value, story)) / 2
        free = all(abs(lens.x(value) - lens.x(other)) >= half + pen.room(number(other, story)) / 2 + 8
                   for other in named)  # fmt: skip
        if value in rungs and free and half <= lens.x(value) <= pen.width - half:
            named.append(value)
    for index, value in enumerate(sorted(named)):
        role = "label" if value in first else "note"
        yield pen.text(f"n{index}", lens.x(value), y + 10 + pen.size, number(value, story), role, anchor="middle")


def draw_rule(lens: Lens) -> Iterator[Mark]:
    """Over the gap: how likely a number at each place is to go up, and how likely this one is."""
    pen, state, (inner, outer) = lens.pen, lens.state, lens.story.gap
    left, right, foot, top = lens.x(inner), lens.x(outer), lens.axis, lens.top
    yield pen.rect("field", Box(left, top, right - left, foot - top), "cell soft", round=0)
    middle = (left + right) / 2
    shapes = {
        "nearest": [(left, foot), (middle, foot), (middle, top), (right, top)],
        "stochastic": [(left, foot), (left, foot), (right, top), (right, top)],
        "truncation": [(left, foot), (left, foot), (right, foot), (right, foot)],
    }
    yield pen.path("rule", shapes[state.mode], "kept outline thick")
    lines = ["chance of", "going up"] if pen.narrow else ["chance of going up"]
    for index, words in enumerate(lines):
        yield pen.text(f"rule-{index}", left - 8, top + 0.8 * pen.size + index * 1.2 * pen.size, words, "note",
                       anchor="end")  # fmt: skip
    yield pen.text("rule-all", right + 6, top, "100\u00a0%", "note", middle=True)
    yield pen.text("rule-none", right + 6, foot - 0.8 * pen.size, "0\u00a0%", "note", middle=True)


def draw_update(lens: Lens) -> Iterator[Mark]:
    """The update as an arrow from the value to the exact sum, and a line from there down to the axis."""
    pen, story = lens.pen, lens.story
    start, end = max(lens.x(story.base), lens.box.x), lens.x(story.exact)
    yield pen.line("drop", end, lens.flight, end, lens.axis, "hot dashed")
    yield arrow(pen, "update", (start, lens.flight), (end, lens.flight), "hot", head=5)
    words = f"+ {number(story.update, story)} = {number(story.exact, story)}, exactly"
    yield pen.text("update-label", end + 8, lens.flight, words, "hot", middle=True)


def draw_held(lens: Lens) -> Iterator[Mark]:
    """The value as a dot: at first where it is, then where it would be, then where it can be."""
    pen, state, story = lens.pen, lens.state, lens.story
    place = {GRID: story.base, SUM: story.exact}.get(state.step, state.result)
    if state.step >= ROUND:
        up = {"nearest": float(state.result > story.gap[0]), "truncation": 0.0}.get(state.mode, story.chance)
        y = lens.axis - up * (lens.axis - lens.top)
        yield pen.circle("odds", lens.x(story.exact), y, 4, "hot")
    if state.step >= ROUND and state.mode == "stochastic":
        odds = zip(("held", "other"), story.gap, (1 - story.chance, story.chance), strict=True)
        for key, value, share in odds:
            yield pen.circle(key, lens.x(value), lens.axis, 2 + 5 * share**0.5, "data")
        return
    if place >= lens.span[0]:
        yield pen.circle("held", lens.x(place), lens.axis, 5.5, "hot" if state.step == SUM else "data")


def draw_verdict(lens: Lens) -> Iterator[Mark]:
    """Under the numbers: where the update goes, and how often."""
    pen, state, story, y = lens.pen, lens.state, lens.story, lens.box.bottom
    if state.mode == "stochastic" and story.chance:
        for index, share in enumerate((1 - story.chance, story.chance)):
            yield pen.text(f"odds-{index}", lens.x(story.gap[index]), y, percent(share), "kept strong", anchor="middle")
        return
    words, role = verdict(state)
    half = pen.room(words, strong=True) / 2
    middle = min(max(lens.x(sum(story.gap) / 2), half), pen.width - half)
    yield pen.text("verdict", middle, y, words, f"{role} strong", anchor="middle")


def verdict(state: State) -> tuple[str, str]:
    """What rounding does to the update, in a few words, and whether that is a loss."""
    story, result = state.story, number(state.result, state.story)
    if story.chance == 0:
        return f"{result}: nothing to round", "kept"
    if state.lost:
        return f"back to {result}: the update is lost", "dropped"
    off = amount(abs(state.result - story.exact), 2)
    return f"to {result}: {off} too {'much' if state.result > story.exact else 'little'}", "label"
