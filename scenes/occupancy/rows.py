"""The rows of resources, empty and filled with blocks; their marks are kept, because launches differ in few of them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from math import ceil

from loom.draw import Box, Mark, Pen

from .launch import FILE, SLOTS, WARPS
from .model import BLOCK_SLOTS, QUARTERS, REGISTERS, WARP_SLOTS, dealt

COLOURS = ("series-1", "kept", "series-2", "series-3", "series-4")  # of blocks, in turn
PART = {WARPS: WARP_SLOTS // QUARTERS, FILE: REGISTERS // QUARTERS}  # of each sub-partition
LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdef"  # a name for each of the blocks that may be on an SM
THIN, MANY = 4.0, 12  # more blocks than these, and thinner, are drawn as one
LAST_WAIT = 10
STROKE = 1.8  # less than the width of a coloured line, so that lines side by side fill a post


def colour(block: int) -> str:
    return f"{COLOURS[block % len(COLOURS)]} soft"


class Stage:
    """The geometry: on a phone, names and numbers stand over the rows; where there is room, beside them."""

    def __init__(self, width: float) -> None:
        self.pen = pen = Pen(width)
        left, wide, tops = pen.pick((2, width - 4, (18, 65, 112, 159)), (136, 536, (24, 78, 132, 186)))
        heights = pen.pick((20,) * 4, (34, 34, 34, 24))
        self.rows = [Box(left, top, wide, height) for top, height in zip(tops, heights, strict=True)]
        self.panel = pen.pick(Box(0, 208, width, 190), Box(0, 244, width, 178))  # what is under the rows
        self.letter = pen.room("N")

    def quarters(self, resource: int) -> list[Box]:
        """The four parts of a row whose resource is divided among the sub-partitions."""
        return self.rows[resource].columns(QUARTERS, self.pen.pick(6, 12))

    def post(self, slot: int) -> tuple[float, float]:
        """Left and right of a warp slot, an upright post. Slots go through the quarters in turn."""
        box = self.quarters(WARPS)[slot % QUARTERS]
        pitch = box.width * QUARTERS / WARP_SLOTS
        return box.x + (slot // QUARTERS + 0.16) * pitch, box.x + (slot // QUARTERS + 0.84) * pitch


@cache
def stage_of(width: float) -> Stage:
    return Stage(width)


def tenths(lines: Iterable[Sequence[tuple[float, float]]]) -> str:
    """Lines of a path to a tenth of a unit: finer than `pen.strokes`, where many stand side by side."""
    return "".join("M" + "L".join(f"{x:.1f} {y:.1f}" for x, y in line) for line in lines)


@cache
def track(stage: Stage, resource: int) -> list[Mark]:
    """An empty row."""
    row = stage.rows[resource]
    if resource == WARPS:
        edges = [[(x, y) for y in (row.y, row.bottom) for x in stage.post(slot)] for slot in range(WARP_SLOTS)]
        posts = (tenths([[a, b, d, c]]) + "Z" for a, b, c, d in edges)
        return [Mark("posts", "path", "axis thin soft", {"d": "".join(posts)})]
    boxes = stage.quarters(resource) if resource == FILE else [row]
    marks = [stage.pen.rect(f"track-{resource}-{at}", box, "cell") for at, box in enumerate(boxes)]
    if resource == SLOTS:
        xs = [row.x + at * row.width / BLOCK_SLOTS for at in range(1, BLOCK_SLOTS)]
        d = tenths([(x, row.y), (x, row.bottom)] for x in xs)
        marks.append(Mark("slots", "path", "axis thin soft", {"d": d}))
    return marks


@cache
def filled_post(stage: Stage, slot: int) -> str:
    """A post as one line that goes up and down in it."""
    row, (left, right) = stage.rows[WARPS], stage.post(slot)
    left, right = left + STROKE / 2, right - STROKE / 2
    lines, ends = ceil((right - left) / STROKE) + 1, [(row.y, row.bottom), (row.bottom, row.y)]
    return tenths([[(left + at * (right - left) / (lines - 1), y) for at in range(lines) for y in ends[at % 2]]])


@cache
def fill_posts(stage: Stage, blocks: int, warps: int) -> list[Mark]:
    """Each block's warps in slots, dealt to the quarters in turn."""

    def posts(first: int, end: int) -> dict[str, float | str]:
        return {"d": "".join(filled_post(stage, slot) for slot in range(first * warps, end * warps))}

    marks = [
        Mark(f"warps-{block}", "path", colour(block), posts(block, block + 1), wait=min(block, LAST_WAIT))
        for block in range(min(blocks, BLOCK_SLOTS))
    ]
    if blocks > BLOCK_SLOTS:  # more blocks than may ever be there have no names
        marks.append(Mark("warps-rest", "path", "axis soft", posts(BLOCK_SLOTS, blocks)))
    return marks


@cache
def fill_file(stage: Stage, blocks: int, warps: int, each: int) -> list[Mark]:
    """Blocks in the registers of each quarter, each warp as wide as what it takes."""
    quarters, hands = stage.quarters(FILE), dealt(blocks, warps)
    marks: list[Mark] = []
    unit = quarters[0].width / PART[FILE] * each
    starts = [0] * QUARTERS
    for block, hand in enumerate(hands[:BLOCK_SLOTS].tolist()):
        for quarter, held in enumerate(hand):
            box = quarters[quarter]
            place = Box(box.x + starts[quarter] * unit, box.y, held * unit, box.height)
            starts[quarter] += held
            if held:
                marks += draw_one(stage, f"{FILE}-{block}-{quarter}", place, block)
    for quarter, held in enumerate(hands[BLOCK_SLOTS:].sum(axis=0).tolist()):
        if held:
            box = quarters[quarter]
            place = Box(box.x + starts[quarter] * unit, box.y, held * unit, box.height)
            marks.append(stage.pen.rect(f"rest-{quarter}", place, "quiet"))
    return marks


@cache
def fill_row(stage: Stage, resource: int, blocks: int, takes: int, has: int) -> list[Mark]:
    """Blocks one after another in a row that is not divided."""
    row = stage.rows[resource]
    unit = row.width / has * takes
    if unit < THIN and blocks > MANY:
        return [stage.pen.rect(f"all-{resource}", Box(row.x, row.y, blocks * unit, row.height), "quiet")]
    places = [Box(row.x + block * unit, row.y, unit, row.height) for block in range(blocks)]
    return [mark for at, place in enumerate(places) for mark in draw_one(stage, f"{resource}-{at}", place, at)]


def draw_one(stage: Stage, key: str, box: Box, block: int) -> Iterator[Mark]:
    """A block, with its letter where there is room."""
    pen, wait = stage.pen, min(block, LAST_WAIT)
    yield pen.rect(f"block-{key}", Box(box.x, box.y, max(box.width - 1, 1), box.height), colour(block), wait=wait)
    if stage.letter <= box.width - 1:  # so that all have one or none
        place = (box.x + box.width / 2 - 0.5, box.y + box.height / 2)
        yield pen.text(f"letter-{key}", *place, LETTERS[block], "value", anchor="middle", middle=True, wait=wait)


@cache
def hatched(pen: Pen, resource: int, rest: tuple[Box, ...]) -> Mark:
    """What is left of a resource."""
    return pen.hatches(f"left-{resource}", rest, "dropped thin")
