"""The picture: a step's time over the users, the map of what takes the longest, and the answer beside them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from loom.draw import Mark
from loom.scene import Moment

from .chart import draw_here, draw_lines, draw_times, draw_turns
from .model import Load
from .panel import draw_answer, draw_bars, draw_facts
from .regions import draw_full, draw_place, draw_regions, draw_scales
from .stage import NARROW, WIDE


def draw(moment: Moment, width: float) -> Iterator[Mark]:
    stage, load = NARROW if width == NARROW.width else WIDE, moment.result
    shown = shown_users(moment)
    yield from draw_answer(stage, replace(load, batch=shown))
    yield from draw_bars(stage, load, shown)
    yield from draw_regions(stage, load.model, load.gpu)
    if moment.since("limits"):
        yield from draw_full(stage, load.model, load.gpu, load.limits.least)
    yield from draw_times(stage)
    yield from draw_scales(stage)
    yield from draw_lines(stage, load.model, load.gpu, load.context)
    if moment.since("limits"):
        yield from draw_turns(stage, load.model, load.gpu, load.context)
    yield from draw_here(stage, load, shown)
    yield from draw_place(stage, load, shown)
    if not stage.narrow and moment.since("shared"):
        yield from draw_facts(stage, load)


def shown_users(moment: Moment) -> int:
    """One in the first chapter, and all that were chosen from then on."""
    load: Load = moment.result
    return 1 if moment.phase == "alone" else load.batch
