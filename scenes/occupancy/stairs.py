"""The panel of the outcome: warps on the SM, and the staircase of occupancy over registers per thread."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from math import ceil

from loom.draw import Axis, Box, Mark, Plot, count

from .launch import FEWEST_REGISTERS, STAIRS, Launch, State
from .model import LANES, MOST_REGISTERS, WARP_SLOTS
from .model import REGISTERS as REGISTER_FILE
from .stage import Stage
from .words import percent

REGISTERS = (32, 33, 64, 65, 128, 168, 255)  # that the reader may choose
LABELLED = 60.0  # percent: where the ghost has its label, if it is as high


def plot_of(stage: Stage) -> Plot:
    pen, panel = stage.pen, stage.panel
    box = Box(34, panel.y + 50, panel.width - 42, 94) if pen.narrow else Box(196, panel.y + 22, 476, 108)
    return Plot(pen, box, Axis("registers per thread", span=(FEWEST_REGISTERS, MOST_REGISTERS),
                               ticks=(16, 32, 64, 96, 128, 168, 255)),
                Axis("occupancy", "%", span=(0, 100), ticks=(0, 25, 50, 75, 100)), "stairs")  # fmt: skip


def draw_stairs(stage: Stage, state: State) -> Iterator[Mark]:
    launch, plot = state.launch, plot_of(stage)
    yield from draw_result(stage, launch)
    yield from plot.axes()
    points = [(at, height) for first, last, height in launch.treads for at in (first, last)]
    yield plot.curve("stairs-path", [at for at, _ in points], [height for _, height in points], "data")
    if state.step == STAIRS:
        yield from draw_unrounded(launch, plot)
        first, last, height = launch.treads[launch.tread]
        yield plot.curve("stairs-here", (first, last), (height, height), "hot thick")
        yield from draw_neighbours(launch, plot)
    yield from draw_choices(plot, launch)
    yield from plot.point("stairs-dot", launch.registers, launch.occupancy, "hot")


def draw_result(stage: Stage, launch: Launch) -> Iterator[Mark]:
    """The occupancy in large type, and what it is made of."""
    pen, panel = stage.pen, stage.panel
    role = "dropped strong" if launch.fails else "hot strong"
    size = pen.large * 1.3
    made = f"{launch.resident} of {WARP_SLOTS} warps"
    blocks = "cannot launch" if launch.fails else count(launch.blocks, "block")
    if pen.narrow:
        x = pen.room(percent(launch.occupancy), size=size, strong=True) + 9
        yield pen.text("result", 0, panel.y + size * 0.8, percent(launch.occupancy), role, size=size)
        yield pen.text("result-made", x, panel.y + size * 0.8, f"{made}, {blocks}", "label")
        return
    y = plot_of(stage).box.y + 22
    yield pen.text("result", 0, y, percent(launch.occupancy), role, size=size)
    yield pen.text("result-made", 0, y + 24, made, "label")
    yield pen.text("result-blocks", 0, y + 44, blocks, "note")


def draw_unrounded(launch: Launch, plot: Plot) -> Iterator[Mark]:
    """The ghost of an SM that rounds nothing, and what it would hold."""
    most = launch.unrounded(FEWEST_REGISTERS)
    if not most:
        return
    knee = min(max(100 * REGISTER_FILE / (LANES * WARP_SLOTS) / most, FEWEST_REGISTERS), MOST_REGISTERS)
    asked = sorted({FEWEST_REGISTERS, knee, *range(ceil(knee), MOST_REGISTERS, 6), MOST_REGISTERS})
    heights = [min(most, 100 * REGISTER_FILE / (LANES * WARP_SLOTS) / number) for number in asked]
    yield plot.curve("unrounded", asked, heights, "ghost")
    words = f"nothing rounded: {percent(launch.unrounded())}"
    if most > LABELLED:
        at = next(place for place, height in zip(asked, heights, strict=True) if height <= LABELLED)
        x, y = plot.at(at, LABELLED)
    else:  # over the level part, left of the list of neighbours
        x, y = plot.at(FEWEST_REGISTERS, most)
    yield plot.pen.text("unrounded-label", x + 8, y - 5, words, "note")


def draw_neighbours(launch: Launch, plot: Plot) -> Iterator[Mark]:
    """The steps of the staircase above and below: how far the next one is, and what it brings."""
    pen, row = plot.pen, 0
    for key, place in (("above", launch.tread - 1), ("here", launch.tread), ("below", launch.tread + 1)):
        if not 0 <= place < len(launch.treads):
            continue
        first, last, height = launch.treads[place]
        span = f"{first}" if first == last else f"{first} to {last}"
        words = f"{span}: {percent(height)}" if pen.narrow else f"{span} registers: {percent(height)}"
        _, y = plot.at(FEWEST_REGISTERS, 100 - 25 * (row + 0.5))  # between two lines of the grid
        role = "hot strong" if key == "here" else "note"
        yield pen.text(f"step-{key}", plot.box.right, y, words, role, anchor="end", middle=True)
        row += 1


def draw_choices(plot: Plot, launch: Launch) -> Iterator[Mark]:
    """The numbers of registers that can be chosen, as buttons on the staircase."""
    taken = [plot.at(launch.registers, launch.occupancy)]
    for registers in REGISTERS:
        other = replace(launch, registers=registers)
        x, y = plot.at(registers, other.occupancy)
        if all(abs(x - a) + abs(y - b) > 9 for a, b in taken):
            taken.append((x, y))
            yield plot.pen.circle(f"choice-{registers}", x, y, 4, "data", set={"registers": registers},
                                  label=f"{registers} registers per thread")  # fmt: skip
