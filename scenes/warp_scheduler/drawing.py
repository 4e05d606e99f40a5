"""The picture of one beat: warps as rows over time, the issue slots under them, and a playhead over both."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import cache

from loom.draw import Axis, Box, Mark, Pen, count, headline, memoized
from loom.scene import Moment

from .curve import draw_curve, percent
from .machine import clock, draw_given, draw_rings, draw_used, given
from .model import NOBODY, SLOTS, Cycles, Load, stretches

THIN = 1.2  # the least width of a run, so that one cycle of many can be seen


class Stage:
    """The warps' rows with the issue slots under them; the answer beside them, or under them on a phone."""

    def __init__(self, pen: Pen) -> None:
        self.pen = pen
        self.rows = rows = pen.pick(Box(82, 20, 242, SLOTS * 6), Box(104, 28, 520, SLOTS * 12))
        gap = pen.pick(1, 2)
        self.slots = [row.inset(top=gap, bottom=gap) for row in rows.rows(SLOTS)]  # of a warp each
        self.lane = Box(rows.x, rows.bottom + pen.pick(8, 12), rows.width, pen.pick(18, 24))  # the issue slots
        self.second = self.lane._replace(y=self.lane.bottom + 4, height=pen.pick(15, 24))  # of a GPU
        self.answer = pen.pick((0, 210), (664, 62))
        self.plot = pen.pick(Box(206, 204, 114, 44), Box(700, 162, 132, 98))

    def bar(self, row: Box, window: int, start: float, end: float, least: float = 0) -> Box:
        """The box of some cycles in a row that is `window` cycles long."""
        unit = row.width / window
        return Box(row.x + start * unit, row.y, max((end - start) * unit, least), row.height)


@cache
def stage_of(width: float) -> Stage:
    return Stage(Pen(width))


def draw(moment: Moment, width: float) -> Iterator[Mark]:
    stage, load, measured = stage_of(width), moment.result, moment.phase == "machine"
    shown = given(load) if measured else Load(1, load.latency, load.instructions) if moment.phase == "alone" else load
    window = 2 * (shown if measured else load).turn  # the same stretch of time at all steps
    slots, playing = shown.issued(window), moment.phase in ("alone", "together") or (measured and moment.progress < 1)
    now, behind = clock(moment)
    yield from draw_rows(stage, shown, window, load.warps)
    yield from draw_lane(stage, shown, window)
    if playing:
        yield from draw_now(stage, moment.phase, now)
    words = f"room for {SLOTS - load.warps} more warps"
    if moment.phase == "curve" and load.warps < min(load.saturate, SLOTS):
        yield from draw_coming(stage, load)
        words = more(load)
    yield from draw_free(stage, load.warps, words)
    yield from draw_names(stage, measured)
    yield from draw_axis(stage, window, stage.second if measured else stage.lane)
    yield from draw_hand(stage, load)
    yield from draw_answer(stage, slots[: round(behind * len(slots))], measured)
    if moment.since("curve"):
        yield from draw_curve(stage.pen, stage.plot, shown, 1 if measured else moment.progress, " modelled" * measured)
    if measured:
        yield from draw_given(stage.pen, stage.rows)
        if not playing:
            yield from draw_rings(stage.pen, stage.plot)
        yield from draw_used(stage.pen, stage.second, load.warps, not playing)


@memoized
def draw_rows(stage: Stage, shown: Load, window: int, warps: int) -> Iterator[Mark]:
    """In each warp's row the runs that it issues, and between them its waits for memory."""
    pen, rows, slots = stage.pen, stage.rows, shown.issued(window)
    middles = [row.y + row.height / 2 for row in stage.slots]
    yield pen.strokes("tracks", ([(rows.x, y), (rows.right, y)] for y in middles[:warps]), "grid")
    for warp in range(shown.warps):
        row, y, runs = stage.slots[warp], middles[warp], stretches(slots == warp)
        waits = [stage.bar(row, window, end, min(end + shown.latency, window)) for _, end in runs if end < window]
        yield pen.strokes(f"wait-{warp}", ([(box.x, y), (box.right, y)] for box in waits), "memory thin")
        for at, run in enumerate(runs):
            told = f"warp {warp}: {cycles(*run)}"
            yield pen.rect(f"run-{warp}-{at}", stage.bar(row, window, *run, THIN), "work", round=1, read=told)


def cycles(start: int, end: int) -> str:
    """Which cycles a stretch has."""
    return f"cycle {start:,}" if end - start == 1 else f"cycles {start:,} to {end - 1:,}"


@memoized
def draw_free(stage: Stage, warps: int, words: str) -> Iterator[Mark]:
    """Where more warps have room: none of it is a row before there is a warp for it."""
    pen, free = stage.pen, stage.slots[warps:]
    if not free:
        return
    box = Box(free[0].x, free[0].y, free[0].width, free[-1].bottom - free[0].y)
    yield pen.rect("free", box, "ghost soft", round=3)
    if box.height > 1.6 * pen.size:
        place = (box.x + box.width / 2, box.y + box.height / 2)
        yield pen.text("free-words", *place, words, "note halo", anchor="middle", middle=True)


