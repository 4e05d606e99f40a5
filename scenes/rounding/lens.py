"""The lens: one update on the number line of the format, between the two numbers that could hold it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property, lru_cache

import numpy as np

from loom.draw import Box, Mark, Pen, arrow
from loom.scene import Moment

from .._formats.floats import spacing
from .story import Story, Told
from .words import amount, number, percent, step_of

BEFORE, BEHIND, AFTER = 0.9, 2.4, 1.3  # steps shown before the value, before a far sum, and after the gap
MOST = 40  # rungs


@dataclass(frozen=True, eq=False)
class Lens:
    """The number line around one update."""

    pen: Pen
    story: Story

    @cached_property
    def bottom(self) -> float:
        return self.pen.pick(142, 164)

    @cached_property
    def span(self) -> tuple[float, float]:
        """The numbers at both edges."""
        inner, outer = self.story.gap
        step = outer - inner
        return max(self.story.base - BEFORE * step, inner - BEHIND * step), outer + AFTER * step

    @cached_property
    def axis(self) -> float:
        return self.bottom - 3.3 * self.pen.size

    @cached_property
    def top(self) -> float:
        """Of the field over the gap, where its chance is drawn."""
        return self.axis - self.pen.pick(42, 50)

    @property
    def flight(self) -> float:
        """The height of the update's arrow."""
        return self.top - 14

    def x(self, value: float) -> float:
        low, high = self.span
        return self.pen.width * (value - low) / (high - low)

    def rungs(self) -> list[float]:
        """The numbers of the format in view, from low to high."""
        (low, high), name = self.span, self.story.fmt.name
        above = [self.story.gap[0]]
        while above[-1] < high and len(above) < MOST:
            above.append(above[-1] + float(spacing(above[-1], name)))
        below = [self.story.gap[0]]
        while below[-1] > low and len(below) < MOST:  # below a power of two the step is half as long
            below.append(below[-1] - float(spacing(np.nextafter(below[-1], -np.inf), name)))
        return sorted({value for value in (*below, *above) if low <= value <= high})

    @cached_property
    def rung_marks(self) -> list[Mark]:
        """The axis and the numbers on it: those that the story is about are named first, others where there is room."""
        pen, story, y, rungs = self.pen, self.story, self.axis, self.rungs()
        first = [*story.gap, story.base]
        named: dict[float, tuple[str, float]] = {}
        for value in [*first, *rungs]:
            words, x = number(value, story), self.x(value)
            half = pen.room(words) / 2
            free = all(abs(x - self.x(other)) >= half + room + 8 for other, (_, room) in named.items())
            if value in rungs and free and half <= x <= pen.width - half:
                named[value] = words, half
        return [
            pen.line("axis", 0, y, pen.width, y),
            pen.strokes("rungs", [[(self.x(value), y - 7), (self.x(value), y + 7)] for value in rungs]),
            *(pen.text(f"n{index}", self.x(value), y + 10 + pen.size, named[value][0],
                       "label" if value in first else "note", anchor="middle")
              for index, value in enumerate(sorted(named))),
        ]  # fmt: skip


@lru_cache(maxsize=2)  # the modes and steps of a story share it, at either width
def lens(story: Story, width: float) -> Lens:
    """The number line around the story's update at this width."""
    return Lens(Pen(width), story)


def draw_lens(moment: Moment, width: float) -> Iterator[Mark]:
    told: Told = moment.result
    story, view = told.story, lens(told.story, width)
    pen = view.pen
    title = f"{story.fmt.name} near {number(story.exact, story)}: steps of {step_of(story.gap[1] - story.gap[0])}"
    yield pen.text("title", 0, pen.size, title, "label strong")
    if story.base < view.span[0]:
        base = number(story.base, story)
        words = f"{base} is farther left" if moment.phase == "grid" else f"from {base}, farther left"
        yield pen.text("away", 0, view.flight - 0.6 * pen.size, words, "note")
    if moment.since("round"):
        yield from _rule(view, told.mode)
    yield from view.rung_marks
    if moment.since("sum"):
        yield from _update(view)
    if moment.since("round"):
        yield from _held(view, told)
        yield from _verdict(view, told)
    else:  # the value is where it was, then where it would be
        place, role = (story.base, "data") if moment.phase == "grid" else (story.exact, "hot")
        yield from _dot(view, place, role)


