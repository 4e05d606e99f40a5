"""The picture: the arithmetic and its buffers over time, under a playhead, and how much of the time is waited."""

from __future__ import annotations

from collections.abc import Iterator

from loom.draw import Box, Mark, bracket, count, hatching, percent, plain
from loom.scene import Moment

from .machine import draw_machine
from .model import COMPUTES, LATENCIES, STAGE_KB, STAGES, UNIT, WINDOW, Pipeline, steady_span
from .timeline import Stage, now


def draw(moment: Moment, width: float) -> Iterator[Mark]:
    stage, one = Stage(width, now(moment)), moment.result
    if moment.phase == "machine":
        yield from draw_machine(stage.pen, one)
        return
    yield from draw_lanes(stage, one)
    yield from draw_loads(stage, one)
    yield from draw_waits(stage, one)
    yield from draw_arithmetic(stage, one)
    yield from draw_time(stage)
    yield from draw_score(stage, one, moment.since("steady"))
    if moment.since("steady"):
        yield from draw_steady(stage, one)
    yield from draw_handles(stage, one)


def draw_lanes(stage: Stage, one: Pipeline) -> Iterator[Mark]:
    """The floors and names. A buffer that is not there is an outline; pressing a lane keeps the buffers down to it."""
    pen = stage.pen
    for lane, row in stage.rows.items():
        number = int(lane.removeprefix("buffer ")) if lane != "compute" else 0
        key, there = f"lane-{lane.replace(' ', '-')}", number <= one.stages
        role = "cell soft" if there else "ghost soft"
        if number and number != one.stages:
            words = f"have {count(number, 'buffer')}"
            yield pen.rect(key, row, role, set={"stages": number}, label=words)
        else:
            yield pen.rect(key, row, role)
        words = "compute" if not number else f"buffer {number}"
        yield pen.text(f"{key}-name", 0, row.y + row.height / 2, words, "label" if there else "note", middle=True)


def draw_loads(stage: Stage, one: Pipeline) -> Iterator[Mark]:
    """Each tile on its way into its buffer, kept there until the arithmetic comes to it, and read."""
    for tile, (asked, landed, start, end) in enumerate(zip(*(times.tolist() for times in one.shown), strict=True)):
        lane, name = f"buffer {tile % one.stages + 1}", str(tile + 1)
        for what, begin, finish, role, choices in (
            ("load", asked, landed, "memory soft", (f"load {name}", name)),
            ("held", landed, start, "memory", ()),
            ("read", start, end, "work outline", ("read",)),
        ):
            box = stage.span(lane, begin, finish) if finish > begin else None
            if box is None:
                continue
            told = f"tile {name}: {TOLD[what]} from {begin:,} to {finish:,} cycles"
            yield stage.pen.rect(f"{what}-{tile}", box.inset(0, 2, 0, 2), f"{role} steady", read=told)
            if finish <= stage.now:
                room = box.inset(right=KNOB) if (what, tile) == ("load", 0) else box  # its end is taken hold of
                yield from stage.words(f"{what}-{tile}-words", room, *choices)


KNOB = 16  # what a knob at the end of a box takes of it
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
    half = pen.room(words, strong=True) / 2
    centre = min(here, pen.width - half)
    for cycle in range(0, WINDOW + 1, 600):
        x = min(stage.x(cycle), pen.width - pen.room(f"{cycle:,}") / 2)
        if abs(x - centre) > half + 20:
            yield pen.text(f"time-{cycle}", x, base, f"{cycle:,}", "note", anchor="middle")
    yield pen.line("now", here, top - 3, here, stage.floor, "hot steady")
    yield pen.text("now-words", centre, base, words, "hot strong steady", anchor="middle")


def draw_score(stage: Stage, one: Pipeline, steady: bool) -> Iterator[Mark]:
    """How many tiles are done, and in the end how many buffers are enough and what fewer cost."""
    pen, done = stage.pen, int((one.shown.end <= stage.now).sum())
    right, top = pen.width, stage.rows["compute"].y
    if steady:
        yield from draw_enough(stage, one)
    tally = f"{count(done, 'tile')} done"
    y = pen.pick(24, top + (128 if steady else 94))
    yield pen.text("done", right, y, tally, "value strong", anchor="end", size=pen.large)
    if pen.narrow:
        return
    memory = f"{one.stages * STAGE_KB} KB of"
    for key, words, low in (("most", f"{WINDOW // one.compute} without waits", 20), ("memory", memory, 50),
                            ("memory-2", "shared memory", 69)):  # fmt: skip
        yield pen.text(key, right, y + low, words, "note", anchor="end")


def draw_enough(stage: Stage, one: Pipeline) -> Iterator[Mark]:
    """How many buffers never keep the arithmetic waiting, and how much of the time these do."""
    pen, stall, role = stage.pen, percent(one.stall(), 2), "dropped" if one.stall() else "work"
    needed = count(one.needed, "buffer")
    if pen.narrow:
        yield pen.text("needed", 0, 24, needed, "value strong answer", size=pen.huge)
        x = pen.room(needed, size=pen.huge, strong=True) + 6
        yield pen.text("needed-words", x, 10, "never a wait", "note")
        yield pen.text("stall", x, 26, stall, f"{role} strong")
        yield pen.text("stall-words", x + pen.room(stall, strong=True) + 4, 26, f"with {one.stages}", "note")
        return
    right, top = pen.width, stage.rows["compute"].y
    yield pen.text("needed", right, top + 24, needed, "value strong answer", anchor="end", size=pen.huge)
    yield pen.text("needed-words", right, top + 45, "and it never waits", "note", anchor="end")
    yield pen.text("stall", right, top + 76, stall, f"{role} strong", anchor="end", size=pen.large)
    yield pen.text("stall-words", right, top + 96, f"waiting with {one.stages}", "note", anchor="end")


def draw_steady(stage: Stage, one: Pipeline) -> Iterator[Mark]:
    """One period of the rhythm, over the arithmetic."""
    pen, top = stage.pen, stage.rows["compute"].y
    _, start, end = steady_span(one)
    left, right = stage.x(start), stage.x(end)
    yield from bracket(pen, "steady", left, right, top - 4, below=False)
    each = f"a tile every {plain(round(one.period))} cycles"
    half = pen.room(each, strong=True) / 2
    middle = min(max((left + right) / 2, half), stage.rows["compute"].right - half)
    yield pen.text("steady-words", middle, top - 15, each, "label strong", anchor="middle")


def draw_handles(stage: Stage, one: Pipeline) -> Iterator[Mark]:
    """How many buffers there are, how long a load takes, and how long the arithmetic: at the ends of what they say."""
    pen, rows, x = stage.pen, stage.rows, stage.margin - stage.pen.pick(9, 14)
    middles = [rows[f"buffer {number}"].y + rows[f"buffer {number}"].height / 2 for number in STAGES]
    yield pen.line("kept", x, rows["buffer 1"].y, x, middles[one.stages - 1], "axis")
    yield pen.knob("stages", x, middles[one.stages - 1], "stages", [(x, y) for y in middles])
    if stage.now >= one.latency:
        y = rows["buffer 1"].bottom + 1  # clear of what is read there
        yield pen.knob("latency", stage.x(one.latency), y, "latency", [(stage.x(latency), y) for latency in LATENCIES])
    if stage.now >= one.trip:
        y = rows["compute"].bottom - 2  # clear of the tiles' numbers
        rail = [(stage.x(one.latency + compute), y) for compute in COMPUTES]
        yield pen.knob("compute", stage.x(one.trip), y, "compute", rail)
