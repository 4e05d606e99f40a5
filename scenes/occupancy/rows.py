"""The four resources of an SM as rows, and the blocks in them, one beside the other."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache

from loom.draw import Box, Mark, Pen, memoized

from .launch import FILE, SHARED, SLOTS, WARPS, Launch
from .model import BLOCK_SLOTS, KIB, QUARTERS, RESOURCES, WARP_SLOTS

LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefg"  # a name for each block that may be on an SM, and for the next

TOLD = ("{:,} warp slots", "{:,} registers", "{} KB of shared memory", "{} block slot")  # what a block takes of each


class Stage:
    """The geometry: on a phone, names and numbers stand over the rows; where there is room, beside them."""

    def __init__(self, width: float) -> None:
        self.pen = pen = Pen(width)
        left, wide, tops = pen.pick((2, 262, (126, 27, 60, 93)), (128, 500, (142, 24, 64, 104)))
        heights = pen.pick((15,) * 4, (30, 30, 30, 26))  # warp slots, which the others leave, stand lowest
        self.rows = [Box(left, top, wide, height) for top, height in zip(tops, heights, strict=True)]
        self.waits = pen.pick(Box(110, 0, 16, 18), Box(left, 0, 22, 22))  # where the next block waits
        self.answer = pen.pick((0, 175), (0, 240))
        self.plot = pen.pick(Box(34, 203, 284, 46), Box(196, 214, 624, 74))  # the staircase, without its labels

    def place(self, launch: Launch, resource: int, block: int) -> Box:
        """What a block takes of a resource, side by side with those before it."""
        row = self.rows[resource]
        share = row.width * launch.takes[resource] / launch.has[resource]
        return Box(row.x + block * share, row.y, share, row.height)

    def taken(self, launch: Launch, resource: int, block: int) -> Box:
        """The same, cut at the edge of the stage."""
        box = self.place(launch, resource, block)
        return box._replace(width=min(box.width, self.pen.width - 2 - box.x))

    def waiting(self, resource: int) -> Box:
        """The part of the next block that goes to a resource: the four make up the block."""
        return self.waits.rows(len(RESOURCES))[resource]


@cache
def stage_of(width: float) -> Stage:
    return Stage(width)


@memoized
def draw_tracks(stage: Stage, launch: Launch) -> Iterator[Mark]:
    """The rows, empty, and the places in them. Registers too few for one more warp in each quarter are hatched."""
    for resource, row in enumerate(stage.rows):
        yield stage.pen.rect(f"track-{resource}", row, "cell", round=0)
    yield stage.pen.strokes("places", places(stage), "axis thin soft")
    unit = stage.rows[FILE].width / launch.has[FILE]
    unusable = launch.has[FILE] - QUARTERS * launch.quarter_warps * launch.warp_registers
    if unusable:
        row = stage.rows[FILE]
        told = f"{unusable:,} registers: in no quarter enough for a warp"
        end = row.inset(left=row.width - unusable * unit)
        yield stage.pen.hatch("unusable", end, "pad answer", gap=6, read=told)


def places(stage: Stage) -> Iterator[list[tuple[float, float]]]:
    """Between a warp's slot and the next, a block's and the next, and the registers of the four quarters."""
    for resource, count in ((WARPS, WARP_SLOTS), (SLOTS, BLOCK_SLOTS), (FILE, QUARTERS)):
        row = stage.rows[resource]
        for at in range(1, count):
            x = row.x + row.width * at / count
            yield [(x, row.bottom - (4 if at % (count // 4) else 8)), (x, row.bottom)]


def draw_blocks(stage: Stage, launch: Launch, come: int) -> Iterator[Mark]:
    """The blocks that have come, in all rows; the next waits, or if all have come, does not fit."""
    placed = min(come, launch.blocks)
    for block in range(placed):
        for resource in range(len(RESOURCES)):
            box = stage.place(launch, resource, block)
            yield from draw_one(stage, launch, block, resource, box.inset(right=min(1.0, box.width / 4)))
    for resource in range(len(RESOURCES)):
        if come <= launch.blocks:
            yield from draw_one(stage, launch, placed, resource, stage.waiting(resource))
        else:
            yield from draw_refused(stage, launch, resource)
    if come <= launch.blocks:
        x = stage.waits.right + 6
        words = f"block {LETTERS[placed]}"
        yield stage.pen.text("next", x, stage.waits.y + stage.waits.height / 2, words, middle=True)


def draw_one(stage: Stage, launch: Launch, block: int, resource: int, box: Box) -> Iterator[Mark]:
    """A block's part in a resource, with its letter where there is room. How many follow the first is the answer."""
    pen, name, answer = stage.pen, f"{block}-{resource}", " answer" if block else ""
    takes = launch.takes[resource] // (KIB if resource == SHARED else 1)
    told = f"block {LETTERS[block]}: {TOLD[resource].format(takes)}"
    yield pen.rect(f"block-{name}", box, f"data soft{answer}", round=1, read=told)
    if box.width >= pen.text_width("M") and box.height >= pen.size:
        place = (box.x + box.width / 2, box.y + box.height / 2)
        yield pen.text(f"letter-{name}", *place, LETTERS[block], f"value{answer}", anchor="middle", middle=True)


def draw_refused(stage: Stage, launch: Launch, resource: int) -> Iterator[Mark]:
    """The block that does not fit: it stands over the end of what has run out."""
    block, bound = launch.blocks, resource in launch.binding
    box = stage.taken(launch, resource, block)
    role = "dropped outline answer" if bound else "ghost outline answer"
    yield stage.pen.rect(f"block-{block}-{resource}", box, role, round=1)
