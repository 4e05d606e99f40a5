"""The rows: what the SM has of each resource, filled with blocks, and what is left of it."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from math import ceil

from loom.draw import Box, Mark, Pen

from .launch import ALONE, FILE, NEEDS, SLOTS, TOGETHER, WARPS, Launch, State
from .model import BLOCK_SLOTS, QUARTERS, REGISTERS, RESOURCES, WARP_SLOTS, dealt
from .stage import LETTERS, Stage, colour
from .words import NAMES, amount, divided, holding, reckoned

PART = {WARPS: WARP_SLOTS // QUARTERS, FILE: REGISTERS // QUARTERS}  # of each sub-partition
THIN, MANY = 4.0, 12  # more blocks than these, and thinner, are drawn as one
LAST_WAIT = 10
STROKE = 1.8  # less than the width of a coloured line, so that lines side by side fill a post


def draw_rows(stage: Stage, state: State) -> Iterator[Mark]:
    launch = state.launch
    if not stage.pen.narrow:
        for quarter, box in enumerate(stage.quarters(WARPS)):
            place = (box.x + box.width / 2, box.y - 9)
            yield stage.pen.text(f"quarter-{quarter}", *place, f"quarter {quarter + 1}", "note", anchor="middle")
    for resource in range(len(RESOURCES)):
        over = state.step == NEEDS and not launch.fits[resource]
        yield from draw_track(stage, resource)
        shown = state.shown(resource)
        if resource == WARPS:
            yield from fill_posts(stage, shown, launch.warps)
        elif resource == FILE:
            yield from fill_file(stage, shown, launch.warps, launch.warp_registers)
        else:
            yield from fill_row(stage, resource, shown, launch.takes[resource], launch.has[resource])
        if over or (state.step >= TOGETHER and resource in launch.binding):
            yield from draw_left(stage, launch, resource, over)
        yield from draw_words(stage, state, resource)


@lru_cache(maxsize=32)
def draw_track(stage: Stage, resource: int) -> tuple[Mark, ...]:
    if resource == WARPS:
        posts = [_post(stage, slot, outline=True) for slot in range(WARP_SLOTS)]
        return (Mark("posts", "path", "axis thin soft", {"d": "".join(posts)}),)
    boxes = stage.quarters(resource) if resource == FILE else [stage.rows[resource]]
    marks = [stage.pen.rect(f"track-{resource}-{at}", box, "cell") for at, box in enumerate(boxes)]
    if resource == SLOTS:
        row = boxes[0]
        xs = [row.x + at * row.width / BLOCK_SLOTS for at in range(1, BLOCK_SLOTS)]
        d = "".join(f"M{x:.1f} {row.y:.1f}L{x:.1f} {row.bottom:.1f}" for x in xs)
        marks.append(Mark("slots", "path", "axis thin soft", {"d": d}))
    return tuple(marks)


def _post(stage: Stage, slot: int, outline: bool = False) -> str:
    """The path of one warp slot, an upright post. Slots are counted through the quarters in turn."""
    box = stage.quarters(WARPS)[slot % QUARTERS]
    pitch = box.width * QUARTERS / WARP_SLOTS
    left, right = (box.x + (slot // QUARTERS + share) * pitch for share in (0.16, 0.84))
    if outline:
        return (
            f"M{left:.1f} {box.y:.1f}L{right:.1f} {box.y:.1f}L{right:.1f} {box.bottom:.1f}L{left:.1f} {box.bottom:.1f}Z"
        )
    left, right = left + STROKE / 2, right - STROKE / 2
    lines = ceil((right - left) / STROKE) + 1
    xs = [left + at * (right - left) / (lines - 1) for at in range(lines)]
    ends = [(box.y, box.bottom), (box.bottom, box.y)]
    return "M" + "L".join(f"{x:.1f} {y:.1f}" for at, x in enumerate(xs) for y in ends[at % 2])


@lru_cache(maxsize=512)
def fill_posts(stage: Stage, blocks: int, warps: int) -> tuple[Mark, ...]:
    """Each block's warps in slots, dealt to the quarters in turn."""
    marks = []
    for block in range(min(blocks, BLOCK_SLOTS)):
        d = "".join(_post(stage, slot) for slot in range(block * warps, (block + 1) * warps))
        marks.append(Mark(f"warps-{block}", "path", colour(block), {"d": d}, wait=min(block, LAST_WAIT)))
    if blocks > BLOCK_SLOTS:  # more blocks than may ever be there have no names
        d = "".join(_post(stage, slot) for slot in range(BLOCK_SLOTS * warps, blocks * warps))
        marks.append(Mark("warps-rest", "path", "axis soft", {"d": d}))
    return tuple(marks)


