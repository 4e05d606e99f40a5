"""The picture: four resources of an SM as rows that blocks drop into, and under them the occupancy."""

from __future__ import annotations

from collections.abc import Iterator

from loom.draw import Mark, count, headline, number
from loom.scene import Moment

from .launch import FILE, SHARED, Launch
from .machine import draw_machine
from .model import KIB, LANES, RESERVE, RESOURCES, WARP_SLOTS
from .pace import has_crossed, needs_grown, needs_landed, stops_of
from .rows import LETTERS, Stage, draw_blocks, draw_tracks, stage_of
from .stairs import draw_stairs, draw_walker

NAMES = ("Warp slots", "Registers", "Shared memory", "Block slots")


def draw(moment: Moment, width: float) -> Iterator[Mark]:
    stage, launch = stage_of(width), moment.result
    come = round(moment.past("drop") * (launch.blocks + 3)) - 1 if moment.since("drop") else 0
    yield from draw_tracks(stage, launch)
    if moment.phase == "needs":
        grown = needs_grown(moment)
        for resource in range(len(RESOURCES)):
            box = stage.taken(launch, resource, 0)
            box = box._replace(width=box.width * grown.get(resource, 0.0))
            yield stage.pen.rect(f"need-{resource}", box, "ghost outline", round=1)
    yield from draw_blocks(stage, launch, come)
    landed = needs_landed(moment)
    for resource in range(len(RESOURCES)):
        yield from draw_name(stage, launch, resource)
        if resource in landed:
            yield from draw_words(stage, launch, resource, come, rounded=landed[resource] == 1)
    # A block that has come is still on its way: what is counted has landed.
    yield from draw_answer(stage, launch, min(max(come - 1, 0), launch.blocks))
    if moment.phase == "machine":
        yield from draw_machine(stage, launch, has_crossed(moment))
    else:
        whole = come > launch.blocks + 1  # not before the blocks have shown how many there are
        over = moment.phase == "stairs" and moment.progress == 1
        yield from draw_stairs(stage.pen, stage.plot, launch, whole, with_ghost=over)
        if (way := stops_of(moment)) is not None:
            yield from draw_walker(stage.pen, stage.plot, *way)


def draw_name(stage: Stage, launch: Launch, resource: int) -> Iterator[Mark]:
    """Name and size of a resource."""
    pen, row, has = stage.pen, stage.rows[resource], amount(resource, launch.has[resource])
    middle = row.y + row.height / 2
    x, name, size = pen.pick(
        (pen.text_width(NAMES[resource], strong=True) + 6, row.y - 5, row.y - 5), (0, middle - 4, middle + 13)
    )
    yield pen.text(f"name-{resource}", 0, name, NAMES[resource], "label strong")
    yield pen.text(f"has-{resource}", x, size, has, "note")


def draw_words(stage: Stage, launch: Launch, resource: int, come: int, rounded: bool) -> Iterator[Mark]:
    """What a block takes of a resource, rounded or not yet, and when all have come, how many would fit."""
    pen, row = stage.pen, stage.rows[resource]
    over = come > launch.blocks + 1
    # That registers are rounded up is what a prediction asks.
    words, role = reckoned(launch)[resource], "label answer" if resource == FILE else "label"
    if not rounded:
        words, role = f"{launch.threads:,} × {launch.registers} = {launch.threads * launch.registers:,}", "label"
    elif over and resource in launch.binding:
        words, role = f"no room for {LETTERS[launch.blocks]}", "dropped strong answer"
    elif over:
        words, role = f"{launch.fits[resource]:,} would fit", "label answer"
    if pen.narrow:
        yield pen.text(f"told-{resource}", pen.width, row.y - 5, words, role, anchor="end")
        return
    middle = row.y + row.height / 2
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
        f"{launch.shared} KB + {RESERVE // KIB} KB",
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
