"""The chart: the time of each algorithm over what a GPU holds, who is the fastest where, and their times here."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache

from loom.draw import Box, Mark, quantity
from loom.scene import Moment

from .model import RING, SWITCH, TREE, AllReduce, envelope
from .pace import gone, told
from .stage import SIZES, Stage
from .story import WORDS, clock

FINE = [10 ** (3 + at / 4) for at in range(25)]  # sizes of the curves [B], besides those where protocols change
SWATCH = 24  # units: a piece of the curve before its name
ROLES = {RING: "data", TREE: "series-1 dashed", SWITCH: "series-2"}


def draw_chart(stage: Stage, moment: Moment) -> Iterator[Mark]:
    one: AllReduce = moment.result
    yield from axes(stage)
    yield from draw_curves(stage, one.gpus, one.link)
    x = stage.plot.at(one.size, 5e-6)[0]
    yield stage.line("here", x, stage.plot_box.y, x, stage.plot_box.bottom, "hot thin")
    times = one.times()
    for name, time in times.items():
        if name != RING:
            place = stage.plot.at(one.size, time)
            yield stage.circle(f"dot-{name}", *place, 3.5, "data", read=f"{WORDS[name]}: {clock(time)}")
    yield stage.knob("size", *stage.plot.at(one.size, times[RING]), "size", rail(stage, one.gpus, one.link))
    yield from draw_bars(stage, one, gone(moment), told(moment))


@cache
def rail(stage: Stage, gpus: int, link: str) -> tuple[tuple[float, float], ...]:
    """Along the ring's curve."""
    return tuple(stage.plot.at(size, AllReduce(gpus, size, link).times()[RING]) for size in SIZES)


@cache
def axes(stage: Stage) -> list[Mark]:
    """Both scales, with a line for each thousandfold size and each tenfold time."""
    box, marks = stage.plot_box, []
    for power in range(-5, -1):
        y = stage.plot.at(SIZES[0], 10.0**power)[1]
        marks.append(stage.line(f"time-{-power}", box.x, y, box.right, y, "grid"))
        marks.append(stage.text(f"time-{-power}-name", box.x - 6, y, quantity(10.0**power, "s"), "note", anchor="end",
                                middle=True))  # fmt: skip
    marks.append(stage.line("floor", box.x, box.bottom, box.right, box.bottom, "axis"))
    for size in (10**3, 10**6, 10**9):
        x, anchor = stage.plot.at(size, 5e-6)[0], "end" if size == SIZES[-1] else "middle"
        marks.append(stage.line(f"tick-{size}", x, box.bottom, x, box.bottom + 4, "axis"))
        words = quantity(size, "B")
        marks.append(stage.text(f"tick-{size}-name", x, box.bottom + 5 + stage.size, words, "note", anchor=anchor))
    return marks


@cache
def draw_curves(stage: Stage, gpus: int, link: str) -> list[Mark]:
    """The curves, and over them a strip that says who is the fastest."""
    one = AllReduce(gpus, 1, link)
    marks = []
    for name, some in reversed(one.ways.items()):
        sizes = sorted({*FINE, *(size for size, _ in envelope(some) if size > SIZES[0])})
        times = [one.times(size)[name] for size in sizes]
        marks.append(stage.plot.curve(f"curve-{name}", sizes, times, ROLES[name]))
    box, leads = stage.plot_box, one.leaders
    ends = [max(size, SIZES[0]) for size, _ in leads[1:]] + [SIZES[-1]]
    y, left = box.y - 8, stage.plot.at(SIZES[0], 5e-6)[0]
    for at, (end, (_, name)) in enumerate(zip(ends, leads, strict=True)):
        right = stage.plot.at(end, 5e-6)[0]
        marks.append(stage.path(f"lead-{name}", [(left, y), (right, y)], ROLES[name]))
        words = f"{WORDS[name]} is fastest" if len(leads) == 1 or at else WORDS[name]
        if stage.text_width(words) < right - left:
            marks.append(stage.text(f"lead-{name}-name", (left + right) / 2, y - 7, words, "label", anchor="middle"))
        if right < box.right:
            marks.append(stage.line(f"turn-{name}", right, y, right, box.bottom, "ghost"))
        left = right
    return marks


def draw_bars(stage: Stage, one: AllReduce, until: float, over: float) -> Iterator[Mark]:
    """The times at this size, side by side, as long as they have taken `until` then; those that are `over` are told."""
    times = one.times()
    title = f"{quantity(one.size, 'B')} on each of {one.gpus} GPUs"
    left = stage.bars.x + SWATCH + stage.text_width(list(WORDS.values()), strong=True) + 12
    right = stage.bars.right - stage.text_width("88.8\u00a0ms", strong=True) - 8
    yield stage.text("bars-title", stage.bars.x, stage.bars.y - 6, title, "note")
    for row, (name, time) in zip(stage.bars.rows(3, 4), times.items(), strict=False):
        first = name == one.fastest and time <= over
        wide = (right - left) * min(time, until) / max(times.values())
        bar = Box(left, row.y + 2, wide, row.height - 4)
        y = row.y + row.height / 2
        yield stage.path(f"swatch-{name}", [(stage.bars.x, y), (stage.bars.x + SWATCH - 6, y)], ROLES[name])
        role = "label strong" if first else "label"
        yield stage.text(f"name-{name}", stage.bars.x + SWATCH, y, WORDS[name], role, middle=True)
        yield stage.rect(f"took-{name}", bar, f"{'work' if first else 'quiet'} steady", round=1,
                         read=f"{WORDS[name]}: bus bandwidth {quantity(one.bus_bandwidth(time), 'B/s')}")  # fmt: skip
        if time <= over:
            yield stage.text(f"took-{name}-time", bar.right + 6, y, clock(time), "value strong" if first else "value",
                             middle=True)  # fmt: skip
