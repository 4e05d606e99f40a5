"""The picture: the arithmetic and its buffers over time, under a playhead, and how much of the time is waited."""

from __future__ import annotations

from collections.abc import Iterator

from loom.draw import Box, Mark, bracket, count, hatching
from loom.scene import Moment

from .machine import given
from .model import STAGES, UNIT, WINDOW, Pipeline, steady_span
from .score import draw_done, draw_enough
from .timeline import Stage, now


def draw(moment: Moment, width: float) -> Iterator[Mark]:
    stage, measured = Stage(width, now(moment)), moment.phase == "machine"
    one = given(moment.result) if measured else moment.result
    yield from draw_lanes(stage, one)
    yield from draw_loads(stage, one)
    yield from draw_waits(stage, one)
    yield from draw_arithmetic(stage, one)
    yield from draw_time(stage)
    if moment.since("steady"):
        yield from draw_steady(stage, one)
        yield from draw_enough(stage, one, measured)
    else:
        yield from draw_done(stage, one)
    yield from draw_hand(stage, one)


def draw_lanes(stage: Stage, one: Pipeline) -> Iterator[Mark]:
    """The floors and names. A buffer that is not there is a strip; pressing a lane keeps the buffers down to it."""
    pen, thin = stage.pen, stage.pen.pick(7, 10)
    for lane, row in stage.rows.items():
        number = int(lane.removeprefix("buffer ")) if lane != "compute" else 0
        key, there = f"lane-{lane.replace(' ', '-')}", number <= one.stages
        role = "cell soft" if there else "ghost soft"
        middle = row.y + row.height / 2
        row = row if there else row.inset(top=thin, bottom=thin)
        if number and number != one.stages:
            words = f"have {count(number, 'buffer')}"
            yield pen.rect(key, row, role, set={"stages": number}, label=words)
        else:
            yield pen.rect(key, row, role)
        words = "compute" if not number else f"buffer {number}"
        yield pen.text(f"{key}-name", 0, middle, words, "label" if there else "note", middle=True)


def draw_loads(stage: Stage, one: Pipeline) -> Iterator[Mark]:
    """Each tile on its way into its buffer, kept there until the arithmetic comes to it, and read."""
    for tile, (asked, landed, start, end) in enumerate(zip(*(times.tolist() for times in one.shown), strict=True)):
        lane, name = f"buffer {tile % one.stages + 1}", str(tile + 1)
        for what, begin, finish, role, choices in (
            ("load", asked, landed, "memory outline", (f"load {name}", name)),
            ("held", landed, start, "memory soft", (f"{name} ready", name)),
            ("read", start, end, "work soft", (f"read {name}", name)),
        ):
            box = stage.span(lane, begin, finish) if finish > begin else None
            if box is None:
                continue
            told = f"tile {name}: {TOLD[what]} from {begin:,} to {finish:,} cycles"
            yield stage.pen.rect(f"{what}-{tile}", box.inset(0, 2, 0, 2), f"{role} steady", read=told)
            if finish <= stage.now:
                yield from stage.words(f"{what}-{tile}-words", box, *choices)


TOLD = {"load": "on its way", "held": "waits in its buffer", "read": "is read"}


def draw_waits(stage: Stage, one: Pipeline) -> Iterator[Mark]:
    """Hatching where the arithmetic has nothing to compute on, unit by unit as time goes on."""
    row, shown = stage.rows["compute"], one.shown
    for free, start in zip([0, *shown.end.tolist()], [*shown.start.tolist(), WINDOW], strict=True):
        wait = Box(stage.x(free), row.y, stage.x(min(start, WINDOW)) - stage.x(free), row.height).inset(1, 2, 1, 2)
        for unit in range(free, min(start, stage.now), UNIT):
            lines = hatching(wait, stage.x(unit), stage.x(unit + UNIT))
            yield stage.pen.strokes(f"wait-{unit}", lines, "dropped thin")


def draw_arithmetic(stage: Stage, one: Pipeline) -> Iterator[Mark]:
    """The arithmetic of each tile."""
    for tile, (start, end) in enumerate(zip(one.shown.start.tolist(), one.shown.end.tolist(), strict=True)):
        box = stage.span("compute", start, end)
        if box:
            told = f"tile {tile + 1}: computed on from {start:,} to {end:,} cycles"
            yield stage.pen.rect(f"compute-{tile}", box.inset(0, 2, 0, 2), "work soft steady", read=told)
            if end <= stage.now:
                yield from stage.words(f"compute-{tile}-words", box, str(tile + 1), role="value strong")


def draw_time(stage: Stage) -> Iterator[Mark]:
    """The time axis and the playhead through all lanes."""
    pen, here, top = stage.pen, stage.x(stage.now), stage.rows["compute"].y
    words, base = f"{stage.now:,} cycles", stage.floor + pen.size + 3
    half = pen.text_width(words, strong=True) / 2
    centre = min(here, pen.width - half)
    for cycle in range(0, WINDOW + 1, 600):
        x = min(stage.x(cycle), pen.width - pen.text_width(f"{cycle:,}") / 2)
        if abs(x - centre) > half + 20:
            yield pen.text(f"time-{cycle}", x, base, f"{cycle:,}", "note", anchor="middle")
    yield pen.line("now", here, top - 3, here, stage.floor, "hot steady")
    yield pen.text("now-words", centre, base, words, "hot strong steady", anchor="middle")


def draw_steady(stage: Stage, one: Pipeline) -> Iterator[Mark]:
    """One period of the rhythm, over the arithmetic."""
    pen, top = stage.pen, stage.rows["compute"].y
    tiles, start, end = steady_span(one)
    left, right = stage.x(start), stage.x(end)
    yield from bracket(pen, "steady", left, right, top - 4, below=False)
    words = f"{count(tiles, 'tile')} in {end - start:,} cycles"
    half = pen.text_width(words, strong=True) / 2
    middle = min(max((left + right) / 2, half), stage.rows["compute"].right - half)
    yield pen.text("steady-words", middle, top - 15, words, "label strong", anchor="middle")
    if one.stages < one.needed <= STAGES[-1]:
        row = stage.rows[f"buffer {one.needed}"]
        words = f"with {one.needed} it never waits"
        yield pen.text("enough", row.x + 10, row.y + row.height / 2, words, "label strong halo answer", middle=True)


def draw_hand(stage: Stage, one: Pipeline) -> Iterator[Mark]:
    """The buffers that there are, held together on the left; the lower end is taken hold of to have more."""
    pen, rows, x = stage.pen, stage.rows, stage.margin - stage.pen.pick(9, 14)
    middles = [rows[f"buffer {number}"].y + rows[f"buffer {number}"].height / 2 for number in STAGES]
    yield pen.line("kept", x, rows["buffer 1"].y, x, middles[one.stages - 1], "hot")
    yield pen.knob("stages", x, middles[one.stages - 1], "stages", [(x, y) for y in middles])