@lru_cache(maxsize=512)
def fill_file(stage: Stage, blocks: int, warps: int, each: int) -> tuple[Mark, ...]:
    """Blocks in the registers of each quarter, each warp as wide as what it takes."""
    quarters = stage.quarters(FILE)
    marks: list[Mark] = []
    unit = quarters[0].width / PART[FILE] * each
    starts = [0] * QUARTERS
    hands = dealt(blocks, warps)
    for block, hand in enumerate(hands[:BLOCK_SLOTS].tolist()):
        for quarter, held in enumerate(hand):
            box = quarters[quarter]
            place = Box(box.x + starts[quarter] * unit, box.y, held * unit, box.height)
            starts[quarter] += held
            if held:
                marks += _block(stage.pen, f"{FILE}-{block}-{quarter}", place, block)
    for quarter, held in enumerate(hands[BLOCK_SLOTS:].sum(axis=0).tolist()):
        if held:
            place = quarters[quarter].inset(left=starts[quarter] * unit)
            place = Box(place.x, place.y, held * unit, place.height)
            marks.append(stage.pen.rect(f"rest-{quarter}", place, "quiet"))
    return tuple(marks)


@lru_cache(maxsize=512)
def fill_row(stage: Stage, resource: int, blocks: int, takes: int, has: int) -> tuple[Mark, ...]:
    """Blocks one after another in a row that is not divided."""
    row = stage.rows[resource]
    unit = row.width / has * takes
    if unit < THIN and blocks > MANY:
        return (stage.pen.rect(f"all-{resource}", Box(row.x, row.y, blocks * unit, row.height), "quiet"),)
    places = [Box(row.x + block * unit, row.y, unit, row.height) for block in range(blocks)]
    return tuple(mark for at, place in enumerate(places) for mark in _block(stage.pen, f"{resource}-{at}", place, at))


def _block(pen: Pen, key: str, box: Box, block: int) -> Iterator[Mark]:
    """A block, with its letter where there is room."""
    wait = min(block, LAST_WAIT)
    yield pen.rect(f"block-{key}", Box(box.x, box.y, max(box.width - 1, 1), box.height), colour(block), wait=wait)
    if pen.room("N") <= box.width - 1:  # so that all have one or none
        place = (box.x + box.width / 2 - 0.5, box.y + box.height / 2)
        yield pen.text(f"letter-{key}", *place, LETTERS[block], "value", anchor="middle", middle=True, wait=wait)


def draw_left(stage: Stage, launch: Launch, resource: int, over: bool) -> Iterator[Mark]:
    """What is too small for one more block, hatched, and a frame around the resource that runs out first."""
    row = stage.rows[resource]
    used = [launch.blocks * launch.takes[resource] / launch.has[resource]]
    boxes = [row]
    if resource in PART:
        each = 1 if resource == WARPS else launch.warp_registers
        used = [warps * each / PART[resource] for warps in dealt(launch.blocks, launch.warps).sum(axis=0).tolist()]
        boxes = stage.quarters(resource)
    rest = [box.inset(left=box.width * share) for box, share in zip(boxes, used, strict=True) if share < 1]
    if over:
        yield from (stage.pen.rect(f"over-{resource}-{at}", box, "dropped soft") for at, box in enumerate(boxes))
    elif rest:
        d = "".join(str(stage.pen.hatch("", box).shape["d"]) for box in rest)
        yield Mark(f"left-{resource}", "path", "dropped thin", {"d": d})
    frame = "dropped outline" if launch.fails else "hot outline"
    yield stage.pen.rect(f"binds-{resource}", row.inset(-2.5, -2.5, -2.5, -2.5), frame, round=4)


def draw_words(stage: Stage, state: State, resource: int) -> Iterator[Mark]:
    """Name and size of a resource, and what this step says of it."""
    pen, row, launch = stage.pen, stage.rows[resource], state.launch
    main, role, more = told(state, resource)
    name, has = NAMES[resource], holding(launch, resource)
    if pen.narrow:
        y = row.y - 6
        yield pen.text(f"name-{resource}", 0, y, name, "label strong")
        yield pen.text(f"has-{resource}", pen.room(name, strong=True) + 7, y, has, "note")
        yield pen.text(f"told-{resource}", pen.width, y, main, role, anchor="end")
        return
    middle = row.y + row.height / 2
    yield pen.text(f"name-{resource}", 0, middle - 5, name, "label strong")
    yield pen.text(f"has-{resource}", 0, middle + 14, has, "note")
    yield pen.text(f"told-{resource}", stage.numbers, middle - 5, main, role)
    if more:
        yield pen.text(f"more-{resource}", stage.numbers, middle + 14, more, "note")


def told(state: State, resource: int) -> tuple[str, str, str]:
    """What is said of a resource at this step, its role, and a note."""
    launch = state.launch
    fit = f"{launch.fits[resource]:,} fit"
    if state.step == NEEDS:
        role = "label strong" if launch.fits[resource] else "dropped strong"
        return f"one block: {amount(resource, launch.takes[resource])}", role, reckoned(launch, resource)
    if state.step == ALONE:
        return fit, "label strong", divided(launch, resource)
    left = f"{amount(resource, launch.left[resource])} left"
    if resource not in launch.binding:
        return fit, "label", left
    if launch.fails:
        return f"{fit}: cannot launch", "dropped strong", f"one block: {amount(resource, launch.takes[resource])}"
    rank = "runs out first" if len(launch.binding) == 1 else "tied for first"
    return f"{fit}: {rank}", "hot strong", f"{left}, too little" if launch.left[resource] else "none left"
