"""The numbers of blocks, which tables point at: at the end of each block, clear of the handle over the first one."""

from __future__ import annotations

from collections.abc import Iterator

from loom.draw import Box, Mark

from .model import SLOTS
from .panels import CELLS_FROM
from .stage import COLUMNS, Stage
from .steps import State

AROUND = 4  # units of a frame around a number
GLOW = 14  # units from the handle's middle, beside which a number is clear of its glow


def numbered(stage: Stage, state: State) -> bool:
    """Whether blocks are large enough to carry their number."""
    return state.paged and state.block >= stage.pen.pick(8, 4)


def block_end(stage: Stage, size: int) -> float:
    """Where the first block of this size ends, and its handle stands; on a phone clear of the picture's edge."""
    return min(stage.memory.x + min(size, COLUMNS) * stage.unit, stage.pen.width - 15)


def number_end(stage: Stage, state: State, number: int) -> float:
    """The right end of a block's number."""
    around = AROUND * (state.block >= CELLS_FROM)  # only what tables point at is ever framed
    last = (number + 1) * state.block - 1
    end = stage.run(last, last + 1).right - 3 - around
    return end if number else min(end, block_end(stage, state.block) - GLOW - around)


def copy_end(stage: Stage, state: State, number: int) -> float:
    """The right end of what is said before a block's number."""
    return number_end(stage, state, number) - stage.pen.text_width(str(number)) - AROUND - 5


def end_words(stage: Stage, state: State, end: int) -> tuple[str, str]:
    """What stands at the end of the block that ends at this slot: where it was copied from, and its number."""
    block = state.now.block
    if end % block or not numbered(stage, state):
        return "", ""
    number = end // block - 1
    for copy in state.now.copies:
        room = (block - copy.tokens) * stage.unit - (stage.run(end - 1, end).right - copy_end(stage, state, number))
        for words in (f"from {copy.source}", "copy") if copy.target == number else ():
            if stage.pen.text_width(words, strong=True) + 16 <= room:
                return words, str(number)
    return "", str(number)


def end_room(stage: Stage, state: State, end: int) -> float:
    """How much of the row before this slot is taken by words."""
    words, number = end_words(stage, state, end)
    if not number:
        return 0
    right, at = stage.run(end - 1, end).right, end // state.now.block - 1
    if words:
        return right - copy_end(stage, state, at) + stage.pen.text_width(words, strong=True) + 6
    return right - number_end(stage, state, at) + stage.pen.text_width(number) + 6


def draw_numbers(stage: Stage, state: State) -> Iterator[Mark]:
    """Every block's number; those in the tables of whom the step is about look as they do there."""
    if not numbered(stage, state):
        return
    block, tables = state.now.block, state.now.tables if state.block >= CELLS_FROM else {}
    framed = {number for name in state.actors for number in tables.get(name, ())}
    frames, inset = [], stage.pen.pick(1, 2)
    for number in range(SLOTS // block):
        slot = (number + 1) * block - 1
        row, end = stage.run(slot, slot + 1), number_end(stage, state, number)
        if number in framed:
            wide = stage.pen.text_width(str(number)) + 2 * AROUND
            frames.append(Box(end + AROUND - wide, row.y, wide, row.height).inset(top=inset, bottom=inset))
            yield stage.pen.rect(f"block-{number}-ground", frames[-1], "cell", round=1)
        used = sum(one in state.now.owners for one in range(slot + 1 - block, slot + 1))
        edge = stage.run(slot, slot + 1).right - (block - used) * stage.unit  # of what is unused, if it is a few slots
        role = "label halo" if end - stage.pen.text_width(str(number)) - 2 < edge < end + 2 else "label"
        yield stage.at_end(f"block-{number}", end, row, str(number), role)  # softer ink is lost on a fill
    if frames:
        yield stage.pen.outlines("framed", frames, stage.pen.pick("hot thin", "hot"))