def _dot(view: Lens, place: float, role: str) -> Iterator[Mark]:
    if place >= view.span[0]:
        yield view.pen.circle("held", view.x(place), view.axis, 5.5, role)


def _rule(view: Lens, mode: str) -> Iterator[Mark]:
    """Over the gap: how likely a number at each place is to go up, and how likely this one is."""
    pen, foot, top = view.pen, view.axis, view.top
    left, right = map(view.x, view.story.gap)
    yield pen.rect("field", Box(left, top, right - left, foot - top), "cell soft", round=0)
    middle = (left + right) / 2
    shapes = {
        "nearest": [(left, foot), (middle, foot), (middle, top), (right, top)],
        "stochastic": [(left, foot), (left, foot), (right, top), (right, top)],
        "truncation": [(left, foot), (left, foot), (right, foot), (right, foot)],
    }
    yield pen.path("rule", shapes[mode], "kept outline thick")
    for index, words in enumerate(pen.pick(["chance of", "going up"], ["chance of going up"])):
        y = top + 0.8 * pen.size + index * 1.2 * pen.size
        yield pen.text(f"rule-{index}", left - 8, y, words, "note", anchor="end")
    yield pen.text("rule-all", right + 6, top, "100\u00a0%", "note", middle=True)
    yield pen.text("rule-none", right + 6, foot - 0.8 * pen.size, "0\u00a0%", "note", middle=True)


def _update(view: Lens) -> Iterator[Mark]:
    """The update as an arrow from the value to the exact sum, and a line from there down to the axis."""
    pen, story, y = view.pen, view.story, view.flight
    start, end = max(view.x(story.base), 0), view.x(story.exact)
    yield pen.line("drop", end, y, end, view.axis, "hot dashed")
    yield arrow(pen, "update", (start, y), (end, y), "hot", head=5)
    words = f"+ {number(story.update, story)} = {number(story.exact, story)}, exactly"
    yield pen.text("update-label", end + 8, y, words, "hot", middle=True)


def _held(view: Lens, told: Told) -> Iterator[Mark]:
    """How likely it is that the value goes up, and where it can be then."""
    pen, story = view.pen, view.story
    up = {"nearest": float(told.kept > story.gap[0]), "truncation": 0.0}.get(told.mode, story.chance)
    yield pen.circle("odds", view.x(story.exact), view.axis - up * (view.axis - view.top), 4, "hot")
    if told.mode != "stochastic":
        yield from _dot(view, told.kept, "data")
        return
    for key, value, share in zip(("held", "other"), story.gap, (1 - story.chance, story.chance), strict=True):
        yield pen.circle(key, view.x(value), view.axis, 2 + 5 * share**0.5, "data")


def _verdict(view: Lens, told: Told) -> Iterator[Mark]:
    """Under the numbers: where the update goes, and how often."""
    pen, story = view.pen, view.story
    if told.mode == "stochastic" and story.chance:
        for index, share in enumerate((1 - story.chance, story.chance)):
            x = view.x(story.gap[index])
            yield pen.text(f"odds-{index}", x, view.bottom, percent(share), "kept strong", anchor="middle")
        return
    words, role = verdict(told)
    half = pen.room(words, strong=True) / 2
    middle = min(max(view.x(sum(story.gap) / 2), half), pen.width - half)
    yield pen.text("verdict", middle, view.bottom, words, f"{role} strong", anchor="middle")


def verdict(told: Told) -> tuple[str, str]:
    """What rounding does to the update, in a few words, and whether that is a loss."""
    exact, kept = told.story.exact, number(told.kept, told.story)
    if told.story.chance == 0:
        return f"{kept}: nothing to round", "kept"
    if told.lost:
        return f"back to {kept}: the update is lost", "dropped"
    return f"to {kept}: {amount(abs(told.kept - exact), 2)} too {'much' if told.kept > exact else 'little'}", "label"
