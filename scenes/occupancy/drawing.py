"""The picture: four resources of an SM as rows that blocks drop into, and under them the occupancy."""

from __future__ import annotations

from collections.abc import Iterator

from loom.draw import Mark, count, headline, number
from loom.scene import Moment

from .launch import FILE, SHARED, Launch
from .machine import draw_machine
from .model import KIB, LANES, RESERVE, RESOURCES, WARP_SLOTS
from .rows import LETTERS, Stage, draw_blocks, draw_tracks, stage_of
from .stairs import draw_stairs

NAMES = ("Warp slots", "Registers", "Shared memory", "Block slots")


def draw(moment: Moment, width: float) -> Iterator[Mark]:
    stage, launch = stage_of(width), moment.result
    come = round(moment.past("drop") * (launch.blocks + 3)) - 1 if moment.since("drop") else 0
    yield from draw_tracks(stage, launch)
    if moment.phase == "needs":
        for resource in range(len(RESOURCES)):
            yield stage.pen.rect(f"need-{resource}", stage.taken(launch, resource, 0), "ghost outline", round=1)
    yield from draw_blocks(stage, launch, come)
    for resource in range(len(RESOURCES)):
        yield from draw_words(stage, launch, resource, come)
    # A block that has come is still on its way: what is counted has landed.
    yield from draw_answer(stage, launch, min(max(come - 1, 0), launch.blocks))
    if moment.phase == "machine":
        yield from draw_machine(stage, launch)
    else:
        whole = come > launch.blocks + 1  # not before the blocks have shown how many there are
        yield from draw_stairs(stage.pen, stage.plot, launch, whole, with_ghost=moment.phase == "stairs")


def draw_words(stage: Stage, launch: Launch, resource: int, come: int) -> Iterator[Mark]:
    """Name and size of a resource, what a block takes of it, and when all have come, how many would fit."""
    pen, row = stage.pen, stage.rows[resource]
    has, over = amount(resource, launch.has[resource]), come > launch.blocks + 1
    bound = over and resource in launch.binding
    # That registers are rounded up is what a prediction asks.
    words, role = reckoned(launch)[resource], "label answer" if resource == FILE else "label"
    if bound:
        words, role = f"no room for {LETTERS[launch.blocks]}", "dropped strong answer"
    elif over:
        words, role = f"{launch.fits[resource]:,} would fit", "label answer"
    if pen.narrow:
        y = row.y - 5
        yield pen.text(f"name-{resource}", 0, y, NAMES[resource], "label strong")
        yield pen.text(f"has-{resource}", pen.text_width(NAMES[resource], strong=True) + 6, y, has, "note")
        yield pen.text(f"told-{resource}", pen.width, y, words, role, anchor="end")
        return
    middle = row.y + row.height / 2
    yield pen.text(f"name-{resource}", 0, middle - 4, NAMES[resource], "label strong")
    yield pen.text(f"has-{resource}", 0, middle + 13, has, "note")
    right, reach = column(stage, launch, come), stage.taken(launch, resource, launch.blocks if come else 0).right
    if reach > right and (come > launch.blocks or not come):  # within the block that does not fit
        yield pen.text(f"told-{resource}", reach - 8, middle, words, role, anchor="end", middle=True)
        return
    yield pen.text(f"told-{resource}", right + 12, middle - 8 if over else middle, words, role, middle=True)
    if over:
        yield pen.text(f"asked-{resource}", right + 12, middle + 9, asked_for(launch)[resource], "note", middle=True)


def column(stage: Stage, launch: Launch, come: int) -> float:
    """Where the words beside the rows begin: behind a block that reaches over the end of one, if they have room there.

    That is one that does not fit, or before any has come what the first one needs.
    """
    right = stage.rows[FILE].right
    over = launch.binding if come > launch.blocks else () if come else range(len(stage.rows))
    ends = [stage.taken(launch, resource, launch.blocks if come else 0).right for resource in over]
    room = stage.pen.width - 12 - stage.pen.text_width(["8,888 would fit", f"no room for {LETTERS[0]}"], strong=True)
    return max([right, *(end for end in ends if end <= room)])


def amount(resource: int, size: int) -> str:
    """So much of a resource, with its unit where it has one."""
    return f"{size / KIB:g}\u00a0KB" if resource == SHARED else f"{size:,}"


def reckoned(launch: Launch) -> tuple[str, ...]:
    """Of each resource: how a block's need comes about."""
    registers = f"{launch.threads:,} × {launch.granted} = {launch.takes[FILE]:,}"
    return (
        f"{launch.threads:,} ÷ {LANES} = {launch.warps}",
        registers,
        f"{launch.shared} + {RESERVE // KIB} reserved",
        "1 for each block",
    )


def asked_for(launch: Launch) -> tuple[str, ...]:
    """Of each resource: what a block asks for, of which a prediction is made."""
    return (f"{launch.warps} a block", f"{launch.registers} a thread", f"{launch.shared} KB a block", "1 a block")


def draw_answer(stage: Stage, launch: Launch, placed: int) -> Iterator[Mark]:
    """The occupancy until now, and what it is made of."""
    pen, x, y = stage.pen, float(stage.answer[0]), stage.answer[1]
    resident = placed * launch.warps
    share = f"{number(100 * resident / WARP_SLOTS)}%"
    made = f"{resident} of {WARP_SLOTS} warps"
    blocks = count(placed, "block")
    lines = pen.pick((f"{made}, {blocks}",), (made, blocks))
    yield from headline(pen, x, y, share, lines, widest=["100%"], under=not pen.narrow, rest="note")
