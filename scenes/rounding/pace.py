"""How far apart the numbers of the format lie: a frame as wide as a step goes from number to number."""

from __future__ import annotations

from collections.abc import Iterator

from loom.draw import Box, Mark
from loom.scene import Moment, evenly

from .chart import chart
from .lens import lens
from .story import Story
from .words import step_of

MOST = 4  # steps that it goes
WIDTH = 840  # of the stage: which numbers there are does not depend on it
LEAD, STEP = 0.25, 0.5  # how long the picture before it sets out stands, and each of its steps [s]


def numbers(story: Story) -> list[float]:
    """The numbers that it goes along: from the value up, or from the first in view."""
    return [value for value in lens(story, WIDTH).rungs() if value >= story.base][: MOST + 1]


def grid_beats(moment: Moment) -> tuple[float, ...]:
    """It grows from the value to the next number, and goes on; in the last picture it is gone."""
    turns = len(numbers(moment.result.story))
    return evenly(turns, STEP * turns, lead=LEAD) if turns > 1 else (0.0,)


def draw_pace(moment: Moment, width: float) -> Iterator[Mark]:
    """The frame with its width in numbers, and in the chart the number that it has come to."""
    if moment.phase != "grid" or moment.progress == 1:
        return
    story = moment.result.story
    view, below, along = lens(story, width), chart(story, True, width), numbers(story)
    low, high = along[max(moment.beat - 1, 0)], along[moment.beat]
    left, right, pen = view.x(low), view.x(high), view.pen
    yield pen.rect("pace", Box(left, view.axis - 7, right - left, 14), "hot outline", round=0)
    if moment.beat:
        words, x, y = step_of(high - low), (left + right) / 2, view.axis - 14
        yield pen.text("pace-name", x, y, words, "hot strong", anchor="middle")
    if any(value == high for value in below.lines):
        (x, y), box = below.plot.at(0, high), below.box
        yield pen.rect("pace-line", Box(x, y - 1.25, box.width, 2.5), "hot", round=0)
