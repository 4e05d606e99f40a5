"""The chart: bytes on each GPU over the number of ranks, for all stages, and what GPUs hold."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache

from loom.draw import Mark, dodge, quantity
from loom.scene import Moment

from .model import CAPACITIES, STAGES, Training
from .stage import LEAST, RANKS, Stage
from .story import NAMES, PLAIN, SIZE, extra, told_as

TICKS, FEW = (1e9, 1e10, 1e12, 1e13), (1e9, 1e13)  # [B]: on a phone, the tile's GPU is told between them, and alone


def draw_chart(stage: Stage, moment: Moment) -> Iterator[Mark]:
    one = moment.result
    yield from axes(stage)
    here, last = (0, 0) if moment.phase == PLAIN else (one.stage, max(STAGES))
    yield from draw_curves(stage, one.model, one.split, told_as(moment), here, last)
    first, _, _, *others = places(stage, one.model, one.split, told_as(moment), here)
    rail = [first, *others]
    x, y = rail[RANKS.index(one.gpus)]
    yield stage.line("here", x, stage.chart.y, x, stage.chart.bottom, "hot thin")
    if moment.phase != PLAIN:  # before anything is divided, more ranks change nothing
        yield stage.knob("gpus", x, y, "gpus", rail)


@cache
def axes(stage: Stage) -> list[Mark]:
    """Ranks from left to right; bytes upwards, with the lines of three GPUs."""
    box, marks = stage.chart, []
    for level in stage.pick(FEW, TICKS):
        y = stage.plot.at(1, level)[1]
        marks.append(stage.line(f"level-{level:g}", box.x, y, box.right, y, "grid"))
        words = quantity(level, "B") if level > LEAST else f"≤ {quantity(level, 'B')}"  # curves end on the floor
        marks.append(stage.text(f"level-{level:g}-size", box.x - 7, y, words, "note", anchor="end", middle=True))
    told = {name: level for name, level in CAPACITIES.items() if level == SIZE or not stage.narrow}
    levels = [stage.plot.at(1, level)[1] for level in told.values()]
    names = dodge(levels, 1.1 * stage.size, box.y, box.bottom)
    for (name, level), y, at in zip(told.items(), levels, names, strict=True):
        first, way = level == SIZE, [(box.x - 5, at), (box.x, y), (box.right, y)]  # from its name
        marks.append(stage.path(name, way, "axis outline" if first else "axis dashed outline"))
        marks.append(stage.text(f"{name}-size", box.x - 7, at, f"{name} {quantity(level, 'B')}",
                                "label strong" if first else "note", anchor="end", middle=True))  # fmt: skip
    marks.append(stage.line("floor", box.x, box.bottom, box.right, box.bottom, "axis"))
    foot = box.bottom + stage.knob_radius + 0.75 * stage.size  # of numbers, clear of a knob on the floor
    for ranks in (1, 16, 128, 1024):
        x = stage.plot.at(ranks, 1e9)[0]
        marks.append(stage.line(f"tick-{ranks}", x, box.bottom, x, box.bottom + 4, "axis"))
        marks.append(stage.text(f"tick-{ranks}-name", x, foot, f"{ranks:,}", "note", anchor="middle"))
    if stage.narrow:  # units say that bytes go up, and a knob may stand at the top of the chart
        return [*marks, stage.text("ranks", box.x - 7, foot, "ranks", "note", anchor="end")]
    return [*marks, stage.text("ranks", box.x, box.y - 10, "bytes on each GPU, by number of ranks", "note")]


@cache
def places(stage: Stage, model: str, split: str, phase: str, zero: int) -> tuple[tuple[float, float], ...]:
    """A curve: what a GPU holds with each number of ranks that can be chosen, and two between the first of them."""
    cases = [Training(model, zero, ranks, split) for ranks in (1, 2, 4, *RANKS[1:])]
    return tuple(stage.plot.at(one.gpus, one.states + extra(phase, one)) for one in cases)


@cache
def draw_curves(stage: Stage, model: str, split: str, phase: str, chosen: int, last: int) -> list[Mark]:
    """All stages up to the last, each name where it stands with all of them."""
    curves = {zero: places(stage, model, split, phase, zero) for zero in STAGES}
    marks = [
        stage.path(f"curve-{zero}", curve, "data" if zero == chosen else "axis")
        for zero, curve in curves.items()
        if zero <= last
    ]
    heights = dodge([curve[-1][1] for curve in curves.values()], 1.1 * stage.size, stage.chart.y, stage.chart.bottom)
    for zero, y in enumerate(heights[: last + 1]):
        role, words = "label strong" if zero == chosen else "note", stage.pick(f"Z{zero}", NAMES[zero])
        marks.append(stage.text(f"curve-{zero}-name", stage.chart.right + 18, y, words, role, middle=True))
    return marks
