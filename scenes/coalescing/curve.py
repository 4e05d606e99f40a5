"""Efficiency over all strides, with a dot where the reader is. The other dots can be pressed."""

from __future__ import annotations

from collections.abc import Iterator

from loom.draw import Axis, Box, Mark, Plot

from .model import SECTOR, STRIDES
from .moments import COUNT, CURVE, State
from .stage import Stage
from .words import percent

BROADCAST = 0.5  # where stride 0 stands on the logarithmic axis, left of 1 and off the curve
TICKS = (1, 2, 4, 8, 16, 32)


def place(stride: int) -> float:
    """Where a stride stands on the axis."""
    return stride or BROADCAST


def draw_curve(stage: Stage, state: State) -> Iterator[Mark]:
    """Nothing before there is an efficiency to show; then the dot; then the curve that it lies on."""
    if state.step < COUNT:
        return
    pen = stage.pen
    plot = Plot(pen, stage.plot, Axis("stride", "elements", span=(BROADCAST, 32), log=True, ticks=TICKS),
                Axis("efficiency: used ÷ moved", "%", span=(0, 116), ticks=(0, 50, 100)), "eff")  # fmt: skip
    yield from plot.axes()
    x, floor = plot.at(BROADCAST, 0)
    yield pen.text("eff-x-label-0", x, floor + 5 + pen.size, "0", "note", anchor="middle")
    if state.step == CURVE:
        yield from _all_strides(plot, state)
    yield from _here(plot, state)


def _all_strides(plot: Plot, state: State) -> Iterator[Mark]:
    """The curve from stride 1 on, a ring where offset 0 would do better, and a dot to press at each stride on offer."""
    pen, load = plot.pen, state.load
    radius = 3.5 if pen.narrow else 4.5
    yield plot.curve("curve", [one.stride for one in state.curve[1:]], [one.efficiency for one in state.curve[1:]])
    aligned = state.aligned[load.stride].efficiency
    if load.pattern == "strided" and aligned > load.efficiency:
        left, top = (middle - radius for middle in plot.at(place(load.stride), aligned))
        yield pen.rect("aligned", Box(left, top, 2 * radius, 2 * radius), "kept outline", round=radius)
    for stride in STRIDES:
        x, y = plot.at(place(stride), state.curve[stride].efficiency)
        if load.pattern != "strided" or stride != load.stride:
            press = {"pattern": "strided", "stride": stride}
            yield pen.circle(f"stride-{stride}", x, y, radius, "data", set=press, label=f"set the stride to {stride}")
    if load.pattern != "random" and load.stride:
        x, y = plot.at(BROADCAST, state.curve[0].efficiency)
        base = min(y + 0.35 * pen.size, plot.box.bottom - 0.35 * pen.size)  # clear of the axis
        yield pen.text("broadcast", x + 9, base, "broadcast", "note")


def _here(plot: Plot, state: State) -> Iterator[Mark]:
    """The dot of this load; a random gather has no stride, so it is a level."""
    pen, load = plot.pen, state.load
    words = percent(load.efficiency)
    if load.pattern == "random":
        _, y = plot.at(1, load.efficiency)
        x, anchor = plot.box.x + 12, "start"  # under the curve, or over it where it is flat
        if load.element >= SECTOR // 4:
            x, anchor = plot.box.right, "end"
        yield pen.line("level", plot.box.x, y, plot.box.right, y, "hot dashed")
    else:
        x, y = plot.at(place(1 if load.pattern == "shuffled" else load.stride), load.efficiency)
        yield pen.circle("here", x, y, 5.5 if pen.narrow else 7, "hot")
        left = x + 9 + pen.room(words, size=pen.large, strong=True) > plot.box.right
        x, anchor = (plot.box.right, "end") if left else (x + 10, "start")
    base = max(y - (11 if anchor == "end" else 6), plot.box.y + 0.62 * pen.large)  # clear of the axis title
    yield pen.text("here-label", x, base, words, "hot strong", anchor=anchor, size=pen.large)
