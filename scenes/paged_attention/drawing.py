"""The picture: the memory row by row, whose each slot is, and what has just been taken."""

from __future__ import annotations

from collections.abc import Iterator

from loom.draw import Mark

from .moments import NAMES, State
from .panels import draw_bars, draw_requests
from .stage import COLUMNS, ROWS, Stage, frame, runs, stage_of
from .story import SLOTS
from .tokens import draw_empty, draw_tokens, end_words, numbered


def draw(state: State, width: float) -> Iterator[Mark]:
    stage = stage_of(width)
    yield from draw_floor(stage, state)
    yield from draw_empty(stage, state)
    yield from draw_tokens(stage, state)
    yield from draw_edges(stage, state)
    yield from draw_changes(stage, state)
    yield from draw_requests(stage, state)
    yield from draw_bars(stage, state)


def draw_floor(stage: Stage, state: State) -> Iterator[Mark]:
    """Empty rows of slots, with the address of the first one where there is room."""
    pen = stage.pen
    yield pen.text("memory-head", stage.memory.x, stage.memory.y - 9, f"memory: {SLOTS} slots of one token", "note")
    for number in range(ROWS):
        row = stage.row(number)
        yield pen.rect(f"row-{number}", row, "cell", round=0)
        if not pen.narrow:
            words = str(number * COLUMNS)
            yield pen.text(f"row-{number}-address", row.x - 8, row.y + row.height / 2, words, "note", anchor="end",
                           middle=True)  # fmt: skip
    fourth = (slot for slot in range(0, SLOTS, 4) if slot % COLUMNS)  # a tick for every slot would only be bytes
    yield pen.strokes("ticks", (_tick(stage, slot, 0.3) for slot in fourth), "axis soft thin")


def _tick(stage: Stage, slot: int, share: float = 1.0) -> list[tuple[float, float]]:
    box = stage.run(slot, slot + 1)
    return [(box.x, box.bottom - box.height * share), (box.x, box.bottom)]


def draw_edges(stage: Stage, state: State) -> Iterator[Mark]:
    """The edges of blocks and their numbers, or how large each hole is."""
    pen, now = stage.pen, state.now
    if state.paged and now.block >= 4:
        starts = range(0, SLOTS, min(now.block, COLUMNS))
        yield stage.pen.strokes("edges", (_tick(stage, slot) for slot in starts if slot % COLUMNS), "axis")
    for number in range(SLOTS // now.block) if numbered(stage, state) else ():
        box = stage.run((number + 1) * now.block - 1, (number + 1) * now.block)
        yield pen.text(f"block-{number}", box.right - 4, box.y + box.height / 2, str(number), "note", anchor="end",
                       middle=True)  # fmt: skip
    if not state.paged:
        yield from _holes(stage, state)


def _holes(stage: Stage, state: State) -> Iterator[Mark]:
    """How large each hole is; and over the largest, what the first who waits would need."""
    pen, now = stage.pen, state.now
    largest = max(now.holes, key=lambda hole: hole[1], default=None)
    for start, size in now.holes:
        first = stage.run(start, min(start + size, start // COLUMNS * COLUMNS + COLUMNS))
        words, role = f"{size} free", "dropped strong" if now.waiting else "note"
        if now.waiting and (start, size) == largest:
            need = NAMES[now.waiting[0]].most
            words = f"{now.waiting[0]} needs {need} in a row; {size} are free here"
            tried = runs(range(start, min(start + need, SLOTS)))
            yield stage.pen.strokes("tried", (frame(stage.run(*run)) for run in tried), "dropped dashed")
        yield pen.text(f"hole-{start}", first.x + first.width / 2, first.y + first.height / 2, words, role,
                       anchor="middle", middle=True)  # fmt: skip


def draw_changes(stage: Stage, state: State) -> Iterator[Mark]:
    """What was taken in this step, and where a copied block comes from."""
    new, _ = state.changed()
    if new:
        yield stage.pen.strokes("new", (frame(stage.run(*run)) for run in runs(new)), "hot")
    for copy in state.now.copies:
        end = (copy.target + 1) * state.now.block
        words, number = end_words(stage, state, end)
        if words:
            box = stage.run(end - 1, end)
            x = box.right - 4 - (stage.pen.room(number) + 6 if number else 0)
            yield stage.pen.text(f"copy-{copy.name}", x, box.y + box.height / 2, words, "hot strong", anchor="end",
                                 middle=True)  # fmt: skip
