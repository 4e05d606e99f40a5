"""The panel of the outcome: warps on the SM, and the staircase of occupancy over registers per thread."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from math import ceil

from loom.draw import Axis, Box, Mark, Plot, count, number

from .launch import FEWEST_REGISTERS, Launch
from .model import LANES, MOST_REGISTERS, WARP_SLOTS
from .model import REGISTERS as REGISTER_FILE
from .rows import Stage

REGISTERS = (32, 33, 64, 65, 128, 168, 255)  # that the reader may choose
LABELLED = 60.0  # percent: where the ghost has its label, if it is as high


@cache
def plot_of(stage: Stage) -> Plot:
    pen, panel = stage.pen, stage.panel
    box = pen.pick(Box(34, panel.y + 50, panel.width - 42, 94), Box(196, panel.y + 22, 476, 108))
    return Plot(pen, box, Axis("registers per thread", span=(FEWEST_REGISTERS, MOST_REGISTERS),
                               ticks=(16, 32, 64, 96, 128, 168, 255)),
                Axis("occupancy", "%", span=(0, 100), ticks=(0, 25, 50, 75, 100)), "stairs")  # fmt: skip


@cache
def axes(stage: Stage) -> list[Mark]:
    """The same for every launch."""
    return list(plot_of(stage).axes())


@cache
def path(stage: Stage, treads: tuple[tuple[int, int, float], ...]) -> Mark:
    """The same for every number of registers."""
    edges = [at for first, last, _ in treads for at in (first, last)]
    heights = [height for _, _, height in treads for _ in range(2)]
    return plot_of(stage).curve("stairs-path", edges, heights, "data")


def draw_stairs(stage: Stage, launch: Launch, with_ghost: bool) -> Iterator[Mark]:
    plot = plot_of(stage)
    yield from draw_result(stage, launch)
    yield from axes(stage)
    yield path(stage, launch.treads)
    if with_ghost:
        yield from draw_unrounded(launch, plot)
        first, last, height = launch.treads[launch.tread(launch.registers)]
        yield plot.curve("stairs-here", (first, last), (height, height), "hot thick")
        yield from draw_neighbours(launch, plot)
    yield from draw_choices(plot, launch)
    yield from plot.point("stairs-dot", launch.registers, launch.occupancy, "hot")


def draw_result(stage: Stage, launch: Launch) -> Iterator[Mark]:
    """The occupancy in large type, and what it is made of."""
    pen, panel = stage.pen, stage.panel
    role = "dropped strong" if launch.fails else "hot strong"
    size, share = pen.large * 1.3, f"{number(launch.occupancy)}%"
    made = f"{launch.resident} of {WARP_SLOTS} warps"
    blocks = "cannot launch" if launch.fails else count(launch.blocks, "block")
    y = pen.pick(panel.y + size * 0.8, plot_of(stage).box.y + 22)
    yield pen.text("result", 0, y, share, role, size=size)
    if pen.narrow:
        yield pen.text("result-made", pen.room(share, size=size, strong=True) + 9, y, f"{made}, {blocks}", "label")
    else:
        yield pen.text("result-made", 0, y + 24, made, "label")
        yield pen.text("result-blocks", 0, y + 44, blocks, "note")


def draw_unrounded(launch: Launch, plot: Plot) -> Iterator[Mark]:
    """The ghost of an SM that rounds nothing, and what it would hold."""
    most = launch.unrounded(FEWEST_REGISTERS)
    if not most:
        return
    file = 100 * REGISTER_FILE / (LANES * WARP_SLOTS)  # the occupancy with one register for each thread [%]
    knee = min(max(file / most, FEWEST_REGISTERS), MOST_REGISTERS)
    asked = sorted({FEWEST_REGISTERS, knee, *range(ceil(knee), MOST_REGISTERS, 6), MOST_REGISTERS})
    heights = [min(most, file / registers) for registers in asked]
    yield plot.curve("unrounded", asked, heights, "ghost")
    words = f"nothing rounded: {number(launch.unrounded(launch.registers))}%"
    if most > LABELLED:
        at = next(place for place, height in zip(asked, heights, strict=True) if height <= LABELLED)
        x, y = plot.at(at, LABELLED)
    else:  # over the level part, left of the list of neighbours
        x, y = plot.at(FEWEST_REGISTERS, most)
    yield plot.pen.text("unrounded-label", x + 8, y - 5, words, "note")


def draw_neighbours(launch: Launch, plot: Plot) -> Iterator[Mark]:
    """The steps of the staircase above and below: how far the next one is, and what it brings."""
    at = launch.tread(launch.registers)
    beside = (("above", at - 1), ("here", at), ("below", at + 1))
    there = [(key, launch.treads[place]) for key, place in beside if 0 <= place < len(launch.treads)]
    for row, (key, (first, last, height)) in enumerate(there):
        span = f"{first}" if first == last else f"{first} to {last}"
        words = f"{span}{plot.pen.pick('', ' registers')}: {number(height)}%"
        _, y = plot.at(FEWEST_REGISTERS, 100 - 25 * (row + 0.5))  # between two lines of the grid
        role = "hot strong" if key == "here" else "note"
        yield plot.pen.text(f"step-{key}", plot.box.right, y, words, role, anchor="end", middle=True)


def draw_choices(plot: Plot, launch: Launch) -> Iterator[Mark]:
    """The numbers of registers that can be chosen, as buttons on the staircase."""
    taken = [plot.at(launch.registers, launch.occupancy)]
    for registers in REGISTERS:
        x, y = plot.at(registers, launch.treads[launch.tread(registers)][2])
        if all(abs(x - a) + abs(y - b) > 9 for a, b in taken):
            taken.append((x, y))
            yield plot.pen.circle(f"choice-{registers}", x, y, 4, "data", set={"registers": registers},
                                  label=f"{registers} registers per thread")  # fmt: skip
