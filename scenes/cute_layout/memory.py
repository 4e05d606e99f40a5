"""Memory: words in rows, a column for each bank; the inner product as jumps, and what each bank is asked for."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from itertools import pairwise

from loom.draw import Box, Mark, arrow, cell

from .banks import BANKS, bank_loads, degree, turns
from .model import TILER, Placement, State
from .stage import MEMORY_ROWS, Stage, between, edge
from .words import in_turns

ROOM = 6  # an arrow shorter than its head would be a blot


@lru_cache
def memory_marks(at: Stage, placed: Placement) -> tuple[Mark, ...]:
    """The words that hold elements, those left unused between them, and the numbers of rows and banks."""
    pen, memory = at.pen, at.memory
    used = set(placed.offsets.ravel().tolist())
    marks = [at.pen.strokes("words", [edge(at.word(word)) for word in sorted(used)], "axis soft thin")]
    gaps = sorted(set(range(placed.span)) - used) if placed.name == "padded" else []
    if gaps:
        hatches = [str(pen.hatch("gap", at.word(word)).shape["d"]) for word in gaps]
        marks.append(Mark("gaps", "path", "pad", {"d": "".join(hatches)}))
    if placed.name == "zipped":
        marks += tile_marks(at)
    left, last = memory.box.x - 7, (placed.span - 1) // BANKS
    for row in range(min(MEMORY_ROWS, last + 1)):
        box = memory.cell(row, 0)
        marks.append(pen.text(f"address-{row}", left, box.y + box.height / 2, str(BANKS * row), "note",
                              anchor="end", middle=True))  # fmt: skip
    marks.append(pen.text("bank-name", left, memory.box.y - 6, "bank", "note", anchor="end"))
    return tuple(marks)


def tile_marks(at: Stage) -> list[Mark]:
    """The tiles of the row-major matrix, which memory's rows are."""
    tall, wide = TILER[0].size, TILER[1].size
    boxes = []
    for row in range(0, BANKS, tall):
        for column in range(0, BANKS, wide):
            first, last = at.memory.cell(row, column), at.memory.cell(row + tall - 1, column + wide - 1)
            boxes.append(Box(first.x, first.y, last.right - first.x, last.bottom - first.y))
    left = at.memory.box.right + 7
    marks = [
        at.pen.strokes("tiles", [edge(box, 1) for box in boxes], "axis"),
        at.pen.text("tiles-name", left, at.memory.box.y - 6, "tiles", "note"),
    ]
    bands = BANKS // tall
    for band, box in enumerate(boxes[:: BANKS // wide]):  # the tiles are counted down the matrix first
        words = ", ".join(str(number) for number in range(band, bands * BANKS // wide, bands))
        marks.append(at.pen.text(f"tiles-{band}", left, box.y + box.height / 2, words, "note", middle=True))
    return marks


def draw_memory(at: Stage, state: State) -> Iterator[Mark]:
    """Memory as it is, whichever element is looked at; and its title."""
    pen, memory = at.pen, at.memory
    if not pen.narrow:
        yield pen.text("memory-title", memory.box.x, 18, "memory, in rows of 8 words", "label strong")
        more = "a column is a bank"
        if state.phase == "banks":
            more = f"filled: column {state.column}, and in which turn; dashed: row {state.row}"
        yield pen.text("memory-more", memory.box.x, 42, more, "note")
    yield from memory_marks(at, state.at)
    for bank in range(BANKS):
        box = memory.cell(0, bank)
        role = "hot strong" if bank == state.bank else "note"
        yield pen.text(f"bank-{bank}", box.x + box.width / 2, memory.box.y - 6, str(bank), role, anchor="middle")


def draw_words(at: Stage, state: State) -> Iterator[Mark]:
    """The words of the element's column: first on their cells, then in memory, each with the turn that it waits for."""
    pen = at.pen
    banks = state.phase == "banks"
    order = turns(state.column_words)
    if banks:
        boxes = [edge(at.word(int(word)), -2) for word in state.row_words]
        role = "dropped" if degree(state.row_words) > 1 else "kept"
        yield at.pen.strokes("row-words", boxes, f"{role} dashed thin")
    for row, (word, turn) in enumerate(zip(state.column_words, order, strict=True)):
        box = at.word(int(word)) if banks else at.cells.cell(row, state.column)
        role = "quiet soft" if not banks else "kept soft" if turn == 1 else "dropped soft"
        yield pen.rect(f"word-{row}", box, role, round=1, wait=row if banks else 0)
    if banks:
        yield at.pen.strokes("place-edge", [edge(at.word(state.offset), 1)], "hot")
        for row, (word, turn) in enumerate(zip(state.column_words, order, strict=True)):
            box = at.word(int(word))
            yield pen.text(f"turn-{row}", box.x + box.width / 2, box.y + box.height / 2, str(turn), "value strong",
                           anchor="middle", middle=True, wait=row)  # fmt: skip


def draw_jumps(at: Stage, state: State) -> Iterator[Mark]:
    """The inner product as jumps from word 0, term by term; a swizzle's exchange is one more jump."""
    if state.phase != "offset":
        return
    pen = at.pen
    swapped = state.offset != state.plain
    stops = [*dict.fromkeys(state.sums), *([state.offset] if swapped else ())]
    boxes = [at.word(stop) for stop in stops]
    for index, (stop, box) in enumerate(zip(stops[:-1], boxes, strict=False)):
        yield from cell(pen, f"stop-{index}", box, str(stop), "ghost", text_role="note")
    inner = boxes[:-1] if swapped else boxes
    for index, (here, there) in enumerate(pairwise(inner)):
        start, end = between(here, there)
        if abs(end[0] - start[0]) + abs(end[1] - start[1]) > ROOM:
            yield arrow(pen, f"jump-{index}", start, end, "axis")
    yield pen.rect("place-ground", boxes[-1], "cell")  # the line to where the word would lie passes under it
    yield from cell(pen, "place", boxes[-1], str(state.offset), "hot soft", text_role="value strong")
    if swapped:
        yield at.pen.strokes("swap", [hop(boxes[-2], boxes[-1])], "hot")


def hop(start: Box, end: Box) -> list[tuple[float, float]]:
    """An arrow from the top of one word to the top of another in its row, up and over."""
    x, to, y, up = start.x + start.width / 2, end.x + end.width / 2, start.y - 1, min(12.0, 0.7 * start.height)
    return [(x, y), (x, y - up), (to, y - up), (to, y), (to - 3, y - 4), (to, y), (to + 3, y - 4)]


def draw_banks(at: Stage, state: State) -> Iterator[Mark]:
    """How many words each bank is asked for, under its column, and the turns that this takes."""
    pen, memory = at.pen, at.memory
    if state.phase != "banks":
        if pen.narrow:
            yield pen.text("memory-more", 0, at.loads[0], "memory: 8 words in a row, a column is a bank", "note")
        return
    short = "col" if pen.narrow else "column"
    for name, index, words, y in ((short, state.column, state.column_words, at.loads[0]),
                                  ("row", state.row, state.row_words, at.loads[1])):  # fmt: skip
        role = "dropped strong" if degree(words) > 1 else "kept strong"
        key = "row" if name == "row" else "column"
        yield pen.text(f"{key}-loads", memory.box.x - 7, y, f"{name} {index}", "label", anchor="end")
        for bank, load in enumerate(bank_loads(words)):
            box = memory.cell(0, bank)
            text = role if load == degree(words) else "note"
            yield pen.text(f"{key}-load-{bank}", box.x + box.width / 2, y, str(load) if load else "·", text,
                           anchor="middle")  # fmt: skip
        yield pen.text(f"{key}-turns", memory.box.right + 7, y, in_turns(degree(words)), role)
