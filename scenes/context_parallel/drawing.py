"""The picture: the pairs and who computes them, the ring's steps in time, and the same for a long sequence."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache

from loom.draw import Mark, Pen, headline, number, times
from loom.scene import Moment

from .chart import draw_bars, draw_plot
from .cost import Case
from .lanes import draw_choices, draw_lanes
from .model import ZIGZAG, Ring
from .stage import Stage
from .triangle import draw_triangle


def draw(moment: Moment, width: float) -> Iterator[Mark]:
    case, long = moment.result, moment.since("hide")
    cut = timed = case.ring
    if moment.phase == "fold":
        cut, timed = cut.fair, cut.fair if moment.progress == 1 else cut
    stage = Stage(Pen(width), timed)
    yield from draw_answer(stage.pen, case, timed, long)
    step = moment.beat if moment.phase == "ring" else None
    if not long or not stage.pen.narrow:
        yield from triangle(width, cut, step, folded(moment, cut))
    if long:
        yield from draw_plot(stage.pen, case, moment.phase == "gather")
        if moment.phase == "gather":
            yield from draw_bars(stage.pen, case, moment.beat)
    else:
        yield from draw_lanes(stage, moment)
        yield from draw_choices(stage)


def folded(moment: Moment, ring: Ring) -> int:
    """How many GPUs have their early rows beside their late ones: a zigzag is shown so, except round the ring."""
    if ring.layout != ZIGZAG or moment.phase == "ring":
        return 0
    return min(moment.beat, ring.ranks) if moment.phase in ("own", "fold") else ring.ranks


@cache
def triangle(width: float, ring: Ring, step: int | None, folded: int) -> tuple[Mark, ...]:
    """The same for every length of the long sequence."""
    return tuple(draw_triangle(Stage(Pen(width), ring, folded), step))


def draw_answer(pen: Pen, case: Case, ring: Ring, long: bool) -> Iterator[Mark]:
    """How many times as long it takes as with equal shares."""
    ratio = case.ring_time / case.ideal if long else ring.time / ring.ideal
    answer = times(round(ratio, 1))
    if long:
        words = f"as long as with equal shares and no waiting, for {case.tokens:,} tokens"
    else:
        rest = f"instead of {number(ring.ideal)}" if ring.waiting else "and nobody waits"
        words = f"as long as with equal shares: {ring.time} pairs in a row {rest}"
    yield from headline(pen, 0, pen.huge, answer, words, widest=["8.8×"], right=pen.pick(pen.width, 310))
