"""The picture of coalescing: 32 threads reach for their bytes, and memory answers in whole sectors."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from itertools import groupby

from loom.draw import Axis, Box, Mark, Plot, percent
from loom.scene import Moment

from .model import LANES, LINE, SECTOR, STRIDES, Case, Load
from .narration import counted, reach
from .stage import NARROW, WAVE, WIDE, Stage

BROADCAST = 0.5  # where stride 0 stands on the logarithmic axis, left of 1 and off the curve
TICKS = (1, 2, 4, 8, 16, 32)


def draw(moment: Moment, width: float) -> Iterator[Mark]:
    stage, load = NARROW if width == NARROW.width else WIDE, moment.result.load
    yield from draw_memory(stage, moment)
    yield from draw_threads(stage, load, "hot thin" if moment.phase == "ask" else "link thin")
    yield from draw_lines(stage, moment)
    if moment.since("count"):
        yield from draw_bytes(stage, load)
        yield from draw_curve(stage, moment.result, moment.phase == "curve")


@lru_cache(maxsize=2)  # drawn once for all steps
def unused(stage: Stage, load: Load) -> Mark:
    boxes = [stage.part(*run) for run in load.unused_runs]
    return stage.hatches("unused", boxes, "dropped thin", gap=stage.pick(4.5, 6.5))


@lru_cache(maxsize=2)  # drawn once for all steps
def threads(stage: Stage, load: Load) -> list[Mark]:
    return [stage.path(f"thread-{lane}", points) for lane, points in enumerate(stage.threads(load))]


def draw_memory(stage: Stage, moment: Moment) -> Iterator[Mark]:
    """The sectors side by side, each a column of 32 bytes, with the bytes that the lanes asked for."""
    load, memory, half = moment.result.load, stage.memory, 0.5 * stage.size
    columns = stage.columns[: len(load.sectors)]
    for slot, column in enumerate(columns):
        yield stage.rect(f"sector-{slot}", column, "cell", round=0)
    if moment.since("fetch"):
        yield unused(stage, load)
    x, last = columns[-1].right + 6, SECTOR - 1
    if x + stage.room(f"byte {last}") <= stage.side:
        for byte, middle in ((0, memory.y + half), (last, memory.bottom - half)):
            yield stage.text(f"byte-{byte}", x, middle, f"byte {byte}", "note", middle=True)
    role = "hot" if moment.phase == "ask" else "kept"
    for lane, (slot, address) in enumerate(zip(load.slots.tolist(), load.addresses.tolist(), strict=True)):
        part = stage.part(slot, address % SECTOR, load.element)
        words = f"lane {lane}: bytes {address} to {address + load.element - 1}"
        yield stage.rect(f"asked-{lane}", part.inset(bottom=1), role, round=0, read=words)


def draw_threads(stage: Stage, load: Load, role: str) -> Iterator[Mark]:
    """The warp as 32 threads, each drawn out to the sector that holds its bytes."""
    for mark in threads(stage, load):
        yield mark._replace(role=role)
    top, end = stage.lanes
    scale, strip, base = (end - top) / 16, stage.memory.width, stage.size * 0.85
    slots = [(at + 0.5) * strip / LANES for at in range(LANES)]
    stubs = [[(x, top + WAVE[lane % len(WAVE)] * scale / 2), (x, end)] for lane, x in enumerate(slots)]
    yield stage.strokes("warp", stubs, "data")
    yield stage.text("lane-first", 0, base, "lane 0", "note")
    yield stage.text("lane-last", strip, base, f"lane {LANES - 1}", "note", anchor="end")
    yield stage.text("warp-wish", strip / 2, base, f"{LANES} lanes, {load.element} bytes each", anchor="middle")


def draw_lines(stage: Stage, moment: Moment) -> Iterator[Mark]:
    """Which columns share a cache line, and how many there are of both."""
    load, y = moment.result.load, stage.memory.bottom + 5
    if moment.since("count"):
        lines = (load.sectors * SECTOR // LINE).tolist()
        groups = [list(group) for _, group in groupby(range(len(lines)), lines.__getitem__)]
        edges = [(stage.columns[group[0]].x, stage.columns[group[-1]].right) for group in groups]
        yield stage.strokes("lines", ([(a, y), (a, y + 4), (b, y + 4), (b, y)] for a, b in edges), "axis thin")
    ask = moment.phase == "ask"
    words = reach(load, stage.narrow) if ask else counted(load, moment.since("count"))
    yield stage.text("memory-words", 0, y + stage.size + 7, words, "note" if ask else "label")


def draw_bytes(stage: Stage, load: Load) -> Iterator[Mark]:
    """The bytes moved on the scale of the columns above: first what was used, then the rest."""
    bar, unit = stage.bar, stage.bar.width / LANES / SECTOR
    used, rest = bar.beside(load.useful * unit, (load.moved - load.useful) * unit)
    yield stage.rect("moved", Box(bar.x, bar.y, load.moved * unit, bar.height), "cell", round=0)
    yield stage.hatch("rest", rest, "dropped thin", gap=stage.pick(5, 7))
    yield stage.rect("useful", used, "kept", round=0)
    x, y = bar.x, bar.bottom + stage.size + 4
    for key, words, role in (
        ("moved", f"{load.moved:,} bytes move:", "label"),
        ("useful", f"{load.useful:,} used,", "kept strong"),
        ("rest", f"{load.moved - load.useful:,} unused", "dropped strong"),
    ):
        yield stage.text(f"{key}-words", x, y, words, role)
        x += stage.room(words, strong="strong" in role) + stage.room(" ")


def draw_curve(stage: Stage, case: Case, whole: bool) -> Iterator[Mark]:
    """Efficiency over all strides, with a dot where the reader is: first the dot, then the curve that it lies on."""
    plot = Plot(stage, stage.plot, Axis("stride", "elements", span=(BROADCAST, 32), log=True, ticks=TICKS),
                Axis("efficiency: used ÷ moved", "%", span=(0, 116), ticks=(0, 50, 100)), "eff")  # fmt: skip
    yield from plot.axes()
    x, floor = plot.at(BROADCAST, 0)
    yield stage.text("eff-x-label-0", x, floor + 5 + stage.size, "0", "note", anchor="middle")
    if whole:
        yield from _all_strides(stage, plot, case)
    yield from _here(stage, plot, case)


def _all_strides(stage: Stage, plot: Plot, case: Case) -> Iterator[Mark]:
    """The curve from stride 1 on, a ring where offset 0 would do better, and a dot to press at each stride on offer."""
    load, radius = case.load, stage.pick(3.5, 4.5)
    yield plot.curve("curve", [one.stride for one in case.curve[1:]], [one.efficiency for one in case.curve[1:]])
    aligned = case.aligned[load.stride].efficiency
    if load.pattern == "strided" and aligned > load.efficiency:
        left, top = (middle - radius for middle in plot.at(load.stride or BROADCAST, aligned))
        yield stage.rect("aligned", Box(left, top, 2 * radius, 2 * radius), "kept outline", round=radius)
    for stride in STRIDES:
        if load.pattern != "strided" or stride != load.stride:
            x, y = plot.at(stride or BROADCAST, case.curve[stride].efficiency)
            press = {"pattern": "strided", "stride": stride}
            yield stage.circle(f"stride-{stride}", x, y, radius, "data", set=press, label=f"set the stride to {stride}")
    if load.pattern != "random" and load.stride:
        x, y = plot.at(BROADCAST, case.curve[0].efficiency)
        base = min(y + 0.35 * stage.size, plot.box.bottom - 0.35 * stage.size)  # clear of the axis
        yield stage.text("broadcast", x + 9, base, "broadcast", "note")


def _here(stage: Stage, plot: Plot, case: Case) -> Iterator[Mark]:
    """The dot of this load; a random gather has no stride, so it is a level."""
    load, box = case.load, plot.box
    words = percent(load.efficiency)
    if load.pattern == "random":
        y, right = plot.at(1, load.efficiency)[1], load.element >= SECTOR // 4  # over the curve where it is flat
        x, anchor = (box.right, "end") if right else (box.x + 12, "start")
        yield stage.line("level", box.x, y, box.right, y, "hot dashed")
    else:
        x, y = plot.at(1 if load.pattern == "shuffled" else load.stride or BROADCAST, load.efficiency)
        if load.pattern == "strided":
            rail = [plot.at(stride or BROADCAST, case.curve[stride].efficiency) for stride in STRIDES]
            yield stage.knob("here", x, y, "stride", rail)
        else:
            yield stage.circle("here", x, y, stage.pick(5.5, 7), "hot")
        left = x + 9 + stage.room(words, size=stage.large, strong=True) > box.right
        x, anchor = (box.right, "end") if left else (x + 10, "start")
    base = max(y - (11 if anchor == "end" else 6), box.y + 0.62 * stage.large)  # clear of the axis title
    yield stage.text("here-label", x, base, words, "hot strong", anchor=anchor, size=stage.large)
