"""What occupancy is good for: the bandwidth of a copy over it, under the warp slots, by Little's law and on a GPU."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache

from loom.draw import Axis, Box, Mark, Plot, count, memoized, number
from loom.scene import Moment

from .._silicon.drawing import rings
from .launch import WARPS, Launch
from .measured import ENOUGH, FEW, GIGA, PART, dots, occupancy, peak, result, slope
from .rows import Stage

LOADS = {4: "data", 1: "work"}  # of 16 bytes that each thread has on their way, and how they are drawn
QUARTERS = (0, 25, 50, 75, 100)
MOST = 3600  # GB/s
LOWEST = 2500  # GB/s; below it there is room for names


def asked(launch: Launch) -> tuple[int, ...]:
    """Where somebody has measured, and something runs."""
    return (0,) if result() and not launch.fails else ()


def say_machine(moment: Moment) -> str:
    here, many = moment.result.occupancy, max(LOADS)
    few, enough, now = (number(share) for share in (occupancy(FEW), occupancy(ENOUGH), here))
    verdict = (
        "enough for both"
        if here >= occupancy(ENOUGH)
        else f"enough with {many}"
        if here >= occupancy(FEW)
        else "too little for either"
    )
    return (
        f"A copy on an {PART} is as fast as it gets at {few}%, if each thread has {many} loads on their way; "
        f"with one, at {enough}%. {now}% is {verdict}."
    )


@cache
def plot_of(stage: Stage) -> Plot:
    """As wide as the row of warp slots, so that the blocks end over their occupancy."""
    row = stage.rows[WARPS]
    box = Box(row.x, stage.plot.y, row.width, stage.plot.height)
    across, up = Axis("occupancy", "%", span=(0, 100)), Axis("copied", "GB/s", span=(0, MOST))
    return Plot(stage.pen, box, across, up, "machine")


def draw_machine(stage: Stage, launch: Launch, crossed: bool) -> Iterator[Mark]:
    """The end of the blocks goes down through both lines of the copy, to their names; first it comes along them."""
    plot, row = plot_of(stage), stage.rows[WARPS]
    x, y = plot.at(launch.occupancy if crossed else 0, LOWEST)
    top = stage.pen.pick(plot.box.y - 6, row.bottom + 2)  # on a phone the answer stands between
    yield stage.pen.line("machine-here", x, top, x, y - stage.pen.pick(2, 0), "hot steady")
    yield from draw_lines(plot)


@memoized
def draw_lines(plot: Plot) -> Iterator[Mark]:
    """The same for every launch."""
    yield from draw_axes(plot)
    pen, box = plot.pen, plot.box
    for loads, role in LOADS.items():
        corner = occupancy(peak() / (loads * slope()))
        yield plot.curve(f"copied-{loads}", (0, corner, 100), (0, peak() / GIGA, peak() / GIGA), f"{role} modelled")
    for loads in LOADS:
        yield from rings(pen, plot, f"copied-{loads}-measured", dots(loads), pen.pick(2, 2.5), square=loads == 1)
    x, y = plot.at(pen.pick(30, 40), LOWEST)
    for at, (loads, role) in enumerate(LOADS.items()):
        words = f"{'○' if at == 0 else '□'} {count(loads, 'load')} of each thread at once"
        yield pen.text(f"copied-{loads}-words", x, y + (0.95 + 1.2 * at) * pen.size, words, f"{role} strong halo")
    words = f"measured on an {PART}"
    yield pen.text("machine-part", box.right, box.bottom + 9 + 2 * pen.size, words, "note measured", anchor="end")


def draw_axes(plot: Plot) -> Iterator[Mark]:
    """Without numbers on the left, where a phone has no room for them: the data sheet's is enough."""
    pen, box = plot.pen, plot.box
    x, y = plot.at(100, peak() / GIGA)
    yield pen.line("machine-axis", box.x, box.bottom, box.right, box.bottom, "axis")
    yield pen.line("machine-peak", box.x, y, x, y, "grid")
    for at, words in enumerate((f"{peak() / GIGA:,.0f} GB/s", "data sheet")):
        yield pen.text(f"machine-peak-{at}", x + pen.pick(3, 12), y + (0.35 + 1.3 * at) * pen.size, words, "note")
    for share in QUARTERS:
        here, _ = plot.at(share, 0)
        words = f"{share}%"
        yield pen.line(f"machine-tick-{share}", here, box.bottom, here, box.bottom + 4, "axis")
        x = max(here, pen.text_width(words) / 2)
        yield pen.text(f"machine-tick-{share}-words", x, box.bottom + 5 + pen.size, words, "note", anchor="middle")
    yield pen.text("machine-title", box.x, box.bottom + 9 + 2 * pen.size, "occupancy", "note")
