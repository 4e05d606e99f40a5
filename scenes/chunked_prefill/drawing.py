"""The picture: a long prompt and everybody else under a playhead, then a stream of requests."""

from __future__ import annotations

from collections.abc import Iterator
from math import inf

import numpy as np

from loom.draw import Box, Mark, headline, quantity
from loom.scene import Moment

from .alone import asked, draw_price, draw_runners, draw_stall
from .engine import Visit, served
from .model import DECODE
from .narration import ARRIVE, PRICE, STREAM, clock
from .pace import runs_at
from .stage import NARROW, WIDE, Stage
from .timeline import longest, waited
from .traffic import WINDOW, draw_each, draw_stream


def draw(moment: Moment, width: float) -> Iterator[Mark]:
    stage, case, now = NARROW if width == NARROW.width else WIDE, moment.result, clock(moment)
    if moment.phase == STREAM:
        yield from draw_stream(stage, case)
        yield from draw_now(stage, stage.over(now, WINDOW[case.prompt]), (stage.stream,))
        yield from draw_each(stage, case, moment.progress == 1)
    else:
        yield from draw_stall(stage, case, now)
        yield from draw_now(stage, stage.x(now, case.prompt), (stage.lane, stage.others))
        priced = moment.phase == PRICE
        yield from draw_price(stage, case, priced, priced or longest(case)[1] <= now)
        if priced and (budget := runs_at(moment)):
            yield from draw_runners(stage, case, budget, moment.progress == 1)
    yield from draw_answer(stage, moment, now)


def draw_now(stage: Stage, x: float, rooms: tuple[Box, ...]) -> Iterator[Mark]:
    """The playhead, and covers over what has not happened yet."""
    for at, room in enumerate(rooms):
        if x < room.right:
            cover = Box(x, room.y - 1, room.right + 1 - x, room.height + 2)
            yield stage.rect(f"future-{at}", cover, "cell steady", round=0)
    lines = [[(x, room.y - 3), (x, room.bottom + 3)] for room in rooms]  # words stand between them
    yield stage.strokes("now", lines, "hot steady")


def draw_answer(stage: Stage, moment: Moment, now: float) -> Iterator[Mark]:
    answer, words = answers(moment, now)
    x, y = stage.answer
    role = "value" if moment.phase == ARRIVE else "dropped"
    yield from headline(
        stage, x, y, answer, words, role, under=not stage.narrow, rest="note", shown=not asked(moment.result)
    )


def answers(moment: Moment, now: float) -> tuple[str, tuple[str, str]]:
    """The longest time that anybody had to wait between two tokens, and what it is to be held against."""
    case = moment.result
    if moment.phase == STREAM:
        until = now if moment.progress < 1 else inf  # some answers may end behind the picture
        worst, mean = so_far(served(case.how, case.prompt, case.budget), until)
        return quantity(worst, "s"), ("between two tokens, at worst", f"mean TPOT: {quantity(mean, 's')}")
    if moment.phase == ARRIVE:
        return quantity(DECODE, "s"), ("between two tokens", "while nobody else comes")
    words = f"first token of the prompt: {quantity(case.first, 's')}"
    if moment.phase == PRICE:
        return quantity(case.gap, "s"), ("between two tokens, at worst", words)
    until = "at worst" if longest(case)[1] <= now else "so far"  # the longest may come behind the picture
    return quantity(waited(case, now), "s"), (f"between two tokens, {until}", words)


def so_far(visits: tuple[Visit, ...], now: float) -> tuple[float, float]:
    """The longest time between two tokens up to now, and the mean TPOT of those that have two tokens [s]."""
    times = [[time for time in one.times if time <= now] for one in visits]
    begun = [found for found in times if len(found) > 1]
    return (
        max(max(np.diff(found)) for found in begun),
        float(np.mean([(found[-1] - found[0]) / (len(found) - 1) for found in begun])),
    )
