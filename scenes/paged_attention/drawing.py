"""The picture: the memory row by row, whose each slot is, and what has just been taken."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from itertools import pairwise

from loom.draw import Box, Mark, count

from .model import BLOCKS, NAMES, SLOTS
from .numbers import block_end, copy_end, draw_numbers, end_room, end_words, numbered
from .panels import draw_answer, draw_bars, draw_prompts, draw_requests
from .stage import COLUMNS, HATCH, Stage, runs, series, stage_of
from .steps import State


def draw(state: State, width: float) -> Iterator[Mark]:
    stage = stage_of(width)
    yield from draw_answer(stage, state)
    yield from draw_floor(stage)
    yield from draw_empty(stage, state)
    yield from draw_tokens(stage, state)
    yield from draw_edges(stage, state)
    yield from draw_changes(stage, state)
    yield from draw_head(stage, state)
    yield from draw_requests(stage, state)
    yield from draw_bars(stage, state)


@cache  # under every step of every variant
def draw_floor(stage: Stage) -> list[Mark]:
    """Empty rows of slots, with the address of the first one where there is room."""
    pen, marks = stage.pen, []
    for number, row in enumerate(stage.rows):
        marks.append(pen.rect(f"row-{number}", row, "cell", round=0))
        if not pen.narrow:
            marks.append(stage.at_end(f"row-{number}-address", row.x - 8, row, str(number * COLUMNS)))
    fourth = (slot for slot in range(0, SLOTS, 4) if slot % COLUMNS)  # a tick for every slot would only be bytes
    return [*marks, pen.strokes("ticks", (_tick(stage, slot, 0.3) for slot in fourth), "axis soft thin")]


def draw_head(stage: Stage, state: State) -> Iterator[Mark]:
    """What a row is; or the end of the first block, a handle that sets the size of all."""
    pen, memory = stage.pen, stage.memory
    y = memory.y - pen.pick(5, 9)
    if not state.paged:
        if not pen.narrow:
            yield pen.text("memory-head", memory.x, y, f"memory: {SLOTS} slots of one token", "note")
        return
    ends = [block_end(stage, size) for size in BLOCKS]
    up = pen.pick(4, 6)  # so that the knob hides no number of a block
    rail = [(end, stage.rows[(size - 1) // COLUMNS].y - up) for end, size in zip(ends, BLOCKS, strict=True)]
    here, words = rail[BLOCKS.index(state.block)], f"a block: {count(state.block, 'slot')}"
    away = pen.knob_radius + 1
    beside = here[0] + away + pen.text_width(words) <= memory.right
    x, anchor = (here[0] + away, "start") if beside else (here[0] - away, "end")
    yield pen.text("memory-head", x, y, words, "hot", anchor=anchor)
    yield pen.knob("block-end", *here, "block", rail)


def _tick(stage: Stage, slot: int, share: float = 1.0) -> list[tuple[float, float]]:
    box = stage.run(slot, slot + 1)
    return [(box.x, box.bottom - box.height * share), (box.x, box.bottom)]


def draw_empty(stage: Stage, state: State) -> Iterator[Mark]:
    """Slots that are taken and hold nothing: dashed if their request will use them, hatched if not or not yet."""
    now, unused = state.now, []
    for name, (start, size) in sorted(now.pieces.items()):
        used, final, end = start + len(now.slots[name]), start + NAMES[name].final, start + size
        for first, stop in runs(range(used, final)):
            key, box = f"{name}-later-{first // COLUMNS - start // COLUMNS}", stage.run(first, stop).inset(1, 1, 1, 1)
            told = f"{name}: {count(stop - first, 'slot')} kept"
            yield stage.pen.rect(key, box, "ghost", round=0, read=told)
            yield from _named(stage, f"{key}-label", box, f"kept for {name}")
        unused += [(f"{name}-{first}-{stop}", first, stop) for first, stop in runs(range(final, end))]
    for number, users in enumerate(now.refs):
        block = range(number * now.block, (number + 1) * now.block) if users else ()
        empty = runs(slot for slot in block if slot not in now.owners)
        unused += [(f"{first}-{stop}", first, stop) for first, stop in empty]
    for key, first, end in unused:
        yield from _draw_unused(stage, state, key, first, end)


def _draw_unused(stage: Stage, state: State, key: str, first: int, end: int) -> Iterator[Mark]:
    """Slots without use, hatched beside the words in them."""
    pen, box, name = stage.pen, stage.run(first, end).inset(1, 1, 1, 1), key.partition("-")[0]
    label = [] if state.paged else list(_named(stage, f"unused-{key}-label", box, f"{name} never uses this", 24))
    yield pen.rect(f"unused-{key}", box, "pad", round=0, read=f"{count(end - first, 'slot')} unused")
    left = pen.text_width(label[0].text) + 13 if label else 0
    ground = box.inset(left=left, right=end_room(stage, state, end))
    yield pen.hatch(f"unused-{key}-hatch", ground, gap=HATCH)
    yield from label


def _named(stage: Stage, key: str, box: Box, words: str, more: float = 0) -> Iterator[Mark]:
    """A label at the left end of a piece, where there is room for it and for `more`."""
    if stage.pen.text_width(words) + 14 + more <= box.width:
        yield stage.pen.text(key, box.x + 7, box.y + box.height / 2, words, "note", middle=True)


def draw_tokens(stage: Stage, state: State) -> Iterator[Mark]:
    """What holds a token, in the colour and with the letter of its request; a shared slot has two halves."""
    pen, letters = stage.pen, []
    for name, at, first, end in pieces_of(stage, state):
        box, users = stage.run(first, end).inset(1, 1, 1, 1), state.now.owners[first]
        part = box.rows(len(users))[users.index(name)]
        told = f"{users}: {count(end - first, 'token')}"
        yield pen.rect(f"{name}-token-{at}", part, f"{series(name)} soft", round=0, read=told)
        if users[0] == name and pen.text_width(users) + 3 <= box.width:
            words = " and ".join(users)
            words = words if pen.text_width(words) + 50 <= box.width else " ".join(users)
            letters.append(stage.centred(f"{name}-letter-{at}", box, words, "value strong"))
    yield from draw_prompts(stage, state)
    yield from letters


def pieces_of(stage: Stage, state: State) -> Iterator[tuple[str, int, int, int]]:
    """Each request's tokens as runs of slots: name, place of the first token, first slot, end.

    Where blocks have numbers, every block is a run of its own.
    """
    owners, every = state.now.owners, min(state.now.block, COLUMNS) if numbered(stage, state) else COLUMNS
    for name, slots in sorted(state.now.slots.items()):
        cuts = [
            at for at, (one, after) in enumerate(pairwise(slots), 1)
            if after != one + 1 or not after % every or owners[after] != owners[one]
        ]  # fmt: skip
        for start, end in zip([0, *cuts], [*cuts, len(slots)], strict=True):
            yield name, start, slots[start], slots[end - 1] + 1


def draw_edges(stage: Stage, state: State) -> Iterator[Mark]:
    """The edges of blocks and their numbers, or how large each hole is."""
    block = state.now.block
    if state.paged and block >= 4:
        starts = range(0, SLOTS, min(block, COLUMNS))
        yield stage.pen.strokes("edges", (_tick(stage, slot) for slot in starts if slot % COLUMNS), "axis")
    yield from draw_numbers(stage, state)
    if not state.paged:
        yield from _holes(stage, state)


def _holes(stage: Stage, state: State) -> Iterator[Mark]:
    """How large each hole is; and over the largest, what the first who waits would need."""
    now = state.now
    largest = max(now.holes, key=lambda hole: hole[1], default=None)
    need = NAMES[now.waiting[0]].most if now.waiting else 0
    if largest and need:
        size = NAMES[now.waiting[0]].prompt if state.fitting else need
        tried = [stage.run(*run) for run in runs(range(largest[0], min(largest[0] + size, SLOTS)))]
        yield stage.pen.outlines(
            "fits" if state.fitting else "tried", tried, "hot" if state.fitting else "dropped dashed"
        )
    for start, size in now.holes:
        first = stage.run(start, min(start + size, start // COLUMNS * COLUMNS + COLUMNS))
        words, role = f"{size} free", "dropped strong" if now.waiting else "note"
        if need and (start, size) == largest:
            words = f"{now.waiting[0]} needs {need} in a row; {size} are free here"
            if state.fitting:
                words, role = f"{now.waiting[0]}’s prompt of {NAMES[now.waiting[0]].prompt} would fit", "hot strong"
        yield stage.centred(f"hole-{start}-{size}", first, words, role)


def draw_changes(stage: Stage, state: State) -> Iterator[Mark]:
    """What was taken in this step or is about to be given back, and where a copied block comes from."""
    new, gone = state.changed
    if new:
        yield stage.pen.outlines("new", (stage.run(*run) for run in runs(new)), "hot")
    if state.ending:  # what is given back next
        yield stage.pen.outlines("back", (stage.run(*run) for run in runs(gone)), "hot")
    for copy in state.now.copies:
        end = (copy.target + 1) * state.now.block
        words, _ = end_words(stage, state, end)
        if words:
            right = copy_end(stage, state, copy.target)
            yield stage.at_end(f"copy-{copy.name}", right, stage.run(end - 1, end), words, "hot strong")
