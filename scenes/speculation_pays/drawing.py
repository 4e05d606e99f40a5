"""The picture: a number, what makes it up, and the plot that it stands in."""

from __future__ import annotations

from collections.abc import Iterator

from loom.draw import Mark, headline, paragraph
from loom.scene import Moment

from .panels import draw_panel
from .plots import draw_plot
from .stage import Stage, stage_of
from .story import PAYS, answer_of


def draw(moment: Moment, width: float) -> Iterator[Mark]:
    stage = stage_of(width)
    yield from draw_answer(stage, moment)
    yield from draw_panel(stage, moment)
    yield from draw_plot(stage, moment)


def draw_answer(stage: Stage, moment: Moment) -> Iterator[Mark]:
    """The number of this part of the story, and what it counts."""
    pen = stage.pen
    answer, role, words = answer_of(moment)
    if not answer:  # nothing stands before these words: they begin at the edge
        yield from paragraph(pen, "race", 0, pen.huge, words, pen.pick(pen.width, 352))
        return
    lines = words.split(", ", 1) if moment.phase == PAYS else words  # where it makes sense, and no word alone
    yield from headline(pen, 0, pen.huge, answer, lines, role, widest=["8.88×"], right=pen.pick(pen.width, 352))
