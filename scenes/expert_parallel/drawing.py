"""The picture: a token's trip over a map of nodes, then the load of all GPUs and the time of the layer."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache

from loom.draw import Mark, Pen, headline, quantity
from loom.scene import Moment

from .loads import draw_choices, draw_loads, draw_plot
from .model import BACK, OUT, Case
from .narration import answer_of, picked, reached, time_of
from .pace import last_beat
from .stage import Stage
from .times import draw_time
from .trip import crossed, draw_favourites, draw_trip, hop


def draw(moment: Moment, width: float) -> Iterator[Mark]:
    pen, case = Pen(width), moment.result
    yield from draw_answer(pen, moment)
    if moment.since("load"):
        beat = moment.beat if moment.phase == "load" else last_beat(case)
        yield from loaded(width, case, beat)
        if moment.phase == "wait":
            yield from draw_time(pen, case, moment.beat + 1)
        elif beat == last_beat(case):  # other placements, and other popularities, once this one is known
            yield from draw_choices(pen, case)
            yield from draw_plot(pen, case)
    else:
        yield from travelled(width, case.limit, moment.phase, moment.beat)
        if not pen.narrow:
            yield from draw_favourites(pen, case.batch.wanted)


@cache
def travelled(width: float, limit: int, phase: str, beat: int) -> tuple[Mark, ...]:
    """The same for all popularities and placements."""
    return tuple(draw_trip(Stage(Pen(width), limit), phase, beat))


@cache
def loaded(width: float, case: Case, beat: int) -> tuple[Mark, ...]:
    """The same while time goes on."""
    stage = Stage(Pen(width), case.limit)
    return tuple(draw_loads(stage, case, beat))


def draw_answer(pen: Pen, moment: Moment) -> Iterator[Mark]:
    """What the token weighs on the network, then how full the fullest GPU is, and in the end how long all takes."""
    case: Case = moment.result
    widest, far = [], hop(moment.phase, moment.beat)
    if moment.phase == "wait":
        answer, words = time_of(case, moment.beat)
        widest = ["88.8\u00a0ms"]
    elif moment.since("load"):
        answer, words = answer_of(case, moment.beat)
        widest = ["88.8×"]
    elif moment.phase == "back" and crossed(moment.phase, far):
        answer = quantity(reached(case) * BACK, "B")
        words = "for one token over the network, back: a sum from each node, not one from each expert"
    elif moment.phase == "back" or crossed(moment.phase, far):
        answer = quantity(reached(case) * OUT, "B")
        words = "for one token over the network, out: a copy for each node, not one for each expert"
    else:
        answer, words = picked(moment)
    yield from headline(pen, 0, pen.huge, answer, words, widest=widest, right=pen.pick(pen.width, 480))
