"""The picture: the arithmetic and its buffers over time, under a playhead, and how much of the time is waited."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache

from loom.draw import Box, Mark, count, memoized
from loom.scene import Moment

from .machine import SWEEPS, given, times
from .model import STAGES, WINDOW, Pipeline
from .rhythm import done, draw_steady, shared
from .score import draw_curve, draw_done, draw_enough, draw_memory
from .timeline import Stage, now, stage_at


def draw(moment: Moment, width: float) -> Iterator[Mark]:
    stage, measured = stage_at(width, now(moment)), moment.phase == "machine"
    one, whole = given(moment.result) if measured else moment.result, stage_at(width, WINDOW)
    yield from draw_lanes(whole, one.stages, one.needed if moment.since("steady") and done(moment) else 0)
    told = WINDOW if measured else stage.now  # in the last chapter, a cover lies over what has not happened yet
    yield from draw_loads(whole, one, told)
    yield from draw_waits(whole, one, told)
    yield from draw_arithmetic(whole, one, told)
    if measured and not done(moment):
        yield from draw_future(whole, whole.x(WINDOW * min(moment.beat / SWEEPS, 1)))
    else:
        yield from draw_time(stage)
    if moment.since("steady"):
        if done(moment) or not measured:
            yield from draw_steady(stage, one, moment)
        yield from draw_enough(stage, one, measured) if done(moment) else draw_done(stage, one)
        if not stage.pen.narrow:
            yield from draw_curve(stage, one, measured, measured and done(moment), shared(moment))
        if measured and not stage.pen.narrow:
            yield stage.pen.text("machine-given", 0, stage.rows["compute"].y - 15, times(moment.result))
    else:
        yield from draw_done(stage, one)
        yield from draw_memory(stage, one)
    yield from draw_hand(whole, one.stages)


@memoized
def draw_lanes(stage: Stage, stages: int, enough: int) -> Iterator[Mark]:
    """The floors and names. A buffer that is not there is a strip; pressing a lane keeps the buffers down to it.

    The one with which there are `enough` is as tall as those that are there: words stand in it.
    """
    pen, thin = stage.pen, stage.pen.pick(7, 10)
    for lane, row in stage.rows.items():
        number = int(lane.removeprefix("buffer ")) if lane != "compute" else 0
        key, there = f"lane-{lane.replace(' ', '-')}", number <= stages
        role = "cell soft" if there else "ghost soft"
        middle = row.y + row.height / 2
        row = row if there or number == enough else row.inset(top=thin, bottom=thin)
        if number and number != stages:
            words = f"have {count(number, 'buffer')}"
            yield pen.rect(key, row, role, set={"stages": number}, label=words)
        else:
            yield pen.rect(key, row, role)
        words = "compute" if not number else f"buffer {number}"
        yield pen.text(f"{key}-name", 0, middle, words, "label" if there else "note", middle=True)


def draw_loads(stage: Stage, one: Pipeline, now: int) -> Iterator[Mark]:
    """Each tile on its way into its buffer, kept there until the arithmetic comes to it, and read."""
    for tile, (asked, landed, start, end) in enumerate(zip(*(when.tolist() for when in one.shown), strict=True)):
        lane = f"buffer {tile % one.stages + 1}"
        for what, begin, finish in (("load", asked, landed), ("held", landed, start), ("read", start, end)):
            if begin < min(finish, now):
                yield from draw_load(stage, lane, tile, what, begin, finish, min(finish, now))


@memoized
def draw_load(stage: Stage, lane: str, tile: int, what: str, begin: int, finish: int, until: int) -> Iterator[Mark]:
    """One of the three, as far as it has come."""
    role, told, words = LOADS[what]
    box, name = stage.span(lane, begin, until), str(tile + 1)
    told = f"tile {name}: {told} from {begin:,} to {finish:,} cycles"
    yield stage.pen.rect(f"{what}-{tile}", box.inset(0, 2, 0, 2), f"{role} steady", read=told)
    if until == finish:
        yield from stage.words(f"{what}-{tile}-words", box, words.format(name), name)


LOADS = {
    "load": ("memory outline", "on its way", "load {}"),
    "held": ("memory soft", "waits in its buffer", "{} ready"),
    "read": ("work soft", "is read", "read {}"),
}


def draw_waits(stage: Stage, one: Pipeline, now: int) -> Iterator[Mark]:
    """Hatching where the arithmetic has nothing to compute on, and a cover over what of it is still to come."""
    shown, row = one.shown, stage.rows["compute"]
    for free, start in zip([0, *shown.end.tolist()], [*shown.start.tolist(), WINDOW], strict=True):
        if free < min(start, WINDOW):  # under the cover from the start: what is new takes a while until it shows
            yield draw_wait(stage, free, min(start, WINDOW))
    if now < WINDOW:
        x = stage.x(now)
        yield stage.pen.rect("future", row._replace(x=x, width=row.right - x), "cell steady", round=0)


@cache
def draw_wait(stage: Stage, free: int, start: int) -> Mark:
    """One wait."""
    row, left = stage.rows["compute"], stage.x(free)
    wait = Box(left, row.y, stage.x(start) - left, row.height).inset(1, 2, 1, 2)
    return stage.pen.hatch(f"wait-{free}", wait, "dropped thin")


def draw_arithmetic(stage: Stage, one: Pipeline, now: int) -> Iterator[Mark]:
    """The arithmetic of each tile."""
    for tile, (start, end) in enumerate(zip(one.shown.start.tolist(), one.shown.end.tolist(), strict=True)):
        if start < now:
            yield from draw_tile(stage, tile, start, end, min(end, now))


@memoized
def draw_tile(stage: Stage, tile: int, start: int, end: int, until: int) -> Iterator[Mark]:
    """The arithmetic of one tile, as far as it has come."""
    box, told = stage.span("compute", start, until), f"tile {tile + 1}: computed on from {start:,} to {end:,} cycles"
    yield stage.pen.rect(f"compute-{tile}", box.inset(0, 2, 0, 2), "work soft steady", read=told)
    if until == end:
        yield from stage.words(f"compute-{tile}-words", box, str(tile + 1), role="value strong")


def draw_future(stage: Stage, x: float) -> Iterator[Mark]:
    """In the last chapter: a playhead of its own, which begins anew, a cover from it on, and the time axis."""
    pen, row, base = stage.pen, stage.rows["compute"], stage.floor + stage.pen.size + 3
    cover = Box(x, row.y - 1, row.right + 1 - x, stage.floor - 2 - row.y)
    yield pen.rect("machine-future", cover, "cell steady", round=0)
    yield pen.line("machine-now", x, row.y - 3, x, stage.floor, "hot steady")
    yield from draw_ticks(stage, base, pen.width)


@memoized
def draw_time(stage: Stage) -> Iterator[Mark]:
    """The time axis and the playhead through all lanes."""
    pen, here, top = stage.pen, stage.x(stage.now), stage.rows["compute"].y
    words, base = f"{stage.now:,} cycles", stage.floor + pen.size + 3
    half = pen.text_width(words, strong=True) / 2
    centre = min(here, pen.width - half)
    yield from draw_ticks(stage, base, centre, half + 20)
    yield pen.line("now", here, top - 3, here, stage.floor, "hot steady")
    yield pen.text("now-words", centre, base, words, "hot strong steady", anchor="middle")


def draw_ticks(stage: Stage, base: float, centre: float, room: float = 0.0) -> Iterator[Mark]:
    """Times under the lanes, where the playhead's own leaves them room."""
    pen = stage.pen
    for cycle in range(0, WINDOW + 1, 600):
        x = min(stage.x(cycle), pen.width - pen.text_width(f"{cycle:,}") / 2)
        if abs(x - centre) > room:
            yield pen.text(f"time-{cycle}", x, base, f"{cycle:,}", "note", anchor="middle")


@memoized
def draw_hand(stage: Stage, stages: int) -> Iterator[Mark]:
    """The buffers that there are, held together on the left; the lower end is taken hold of to have more."""
    pen, rows, x = stage.pen, stage.rows, stage.margin - stage.pen.pick(9, 14)
    middles = [rows[f"buffer {number}"].y + rows[f"buffer {number}"].height / 2 for number in STAGES]
    yield pen.line("kept", x, rows["buffer 1"].y, x, middles[stages - 1], "hot")
    yield pen.knob("stages", x, middles[stages - 1], "stages", [(x, y) for y in middles])
