"""The rows of resources, empty and filled with blocks; their marks are kept, because launches differ in few of them."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from math import ceil

from loom.draw import Box, Mark

from .launch import FILE, SLOTS, WARPS
from .model import BLOCK_SLOTS, QUARTERS, WARP_SLOTS, dealt
from .stage import PART, Stage, colour, tenths

LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdef"  # a name for each of the blocks that may be on an SM
THIN, MANY = 4.0, 12  # more blocks than these, and thinner, are drawn as one
LAST_WAIT = 10
STROKE = 1.8  # less than the width of a coloured line, so that lines side by side fill a post


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
