"""The lens: one update on the number line of the format, between the two numbers that could hold it."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property, lru_cache

import numpy as np

from loom.draw import Mark, Pen

from .._formats.floats import spacing
from .story import UPDATES, Story
from .words import number

BEFORE, BEHIND, AFTER = 0.9, 2.4, 1.3  # steps shown before the value, before a far sum, and after the gap
MOST = 40  # rungs


@dataclass(frozen=True, eq=False)
class Lens:
    """The number line around one update."""

    pen: Pen
    story: Story

    @cached_property
    def bottom(self) -> float:
        return self.pen.pick(140, 160)

    @cached_property
    def span(self) -> tuple[float, float]:
        """The numbers at both edges."""
        inner, outer = self.story.gap
        step = outer - inner
        low = max(self.story.base - BEFORE * step, inner - BEHIND * step)
        return low, max(outer, self.story.base + 2 * step) + AFTER * step  # the same for an arrow of up to two steps

    @cached_property
    def axis(self) -> float:
        return self.bottom - 3.3 * self.pen.size

    @cached_property
    def top(self) -> float:
        """Of the field over the gap, where its chance is drawn."""
        return self.axis - self.pen.pick(36, 50)

    @property
    def flight(self) -> float:
        """The height of the update's arrow: the knob at its end keeps off the field."""
        return self.top - 18

    def x(self, value: float) -> float:
        low, high = self.span
        return self.pen.width * (value - low) / (high - low)

    @cached_property
    def rail(self) -> list[float]:
        """Where the arrow ends for each size of an update; those out of view stand side by side at the edges."""
        aside, last = self.pen.pick(3, 5), len(UPDATES) - 1
        return [
            min(max(self.x(self.story.base + update), aside * at), self.pen.width - aside * (last - at))
            for at, update in enumerate(UPDATES)
        ]

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
            half = pen.text_width(words) / 2
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
