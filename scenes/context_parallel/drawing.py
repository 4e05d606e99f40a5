"""The picture: the pairs and who computes them, the ring's steps in time, and the same for a long sequence."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache, lru_cache

from loom.draw import Mark, Pen, headline, number, times
from loom.scene import Moment

from .chart import draw_bars, draw_plot
from .cost import Case
from .lanes import draw_choices, draw_lanes
from .model import AT_ONCE, TOKENS, ZIGZAG, Ring
from .race import draw_race
from .stage import Stage
from .triangle import draw_triangle


def draw(moment: Moment, width: float) -> Iterator[Mark]:
    case: Case = moment.result
    if not moment.since("hide"):
        yield from example(width, case.ring, moment.phase, moment.beat, moment.progress == 1)
        return
    pen = Pen(width)
    words = f"as long as with equal shares and no waiting, for {case.tokens:,} tokens"
    yield from draw_answer(pen, times(round(case.ring_time / case.ideal, 1)), words)
    if not pen.narrow:
        yield from triangle(width, case.ring, None, folded(case.ring, moment.phase, moment.beat))
    yield from draw_plot(pen, case)
    yield from (draw_bars if moment.phase == "gather" else draw_race)(pen, case, moment.beat)


@lru_cache(maxsize=128)  # the same for every length of the long sequence
def example(width: float, ring: Ring, phase: str, beat: int, ended: bool) -> tuple[Mark, ...]:
    """The chapters before that sequence."""
    cut = timed = ring
    if phase == "fold":
        cut, timed = ring.fair, ring.fair if ended else ring
    asking, told = asked(ring, phase, beat)
    stage = Stage(Pen(width), timed, 0, asking, told)
    rest = f"instead of {number(timed.ideal)}" if timed.waiting else "and nobody waits"
    words = f"as long as with equal shares: {timed.time} pairs in a row {rest}"
    step = beat if phase == "ring" else None
    answer = times(round(timed.time / timed.ideal, 1))
    if told < TOKENS:
        answer, words = str(ring.begun(told).sum()), f"of {ring.totals.sum()} pairs of a query and a key"
    return (
        *draw_answer(stage.pen, answer, words),
        *triangle(width, cut, step, folded(cut, phase, beat), asking, told),
        *draw_lanes(stage, phase, beat),
        *draw_choices(stage),
    )


def folded(ring: Ring, phase: str, beat: int) -> int:
    """How many GPUs have their early rows beside their late ones: a zigzag is shown so, except round the ring."""
    if ring.layout != ZIGZAG or phase == "ring":
        return 0
    return min(beat, ring.ranks) if phase in ("own", "fold") else ring.ranks


def asked(ring: Ring, phase: str, beat: int) -> tuple[int, int]:
    """How many of the queries look at their keys, and of how many the pairs have been counted."""
    if phase != "own" or ring.layout == ZIGZAG:
        return TOKENS, TOKENS
    return min(AT_ONCE * beat, TOKENS), max(AT_ONCE * (beat - 1), 0)


@cache
def triangle(
    width: float, ring: Ring, step: int | None, folded: int, asking: int = TOKENS, told: int = TOKENS
) -> tuple[Mark, ...]:
    """The same for every length of the long sequence."""
    return tuple(draw_triangle(Stage(Pen(width), ring, folded, asking, told), step))


def draw_answer(pen: Pen, answer: str, words: str) -> Iterator[Mark]:
    """How many times as long it takes as with equal shares; before that, how many pairs there are so far."""
    yield from headline(pen, 0, pen.huge, answer, words, widest=["8.8×"], right=pen.pick(pen.width, 310))
