"""The picture: the answer, the steps of one user and of all, the step's time over the users, and the map of limits."""

from __future__ import annotations

from collections.abc import Iterator

from loom.draw import Mark
from loom.scene import Moment

from .chart import draw_here, draw_lines, draw_times, draw_turns
from .model import Load
from .pace import parts_done, parts_under_way, passed, runs_at, shown_users
from .panel import draw_answer, draw_bars, draw_facts
from .regions import draw_full, draw_place, draw_regions, draw_scales, names
from .stage import NARROW, WIDE, Stage


def draw(moment: Moment, width: float) -> Iterator[Mark]:
    stage, load = NARROW if width == NARROW.width else WIDE, moment.result
    shown, limits = shown_users(moment), moment.since("limits")
    yield from draw_answer(stage, load.of(shown))
    there, parts = limits or (moment.since("shared") and moment.progress == 1), parts_under_way(moment)
    yield from draw_bars(stage, load, shown, there, parts, parts_done(moment))
    if not stage.narrow or limits:
        yield from draw_map(stage, moment)
    if not stage.narrow or not limits:
        yield from draw_chart(stage, moment)
    if not stage.narrow and moment.since("shared") and shown == load.batch:
        yield from draw_facts(stage, load)


def draw_chart(stage: Stage, moment: Moment) -> Iterator[Mark]:
    load: Load = moment.result
    yield from draw_times(stage)
    yield from draw_lines(stage, load.model, load.gpu, load.context)
    if moment.since("limits"):
        yield from draw_turns(stage, load.model, load.gpu, load.context, passed(moment))
    yield from draw_here(stage, load, runs_at(moment), moment.since("limits"))


def draw_map(stage: Stage, moment: Moment) -> Iterator[Mark]:
    load: Load = moment.result
    hand = stage.map.at(load.batch, load.context)
    yield from draw_regions(stage, load.model, load.gpu)
    yield from names(stage, load.model, load.gpu, hand)
    if load.limits.fits <= passed(moment):
        yield from draw_full(stage, load.model, load.gpu, load.limits.least, hand)
    yield from draw_scales(stage)
    yield from draw_place(stage, load, runs_at(moment), moment.since("limits"))
