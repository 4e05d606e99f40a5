"""The picture of coalescing: 32 threads reach for their bytes, and memory answers in whole sectors."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby

from loom.draw import Box, Mark, Pen

from .curve import draw_curve
from .model import LANES, LINE, SECTOR
from .moments import ASK, COUNT, FETCH, State
from .stage import WAVE, Stage, landings, thread, unused_runs
from .words import counted, span_words, wish


def draw(state: State, width: float) -> Iterator[Mark]:
    stage = Stage(Pen(width))
    yield from draw_memory(stage, state)
    yield from draw_threads(stage, state)
    yield from draw_lines(stage, state)
    yield from draw_bytes(stage, state)
    yield from draw_curve(stage, state)


def draw_memory(stage: Stage, state: State) -> Iterator[Mark]:
    """The sectors side by side, each a column of 32 bytes, with the bytes that the lanes asked for."""
    pen, load = stage.pen, state.load
    for slot in range(len(load.sectors)):
        yield pen.rect(f"sector-{slot}", stage.column(slot), "cell", round=0)
    if state.step >= FETCH:
        gap = 4.5 if pen.narrow else 6.5
        parts = [pen.hatch("part", stage.part(*run), gap=gap).shape["d"] for run in unused_runs(load)]
        yield Mark("unused", "path", "dropped thin", {"d": "".join(map(str, parts)) or "M0 0"})
    x, room = stage.column(len(load.sectors) - 1).right + 6, pen.room(f"byte {SECTOR - 1}")
    if x + room <= stage.side:
        for byte, middle in ((0, stage.memory.y + 0.5 * pen.size), (SECTOR - 1, stage.memory.bottom - 0.5 * pen.size)):
            yield pen.text(f"byte-{byte}", x, middle, f"byte {byte}", "note", middle=True)
    for lane in range(LANES):
        part = stage.part(int(load.slots[lane]), int(load.addresses[lane]) % SECTOR, load.element)
        yield pen.rect(f"asked-{lane}", part.inset(bottom=1), "hot" if state.step == ASK else "kept", round=0)


def draw_threads(stage: Stage, state: State) -> Iterator[Mark]:
    """The warp as 32 threads, each drawn out to the sector that holds its bytes."""
    pen, (top, end), low = stage.pen, stage.lanes, stage.memory.y
    landing = landings(state.load, stage)
    for lane in range(LANES):
        points = thread((stage.lane(lane), end), (landing[lane], low))
        yield pen.path(f"thread-{lane}", points, "hot thin" if state.step == ASK else "link thin")
    scale = (end - top) / 16
    stubs = [[(stage.lane(lane), top + WAVE[lane % len(WAVE)] * scale / 2), (stage.lane(lane), end)]
             for lane in range(LANES)]  # fmt: skip
    yield pen.strokes("warp", stubs, "data")
    base = pen.size * 0.85
    yield pen.text("lane-first", 0, base, "lane 0", "note")
    yield pen.text("lane-last", stage.strip, base, f"lane {LANES - 1}", "note", anchor="end")
    yield pen.text("warp-wish", stage.strip / 2, base, wish(state.load), "label", anchor="middle")


def draw_lines(stage: Stage, state: State) -> Iterator[Mark]:
    """Which columns share a cache line, and how many there are of both."""
    pen, load, y = stage.pen, state.load, stage.memory.bottom + 5
    if state.step >= COUNT:
        groups = [
            list(group) for _, group in groupby(range(len(load.sectors)), lambda at: load.sectors[at] * SECTOR // LINE)
        ]
        edges = [(stage.column(group[0]).x, stage.column(group[-1]).right) for group in groups]
        yield pen.strokes("lines", ([(a, y), (a, y + 4), (b, y + 4), (b, y)] for a, b in edges), "axis thin")
    base = y + pen.size + 7
    words = span_words(load, pen.narrow) if state.step == ASK else counted(load, state.step >= COUNT)
    yield pen.text("memory-words", 0, base, words, "note" if state.step == ASK else "label")


def draw_bytes(stage: Stage, state: State) -> Iterator[Mark]:
    """The bytes moved on the scale of the columns above: first what was used, then the rest."""
    if state.step < COUNT:
        return
    pen, load, bar = stage.pen, state.load, stage.bar
    unit = stage.pitch / SECTOR
    used, moved = load.useful * unit, load.moved * unit
    rest = Box(bar.x + used, bar.y, moved - used, bar.height)
    yield pen.rect("moved", Box(bar.x, bar.y, moved, bar.height), "cell", round=0)
    yield pen.hatch("rest", rest, "dropped thin", gap=5 if pen.narrow else 7)
    yield pen.rect("useful", Box(bar.x, bar.y, used, bar.height), "kept", round=0)
    x, y = bar.x, bar.bottom + pen.size + 4
    for key, words, role in (
        ("moved", f"{load.moved:,} bytes move:", "label"),
        ("useful", f"{load.useful:,} used,", "kept strong"),
        ("rest", f"{load.moved - load.useful:,} unused", "dropped strong"),
    ):
        yield pen.text(f"{key}-words", x, y, words, role)
        x += pen.room(words, strong="strong" in role) + pen.room(" ")