@memoized
def draw_coming(stage: Stage, load: Load) -> Iterator[Mark]:
    """When further warps would issue: in the cycles that are empty now, until all are used or no more warps fit."""
    starts = [
        (warp, warp * load.instructions + turn * load.period)
        for warp in range(load.warps, min(load.saturate, SLOTS)) for turn in range(2)
    ]  # fmt: skip
    boxes = [stage.bar(stage.slots[warp], 2 * load.period, start, start + load.instructions, THIN)
             for warp, start in starts]  # fmt: skip
    yield stage.pen.strokes("coming", (box.corners for box in boxes), "work soft solid")


def more(load: Load) -> str:
    """What they would come to."""
    if load.saturate <= SLOTS:
        return f"{load.saturate - load.warps} more would fill all slots"
    return f"with {SLOTS - load.warps} more, {percent(replace(load, warps=SLOTS).used)}"


@memoized
def draw_lane(stage: Stage, shown: Load, window: int) -> Iterator[Mark]:
    """The scheduler's issue slots, one a cycle: what all warps issue, one after the other."""
    pen, lane, slots = stage.pen, stage.lane, shown.issued(window)
    boxes = [stage.bar(lane, window, *stretch) for stretch in stretches(slots == NOBODY)]
    words = "all wait" if shown.warps > 1 else "it waits"
    room = pen.text_width(words, strong=True) + 10
    said = boxes and boxes[0].width > room + 4
    if said:  # words are not struck through by the hatching around them
        box, side = boxes[0], (boxes[0].width - room) / 2
        boxes = [box._replace(width=side), box.inset(left=box.width - side), *boxes[1:]]
    yield pen.outlines("lane", [lane], "grid")
    yield pen.hatches("empty", boxes, "dropped thin", pen.pick(8, 10))
    for at, used in enumerate(stretches(slots != NOBODY)):
        told = f"an instruction in {'each of ' * (used[1] - used[0] > 1)}{cycles(*used)}"
        yield pen.rect(f"used-{at}", stage.bar(lane, window, *used, THIN), "work", round=0, read=told)
    if said:
        place = (box.x + box.width / 2, box.y + box.height / 2)
        yield pen.text("empty-words", *place, words, "dropped strong", anchor="middle", middle=True)


def draw_now(stage: Stage, phase: str, now: float) -> Iterator[Mark]:
    """The playhead of a chapter in which time passes, and a cover over what has not happened in it yet."""
    pen, rows, lane = stage.pen, stage.rows, stage.lane
    x, top = rows.x + now * rows.width, rows.y - 4
    yield pen.rect(f"{phase}-future", Box(x, top, rows.right + 1 - x, lane.bottom + 1 - top), "cell steady", round=0)
    yield pen.line(f"{phase}-now", x, top, x, lane.bottom + 3, "hot steady")


@memoized
def draw_names(stage: Stage, measured: bool) -> Iterator[Mark]:
    """What is drawn how; on a phone, what the GPU was given takes the place of that."""
    pen, rows, lane = stage.pen, stage.rows, stage.lane
    base, x = 0.8 * pen.size, rows.x
    yield pen.text("lane-name", lane.x - 8, lane.y + lane.height / 2, "issue slots", anchor="end", middle=True)
    if measured and pen.narrow:
        return
    yield pen.rect("legend-run", Box(x, base - 8, 14, 8), "work", round=1)
    yield pen.text("legend-run-words", x + 19, base, "issues")
    x += 19 + pen.text_width("issues") + 16
    yield pen.line("legend-wait", x, base - 4, x + 18, base - 4, "memory thin")
    yield pen.text("legend-wait-words", x + 23, base, "waits for memory")


@memoized
def draw_axis(stage: Stage, window: int, lane: Box) -> Iterator[Mark]:
    """The cycles, under the lowest lane."""
    pen, rows = stage.pen, stage.rows
    base = lane.bottom + pen.size + 5
    yield pen.text("cycle", lane.x - 8, base, "cycle", "note", anchor="end")
    for tick in Axis("cycle", span=(0, window)).tick_values(4):
        x, words = lane.x + tick * lane.width / window, f"{tick:,.0f}"
        if tick == round(tick) and x + pen.text_width(words) / 2 <= rows.right + 4:
            yield pen.line(f"tick-{tick:g}", x, lane.bottom, x, lane.bottom + 4, "axis")
            yield pen.text(f"tick-{tick:g}-label", x, base, words, "note", anchor="middle")


@memoized
def draw_hand(stage: Stage, load: Load) -> Iterator[Mark]:
    """The warps that there are, held together on the left; the lower end is taken hold of to have more."""
    pen = stage.pen
    x = stage.rows.x - pen.pick(15, 17)  # clear of the rows
    rail = [(x, slot.y + slot.height / 2) for slot in stage.slots]
    _, y = rail[load.warps - 1]
    yield pen.line("warps-rule", x, stage.slots[0].y, x, y, "hot")
    words = count(load.warps, "warp")
    yield pen.text("warps-name", x - pen.pick(17, 20), y, words, "label strong", anchor="end", middle=True)
    yield pen.knob("warps", x, y, "warps", rail)


def draw_answer(stage: Stage, behind: Cycles, foreseen: bool) -> Iterator[Mark]:
    """The share of the issue slots used until now, or that the formula foresees for a GPU."""
    pen, (x, y) = stage.pen, stage.answer
    share = percent(100 * float((behind != NOBODY).mean())) if len(behind) else "–"  # of no cycle there is none
    words = ("of the slots used,", "by the formula") if foreseen else ("of the cycles, an", "instruction is issued")
    yield from headline(pen, x, y, share, words, under=True)
