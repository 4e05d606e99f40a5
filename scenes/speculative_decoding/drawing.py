"""The picture: a pass over guesses as a grid of bars, then where the words of the answer come from."""

from __future__ import annotations

from collections.abc import Iterator

from loom.draw import Mark, paragraph
from loom.scene import Moment

from .columns import draw_grid
from .stage import Stage, stage_of
from .story import headline
from .sums import draw_pairs, draw_sum


def draw(moment: Moment, width: float) -> Iterator[Mark]:
    stage = stage_of(width)
    yield from draw_answer(stage, moment)
    draw_stage = {"equal": draw_sum, "pairs": draw_pairs}.get(moment.phase, draw_grid)
    yield from draw_stage(stage, moment)


def draw_answer(stage: Stage, moment: Moment) -> Iterator[Mark]:
    """The number of this part of the story, and what it counts."""
    pen = stage.pen
    answer, words = headline(moment)
    yield pen.text("answer", 0, pen.huge, answer, "value strong answer", size=pen.huge)
    x = pen.room(answer, size=pen.huge, strong=True) + pen.pick(10, 14)
    yield from paragraph(pen, "answer-words", x, pen.pick(13, 15), words, pen.pick(pen.width - x, 330), "label answer")
