"""Beside the lanes: the tiles that are done; in the end how many buffers are enough, and what every number costs."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache

from loom.draw import Axis, Box, Mark, Pen, Plot, count, memoized, percent, significant

from .._silicon.drawing import rings
from .machine import told
from .measured import MOST, dots
from .model import STAGE_KB, WINDOW, Pipeline
from .timeline import Stage

BUFFERS = range(1, MOST + 1)


def draw_done(stage: Stage, one: Pipeline) -> Iterator[Mark]:
    """How many tiles are done."""
    pen, done, top = stage.pen, int((one.shown.end <= stage.now).sum()), stage.rows["compute"].y
    x, y = pen.pick((0, 24), (stage.score, top + 24))
    yield pen.text("done", x, y, f"{count(done, 'tile')} done", "value strong", size=pen.large)
    words = f"{WINDOW // one.compute} if it never waited"
    if pen.narrow:
        yield pen.text("most", pen.width, y, words, "note", anchor="end")
        return
    yield pen.text("most", x, y + 21, words, "note")


def draw_memory(stage: Stage, one: Pipeline) -> Iterator[Mark]:
    """What the buffers take of shared memory, where the curve will be."""
    pen, x = stage.pen, stage.score
    if pen.narrow:
        return
    for at, memory in enumerate((f"{one.stages * STAGE_KB} KB of", "shared memory")):
        yield pen.text(f"memory-{at}", x, stage.rows["buffer 1"].y + 19 + at * 1.35 * pen.size, memory, "note")


def draw_enough(stage: Stage, one: Pipeline, measured: bool) -> Iterator[Mark]:
    """How many buffers never keep the arithmetic waiting, and how much of the time these do."""
    pen, stall, role = stage.pen, percent(one.stall(), 2), "dropped" if one.stall() else "work"
    x, y = pen.pick((0, 24), (stage.score, stage.rows["compute"].y + 24))
    needed = count(one.needed, "buffer")
    yield pen.text("needed", x, y, needed, "value strong answer", size=pen.huge)
    low = y + 21
    if pen.narrow:
        x, low = pen.text_width(needed, size=pen.huge, strong=True) + 10, 10
    wait = f"never a wait with {one.latency} + {one.compute}" if measured else "never a wait"
    yield pen.text("needed-words", x, low, pen.pick(wait, "and it never waits"), "note")
    low += pen.pick(16, 26)
    if measured:
        yield pen.text("machine-told", x, low, told(one.stages), "label strong measured")
    else:
        yield pen.text("stall", x, low, stall, f"{role} strong")
        words = f"waiting with {one.stages}"
        yield pen.text("stall-words", x + pen.text_width(stall, strong=True) + 5, low, words, "note")


@cache
def plot_of(pen: Pen, box: Box) -> Plot:
    return Plot(pen, box, Axis("buffers", span=(1, MOST), ticks=tuple(map(float, BUFFERS))),
                Axis("cycles a tile", "", span=(0, 1200), ticks=(0, 600, 1200)), "curve")  # fmt: skip


def draw_curve(stage: Stage, one: Pipeline, measured: bool, ringed: bool, shared: int) -> Iterator[Mark]:
    """What a tile takes with every number of buffers; on a GPU, in the end what it took. The dot is at so many."""
    pen, top = stage.pen, stage.rows["buffer 1"].y
    plot = plot_of(pen, Box(stage.score + 40, top + 52, pen.width - stage.score - 46, stage.floor - top - 76))
    yield from plot.axes()
    yield plot.curve("period", BUFFERS, [float(one.over(stages)) for stages in BUFFERS],
                     "work modelled" if measured else "work")  # fmt: skip
    if ringed:
        yield from draw_rings(plot)
    period = float(one.over(shared))
    words = f"{count(shared, 'buffer')}: a tile every {significant(round(period))} cycles"
    yield pen.circle("here", *plot.at(shared, period), 5, "hot", read=words)


@memoized
def draw_rings(plot: Plot) -> Iterator[Mark]:
    yield from rings(plot.pen, plot, "measured", dots(), 2.5)
