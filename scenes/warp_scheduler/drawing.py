"""The picture of one step: warps as rows over time, the issue slots under them, and the curve of slots used."""

from __future__ import annotations

from collections.abc import Iterator

from loom.draw import Axis, Box, Mark, Pen, bracket, count
from loom.scene import Moment

from .curve import draw_curve, percent
from .model import NOBODY, SLOTS, Cycles, Load, stretches

THIN = 1.2  # the least width of a run, so that one cycle of many can be seen


class Stage:
    """The warps' rows with the issue slots under them; the curve beside them, or under them on a phone."""

    def __init__(self, pen: Pen) -> None:
        self.pen = pen
        self.rows = rows = pen.pick(Box(62, 22, 262, SLOTS * 9), Box(84, 30, 420, SLOTS * 14))
        gap = pen.pick(1, 2)
        self.slots = [row.inset(top=gap, bottom=gap) for row in rows.rows(SLOTS)]  # of a warp each
        self.lane = Box(rows.x, rows.bottom + pen.pick(9, 14), rows.width, pen.pick(25, 34))  # the issue slots
        self.plot = pen.pick(Box(36, 281, 288, 96), Box(596, 44, 236, 258))

    def bar(self, row: Box, window: int, start: int, end: int, least: float = 0) -> Box:
        """The box of some cycles in a row that is `window` cycles long."""
        unit = row.width / window
        return Box(row.x + start * unit, row.y, max((end - start) * unit, least), row.height)


def draw(moment: Moment, width: float) -> Iterator[Mark]:
    stage, load = Stage(Pen(width)), moment.result
    shown = load if moment.since("together") else Load(1, load.latency, load.instructions)
    slots = shown.issued(2 * load.turn)  # the same stretch of time at all steps
    yield from draw_rows(stage, moment, shown, slots)
    yield from draw_lane(stage, moment, shown, slots)
    yield from draw_curve(stage.pen, stage.plot, load, shown, moment.since("curve"))


def draw_rows(stage: Stage, moment: Moment, shown: Load, slots: Cycles) -> Iterator[Mark]:
    """16 warp slots; in each warp's the runs that it issues, and dotted its waits for memory."""
    pen, rows, window = stage.pen, stage.rows, len(slots)
    yield pen.text("rows-title", 0, pen.size, f"one scheduler with room for {SLOTS} warps, over time", "note")
    middles = [row.y + row.height / 2 for row in stage.slots]
    yield pen.strokes("tracks", ([(rows.x, y), (rows.right, y)] for y in middles), "grid")
    for warp in range(shown.warps):
        row, y, runs = stage.slots[warp], middles[warp], stretches(slots == warp)
        waits = [stage.bar(row, window, end, min(end + shown.latency, window)) for _, end in runs if end < window]
        if waits:
            yield pen.strokes(f"wait-{warp}", ([(box.x, y), (box.right, y)] for box in waits), "ghost")
        for at, run in enumerate(runs):
            yield pen.rect(f"run-{warp}-{at}", stage.bar(row, window, *run, THIN), "kept", round=1)
    top, bottom = stage.slots[0].y, stage.slots[shown.warps - 1].bottom
    yield pen.line("warps-rule", rows.x - 6, top, rows.x - 6, bottom, "kept")
    y = max((top + bottom) / 2, pen.size * 0.5 + top - 3)
    yield pen.text("warps-name", rows.x - 12, y, count(shown.warps, "warp"), "label strong", anchor="end", middle=True)
    if shown.warps < SLOTS:
        y, words = (middles[shown.warps] + middles[-1]) / 2, count(SLOTS - shown.warps, "free warp slot")
        yield pen.text("free", rows.right, y, words, "note", anchor="end", middle=True)
    if moment.phase == "alone":
        words = f"issues {shown.instructions}, then waits {shown.latency} cycles for memory"
        yield pen.text("alone", rows.x, middles[1] + 0.9 * pen.size, words, "label")


def draw_lane(stage: Stage, moment: Moment, shown: Load, slots: Cycles) -> Iterator[Mark]:
    """The scheduler's issue slots, one a cycle."""
    pen, lane, window = stage.pen, stage.lane, len(slots)
    yield pen.rect("lane", lane, "cell", round=0)
    empty = stretches(slots == NOBODY) if moment.since("lane") else []
    if empty:
        boxes = [stage.bar(lane, window, *stretch) for stretch in empty]
        yield pen.hatches("empty", boxes, "dropped thin", pen.pick(8, 10))
    for at, used in enumerate(stretches(slots != NOBODY)):
        yield pen.rect(f"used-{at}", stage.bar(lane, window, *used, THIN), "hot", round=0)
    x, base = lane.x - 8, lane.bottom + pen.size + 6
    yield pen.text("lane-name", x, lane.y + 0.75 * pen.size, "issue slots", "label", anchor="end")
    y = lane.y + pen.pick(2, 2.1) * pen.size
    yield pen.text("lane-used", x, y, f"{percent(shown.used)} used", "hot strong", anchor="end")
    yield pen.text("cycle", x, base, "cycle", "note", anchor="end")
    for tick in Axis("cycle", span=(0, window)).marks(4):
        x, words = lane.x + tick * lane.width / window, f"{tick:,.0f}"
        if tick == round(tick) and x + pen.room(words) / 2 <= pen.width:
            yield pen.line(f"tick-{tick:g}", x, lane.bottom, x, lane.bottom + 4, "axis")
            yield pen.text(f"tick-{tick:g}-label", x, base, words, "note", anchor="middle")
    if moment.since("lane"):  # what one turn holds
        rest = f"{shown.issues} used, {shown.idle} empty" if shown.idle else "all used"
        turn = stage.bar(lane, window, 0, shown.turn)
        yield from bracket(pen, "turn", turn.x, turn.right, base + 6, f"{shown.turn} cycles: {rest}")
