"""Warps as rows over time, and under them the issue slots: used, or empty and hatched."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from loom.draw import Axis, Box, Mark, bracket, count, tidy

from .model import NOBODY, SLOTS, stretches
from .moments import ALONE, LANE, State
from .stage import Stage
from .words import percent

THIN = 1.2  # the least width of a run, so that one cycle of many can be seen


def draw_rows(stage: Stage, state: State) -> Iterator[Mark]:
    """16 warp slots; in each warp's the runs that it issues, and dotted its waits for memory."""
    pen, rows, warps = stage.pen, stage.rows, state.shown.warps
    unit = rows.width / state.window
    yield pen.text("rows-title", 0, pen.size, f"one scheduler with room for {SLOTS} warps, over time", "note")
    middles = [stage.row(slot).y + stage.row(slot).height / 2 for slot in range(SLOTS)]
    d = _level((rows.x, rows.right, y) for y in middles)
    yield Mark("tracks", "path", "grid", {"d": d})
    for warp in range(warps):
        row, y = stage.row(warp), middles[warp]
        runs = stretches(state.slots == warp)
        waits = [(end, min(end + state.load.latency, state.window)) for _, end in runs if end < state.window]
        d = _level((rows.x + a * unit, rows.x + b * unit, y) for a, b in waits)
        if d:
            yield Mark(f"wait-{warp}", "path", "ghost", {"d": d})
        for at, (start, end) in enumerate(runs):
            place = Box(rows.x + start * unit, row.y, max((end - start) * unit, THIN), row.height)
            yield pen.rect(f"run-{warp}-{at}", place, "kept", round=1)
    yield from _names(stage, state, middles)


def _level(lines: Iterable[tuple[float, float, float]]) -> str:
    """The path of level lines, each from one x to another at its y."""
    return "".join(f"M{tidy(x1)} {tidy(y)}L{tidy(x2)} {tidy(y)}" for x1, x2, y in lines)


def _names(stage: Stage, state: State, middles: list[float]) -> Iterator[Mark]:
    """How many warps, how many free slots, and what one warp does while it is alone."""
    pen, rows, warps = stage.pen, stage.rows, state.shown.warps
    top, bottom = stage.row(0).y, stage.row(warps - 1).y + stage.row(0).height
    yield pen.line("warps-rule", rows.x - 6, top, rows.x - 6, bottom, "kept")
    y = max((top + bottom) / 2, pen.size * 0.5 + top - 3)
    yield pen.text("warps-name", rows.x - 12, y, count(warps, "warp"), "label strong", anchor="end", middle=True)
    free = SLOTS - warps
    if free:
        yield pen.text("free", rows.right, (middles[warps] + middles[-1]) / 2, f"{count(free, 'free warp slot')}",
                       "note", anchor="end", middle=True)  # fmt: skip
    if state.step == ALONE:
        words = f"issues {state.load.instructions}, then waits {state.load.latency} cycles for memory"
        yield pen.text("alone", rows.x, middles[1] + 0.9 * pen.size, words, "label")


def draw_lane(stage: Stage, state: State) -> Iterator[Mark]:
    """The scheduler's issue slots, one a cycle."""
    pen, lane, shown = stage.pen, stage.lane, state.shown
    unit = lane.width / state.window
    yield pen.rect("lane", lane, "cell", round=0)
    if state.step >= LANE:
        empty = stretches(state.slots == NOBODY)
        boxes = [Box(lane.x + a * unit, lane.y, (b - a) * unit, lane.height) for a, b in empty]
        d = "".join(str(pen.hatch("", box, gap=8 if pen.narrow else 10).shape["d"]) for box in boxes)
        if d:
            yield Mark("empty", "path", "dropped thin", {"d": d})
    for at, (start, end) in enumerate(stretches(state.slots != NOBODY)):
        place = Box(lane.x + start * unit, lane.y, max((end - start) * unit, THIN), lane.height)
        yield pen.rect(f"used-{at}", place, "hot", round=0)
    x = lane.x - 8
    yield pen.text("lane-name", x, lane.y + 0.75 * pen.size, "issue slots", "label", anchor="end")
    words = f"{percent(shown.used)} used"
    y = lane.y + (2 if pen.narrow else 2.1) * pen.size
    yield pen.text("lane-used", x, y, words, "hot strong", anchor="end")
    yield from _time(stage, state)


def _time(stage: Stage, state: State) -> Iterator[Mark]:
    """Cycles under the lane, and from the third step what one turn of them holds."""
    pen, lane, load = stage.pen, stage.lane, state.load
    unit = lane.width / state.window
    base = lane.bottom + pen.size + 6
    yield pen.text("cycle", lane.x - 8, base, "cycle", "note", anchor="end")
    for tick in Axis("cycle", span=(0, state.window)).marks(4):
        x, words = lane.x + tick * unit, f"{tick:,.0f}"
        if tick != round(tick) or x + pen.room(words) / 2 > pen.width:
            continue
        yield pen.line(f"tick-{tick:g}", x, lane.bottom, x, lane.bottom + 4, "axis")
        yield pen.text(f"tick-{tick:g}-label", x, base, words, "note", anchor="middle")
    if state.step >= LANE:
        rest = "all used" if not load.idle else f"{load.issues} used, {load.idle} empty"
        words = f"{load.turn} cycles: {rest}"
        yield from bracket(pen, "turn", lane.x, lane.x + load.turn * unit, base + 6, words)
