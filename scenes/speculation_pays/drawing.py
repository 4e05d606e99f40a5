"""The picture: a number, what makes it up, and the plot that it stands in."""

from __future__ import annotations

from collections.abc import Iterator

from loom.draw import Mark, paragraph
from loom.scene import Moment

from .panels import draw_panel
from .plots import draw_plot
from .stage import Stage, stage_of
from .story import headline


def draw(moment: Moment, width: float) -> Iterator[Mark]:
    stage = stage_of(width)
    yield from draw_answer(stage, moment)
    yield from draw_panel(stage, moment)
    yield from draw_plot(stage, moment)


def draw_answer(stage: Stage, moment: Moment) -> Iterator[Mark]:
    """The number of this part of the story, and what it counts."""
    pen = stage.pen
    answer, role, words = headline(moment)
    if answer:
        yield pen.text("answer", 0, pen.huge, answer, f"{role} strong answer", size=pen.huge)
    x = pen.text_width("8.88×", size=pen.huge, strong=True) + pen.pick(10, 14)
    room = pen.pick(pen.width, 352) - x
    y = pen.huge if pen.text_width(words) <= room else pen.pick(13, 15)  # a single line stands on the number's own
    yield from paragraph(pen, "answer-words", x, y, words, room, "label answer")
