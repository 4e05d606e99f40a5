"""The picture: four resources of an SM as rows, filled with blocks, and under them one block or the outcome."""

from __future__ import annotations

from collections.abc import Iterator

from loom.draw import Mark
from loom.scene import Moment

from .block import draw_block
from .launch import FILE, SHARED, WARPS, Launch
from .model import BLOCK_SLOTS, KIB, LANES, QUARTERS, RESERVE, RESOURCES, WARP_SLOTS, dealt
from .rows import PART, Stage, fill_file, fill_posts, fill_row, hatched, stage_of, track
from .stairs import draw_stairs

NAMES = ("Warp slots", "Registers", "Shared memory", "Block slots")


def draw(moment: Moment, width: float) -> Iterator[Mark]:
    stage, launch = stage_of(width), moment.result
    if not stage.pen.narrow:
        for quarter, box in enumerate(stage.quarters(WARPS)):
            place = (box.x + box.width / 2, box.y - 9)
            yield stage.pen.text(f"quarter-{quarter}", *place, f"quarter {quarter + 1}", "note", anchor="middle")
    for resource in range(len(RESOURCES)):
        shown = shown_blocks(moment, resource)
        yield from track(stage, resource)
        if resource == WARPS:
            yield from fill_posts(stage, shown, launch.warps)
        elif resource == FILE:
            yield from fill_file(stage, shown, launch.warps, launch.warp_registers)
        else:
            yield from fill_row(stage, resource, shown, launch.takes[resource], launch.has[resource])
        over = moment.phase == "needs" and not launch.fits[resource]
        if over or (moment.since("together") and resource in launch.binding):
            yield from draw_left(stage, launch, resource, over)
        yield from draw_words(stage, moment, resource)
    if moment.since("together"):
        yield from draw_stairs(stage, launch, with_ghost=moment.phase == "stairs")
    else:
        yield from draw_block(stage, launch)


def shown_blocks(moment: Moment, resource: int) -> int:
    """Blocks that are drawn in a resource: one, as many as it holds alone, as many as the SM holds."""
    launch: Launch = moment.result
    fit = launch.fits[resource]
    return launch.blocks if moment.since("together") else min(1, fit) if moment.phase == "needs" else fit


def draw_left(stage: Stage, launch: Launch, resource: int, over: bool) -> Iterator[Mark]:
    """What is too small for one more block, hatched, and a frame around the resource that runs out first."""
    row = stage.rows[resource]
    boxes = stage.quarters(resource) if resource in PART else [row]
    used = [launch.blocks * launch.takes[resource] / launch.has[resource]]
    if resource in PART:
        each = 1 if resource == WARPS else launch.warp_registers
        used = [warps * each / PART[resource] for warps in dealt(launch.blocks, launch.warps).sum(axis=0).tolist()]
    rest = [box.inset(left=box.width * share) for box, share in zip(boxes, used, strict=True) if share < 1]
    if over:
        yield from (stage.pen.rect(f"over-{resource}-{at}", box, "dropped soft") for at, box in enumerate(boxes))
    elif rest:
        yield hatched(stage.pen, resource, tuple(rest))
    frame = "dropped outline" if launch.fails else "hot outline"
    yield stage.pen.rect(f"binds-{resource}", row.inset(-2.5, -2.5, -2.5, -2.5), frame, round=4)


def draw_words(stage: Stage, moment: Moment, resource: int) -> Iterator[Mark]:
    """Name and size of a resource, and what this step says of it."""
    pen, row, has = stage.pen, stage.rows[resource], moment.result.has[resource]
    main, role, more = told(moment, resource)
    held = f"{QUARTERS} × {has // QUARTERS:,}" if resource in PART else amount(resource, has)
    if pen.narrow:
        y = row.y - 6
        yield pen.text(f"name-{resource}", 0, y, NAMES[resource], "label strong")
        yield pen.text(f"has-{resource}", pen.room(NAMES[resource], strong=True) + 7, y, held, "note")
        yield pen.text(f"told-{resource}", pen.width, y, main, role, anchor="end")
        return
    middle, numbers = row.y + row.height / 2, row.right + 16
    yield pen.text(f"name-{resource}", 0, middle - 5, NAMES[resource], "label strong")
    yield pen.text(f"has-{resource}", 0, middle + 14, held, "note")
    yield pen.text(f"told-{resource}", numbers, middle - 5, main, role)
    if more:
        yield pen.text(f"more-{resource}", numbers, middle + 14, more, "note")


def amount(resource: int, size: int) -> str:
    """So much of a resource, with its unit where it has one."""
    return f"{size / KIB:g}\u00a0KiB" if resource == SHARED else f"{size:,}"


def told(moment: Moment, resource: int) -> tuple[str, str, str]:
    """What is said of a resource at this step, its role, and a note."""
    launch = moment.result
    need, fit = f"one block: {amount(resource, launch.takes[resource])}", f"{launch.fits[resource]:,} fit"
    needed, divided = reckoned(launch)[resource]
    if moment.phase == "needs":
        return need, "label strong" if launch.fits[resource] else "dropped strong", needed
    if moment.phase == "alone":
        return fit, "label strong", divided
    left = f"{amount(resource, launch.left[resource])} left"
    if resource not in launch.binding:
        return fit, "label", left
    if launch.fails:
        return f"{fit}: cannot launch", "dropped strong", need
    rank = "runs out first" if len(launch.binding) == 1 else "tied for first"
    return f"{fit}: {rank}", "hot strong", f"{left}, too little" if launch.left[resource] else "none left"


def reckoned(launch: Launch) -> tuple[tuple[str, str], ...]:
    """Of each resource: how a block's need comes about, and the division by which blocks fit."""
    kept, taken = (f"{size / KIB:g}" for size in (launch.has[SHARED], launch.takes[SHARED]))
    return (
        (f"{launch.threads:,} ÷ {LANES}", f"{WARP_SLOTS} ÷ {launch.warps}"),
        (f"{launch.threads:,} × {launch.granted}", f"{QUARTERS} × {launch.quarter_warps} warps ÷ {launch.warps}"),
        (f"{launch.shared} + {RESERVE // KIB} reserved", f"{kept} ÷ {taken}"),
        ("", f"{BLOCK_SLOTS} ÷ 1"),
    )
