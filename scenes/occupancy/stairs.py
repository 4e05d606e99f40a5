"""The staircase of occupancy over registers per thread, and the bead on it that sets them."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from math import ceil

from loom.draw import Axis, Box, Mark, Pen, Plot, count, memoized, number

from .launch import FEWEST_REGISTERS, Launch
from .model import LANES, MOST_REGISTERS, WARP_SLOTS
from .model import REGISTERS as REGISTER_FILE
from .pace import Stop

# That the reader may choose: where steps begin and end, closer together where they are short.
REGISTERS = (24, 32, 33, 40, 48, 56, 64, 65, 72, 80, 96, 112, 128, 144, 160, 168, 192, 224, 255)


@cache
def plot_of(pen: Pen, box: Box) -> Plot:
    return Plot(pen, box, Axis("registers per thread", span=(FEWEST_REGISTERS, MOST_REGISTERS),
                               ticks=(16, 32, 64, 96, 128, 168, 255)),
                Axis("occupancy", "%", span=(0, 100), ticks=(0, 50, 100)), "stairs")  # fmt: skip


@cache
def path(pen: Pen, box: Box, treads: tuple[tuple[int, int, float], ...]) -> Mark:
    """The same for every number of registers."""
    edges = [at for first, last, _ in treads for at in (first, last)]
    heights = [height for _, _, height in treads for _ in range(2)]
    return plot_of(pen, box).curve("stairs-path", edges, heights, "data answer")


@memoized
def draw_stairs(pen: Pen, box: Box, launch: Launch, whole: bool, with_ghost: bool) -> Iterator[Mark]:
    """What is known before the blocks come, and then the whole of it."""
    plot = plot_of(pen, box)
    here = plot.at(launch.registers, launch.occupancy)
    yield from plot.axes(knob=here if whole else None)
    yield from draw_known(plot, launch)
    if not whole:
        return
    yield path(pen, box, launch.treads)
    if with_ghost:
        yield from draw_unrounded(launch, plot)
    rail = [plot.at(registers, launch.treads[launch.tread(registers)][2]) for registers in REGISTERS]
    yield pen.knob("registers", *here, "registers", rail)._replace(role="grip answer")


def draw_known(plot: Plot, launch: Launch) -> Iterator[Mark]:
    """What a prediction is made from: the steps before this one, and where this one is asked for."""
    x, _ = plot.at(launch.registers, 0)
    yield plot.pen.line("stairs-here", x, plot.box.y, x, plot.box.bottom, "hot thin dashed")
    before = launch.treads[: launch.tread(launch.registers)]
    if before:
        edges = [at for first, last, _ in before for at in (first, last)]
        heights = [height for _, _, height in before for _ in range(2)]
        yield plot.curve("stairs-before", edges, heights, "data")


def draw_walker(pen: Pen, box: Box, last: Stop, there: Stop) -> Iterator[Mark]:
    """A dot on its way from one edge of the staircase to the next, and what it was when it last stood."""
    plot = plot_of(pen, box)
    yield pen.circle("walker", *plot.at(*there), pen.pick(4, 5), "data")
    share = f"{number(last.occupancy)}%" if last.occupancy else "none fits"
    words = f"{count(last.registers, 'register')}: {share}"
    yield pen.text("walker-words", box.right, box.y + pen.size, words, "value strong", anchor="end")


def draw_unrounded(launch: Launch, plot: Plot) -> Iterator[Mark]:
    """The ghost of an SM that rounds nothing."""
    most = launch.unrounded(FEWEST_REGISTERS)
    if not most:
        return
    file = 100 * REGISTER_FILE / (LANES * WARP_SLOTS)  # the occupancy with one register for each thread [%]
    knee = min(max(file / most, FEWEST_REGISTERS), MOST_REGISTERS)
    asked = sorted({FEWEST_REGISTERS, knee, *range(ceil(knee), MOST_REGISTERS, 6), MOST_REGISTERS})
    yield plot.curve("unrounded", asked, [min(most, file / registers) for registers in asked], "ghost")
