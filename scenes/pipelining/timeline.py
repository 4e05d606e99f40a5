"""The lanes: arithmetic without waits, arithmetic as it is, the memory pipe, and each buffer filled and read."""

from __future__ import annotations

from collections.abc import Iterator

from loom.draw import Box, Mark, bracket

from .model import Pipeline
from .moments import AHEAD, STEADY, State
from .stage import Stage, around, steady_span
from .words import short, tally


def draw_timeline(stage: Stage, state: State) -> Iterator[Mark]:
    one, pen = state.pipeline, stage.pen
    yield pen.text("tally", 0, pen.size, tally(one), "label")
    yield from _lanes(stage, state)
    yield from _axis(stage, one)
    yield from _ideal(stage, one)
    yield from _loads(stage, one)
    yield from _arithmetic(stage, one)
    if state.step >= STEADY:
        yield from _steady(stage, one)


def _lanes(stage: Stage, state: State) -> Iterator[Mark]:
    """The floors and names. A buffer that is not there yet is an outline, and adds itself when pressed."""
    pen, there = stage.pen, state.pipeline.stages
    for lane, (top, height) in stage.rows.items():
        number = int(lane.removeprefix("buffer ")) if lane.startswith("buffer") else 0
        box = Box(stage.margin, top, pen.width - stage.margin - 1, height)
        role, key = "cell soft" if number <= there else "ghost soft", f"lane-{lane.replace(' ', '-')}"
        if number and number != state.chosen.stages and state.step >= AHEAD:
            words = f"keep {number} stage{'s' if number > 1 else ''}"
            yield pen.rect(key, box, role, set={"stages": number}, label=words)
        elif lane != "ideal":
            yield pen.rect(key, box, role)
        words = stage.names.get(lane, lane)
        yield pen.text(f"{key}-name", 0, top + height / 2, words, "label" if number <= there else "note", middle=True)


def _axis(stage: Stage, one: Pipeline) -> Iterator[Mark]:
    """Time, marked at every round trip of a single buffer."""
    pen, top = stage.pen, stage.rows["pipe"][0]
    for turn in range(4):
        x, words = stage.x(turn * one.trip), f"{turn * one.trip:,}"
        yield pen.line(f"time-{turn}", x, top - 3, x, stage.floor, "grid")
        anchor = "start" if turn == 0 else "end" if turn == 3 else "middle"
        words = f"{words} cycles" if turn == 3 else words
        yield pen.text(f"time-{turn}-words", x, stage.floor + 5 + pen.size, words, "note", anchor=anchor)
    ticks = (stage.x(turn * one.trip) for turn in range(4))
    yield pen.strokes("time-ticks", ([(x, stage.floor), (x, stage.floor + 4)] for x in ticks))


def _ideal(stage: Stage, one: Pipeline) -> Iterator[Mark]:
    """What the arithmetic could do if every tile were there already."""
    box = stage.span("ideal", 0, one.window)
    joints = [stage.x(cycle) for cycle in range(0, one.window + 1, one.compute)]
    edges = [[(joints[0], y), (stage.x(one.window), y)] for y in (box.y, box.bottom)]
    yield stage.pen.strokes("ideal", [*edges, *([(x, box.y), (x, box.bottom)] for x in joints)], "kept thin")


def _loads(stage: Stage, one: Pipeline) -> Iterator[Mark]:
    """Each tile on its way into its buffer, its turn in the memory pipe, and its buffer kept until it is read."""
    pen, times = stage.pen, one.shown
    for tile, (asked, landed, start, end) in enumerate(
        zip(times.asked.tolist(), times.landed.tolist(), times.start.tolist(), times.end.tolist(), strict=True)
    ):
        lane = f"buffer {tile % one.stages + 1}"
        box = stage.span(lane, asked, landed)
        yield pen.rect(f"load-{tile}", box, "data soft")
        yield from _words(stage, f"load-{tile}-words", box, (f"load {tile + 1}", str(tile + 1)))
        if landed - one.transfer < one.window:
            yield pen.rect(f"pipe-{tile}", stage.span("pipe", landed - one.transfer, landed), "data")
        if landed < min(start, one.window):
            held = stage.span(lane, landed, start)
            yield pen.rect(f"held-{tile}", held, "quiet")
            yield from _words(stage, f"held-{tile}-words", held, ("ready",))
        if start < one.window:
            read = stage.span(lane, start, end)
            yield pen.rect(f"read-{tile}", read, "kept outline")
            yield from _words(stage, f"read-{tile}-words", read, ("read",))


def _words(stage: Stage, key: str, box: Box, choices: tuple[str, ...], role: str = "value") -> Iterator[Mark]:
    """The first of the choices that has room in the box, if any."""
    pen = stage.pen
    for words in choices:
        if pen.room(words, strong="strong" in role) + 2 <= box.width:
            middle = (box.x + box.width / 2, box.y + box.height / 2)
            yield pen.text(key, *middle, words, role, anchor="middle", middle=True)
            return


def _arithmetic(stage: Stage, one: Pipeline) -> Iterator[Mark]:
    """The arithmetic of each tile, and its waits between them."""
    pen, free = stage.pen, 0
    for tile, (start, end) in enumerate(zip(one.shown.start.tolist(), one.shown.end.tolist(), strict=True)):
        if free < min(start, one.window):
            wait = stage.span("compute", free, start)
            words = f"waits {short(start - free)}"
            words = words if pen.room(words) + 16 <= wait.width else short(start - free)
            yield from around(f"wait-{tile}", pen, wait, words if start <= one.window else "")
        if start < one.window:
            box = stage.span("compute", start, end)
            yield pen.rect(f"compute-{tile}", box, "kept soft")
            yield from _words(stage, f"compute-{tile}-words", box, (str(tile + 1),), "value strong")
        free = end


def _steady(stage: Stage, one: Pipeline) -> Iterator[Mark]:
    """One period, and around what sets it, a frame."""
    pen = stage.pen
    tiles, start, end = steady_span(one)
    top, height = stage.rows["compute"]
    lane = {"round trip": "buffer 1", "compute": "compute", "memory": "pipe"}[one.bound]
    box = stage.span(lane, start, end)
    frame = Box(box.x - 1, box.y - 1.5, box.width + 2, box.height + 3)
    yield pen.rect("bound", frame, "hot outline strong", round=2)
    left, right = stage.x(start), stage.x(end)
    yield from bracket(pen, "steady", left, right, top + height + 3, role="hot")
    each = f"{short(one.period)} cycles a tile"
    whole = f"{tiles} tiles in {short(end - start)} cycles: {short(one.period)} a tile"
    words = each if tiles == 1 or pen.room(whole, strong=True) > right - left - 8 else whole
    if pen.narrow and one.bound == "round trip":
        words = f"{short(one.period)} a tile"
    yield pen.text("steady-words", (left + right) / 2, top + height + 13 + pen.size, words, "hot strong",
                   anchor="middle")  # fmt: skip
    foot = stage.rows[lane][0]
    if lane != "compute":
        # Below the words, where these are wider than the bracket.
        begin = top + height + (9 if one.bound == "round trip" else 18 + pen.size)
        drops = [[(x, begin), (x, foot - 2)] for x in (left, right)]
        yield pen.strokes("steady-drops", drops, "hot thin dashed")
