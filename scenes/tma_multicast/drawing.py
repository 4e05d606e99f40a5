"""The picture of a cluster: tiles in L2 at its left and top, blocks as a grid, and a thread for each delivery."""

from __future__ import annotations

from collections.abc import Iterator

from loom.draw import Mark, Pen

from .layout import Layout, layout_of
from .model import State
from .panel import draw_panel

DIGITS = str.maketrans("0123456789", "₀₁₂₃₄₅₆₇₈₉")


def draw(state: State, width: float) -> Iterator[Mark]:
    pen = Pen(width)
    plan = layout_of(pen, *state.shape)
    if state.phase != "compare" or not pen.narrow:  # on a phone the comparison takes the whole stage
        yield from draw_cache(pen, plan)
        yield from draw_blocks(pen, plan, state)
        yield from draw_threads(pen, plan, state)
        yield from draw_tiles(pen, plan, state)
    yield from draw_panel(pen, plan, state)


def name_of(matrix: str, index: int) -> str:
    return matrix + str(index).translate(DIGITS)


def draw_cache(pen: Pen, plan: Layout) -> Iterator[Mark]:
    """The L2 cache as a band along the left and the top."""
    yield pen.path("cache", plan.band, "grid outline", close=True)
    yield pen.text("cache-name", plan.band[0][0] + 6, plan.band[0][1] + 6 + 0.8 * pen.size, "L2", "label strong")


def draw_blocks(pen: Pen, plan: Layout, state: State) -> Iterator[Mark]:
    """Every block with room for two tiles in its shared memory."""
    columns = state.shape[1]
    held = "ghost outline" if state.phase == "need" else "kept soft"
    for block in range(state.blocks):
        row, column = divmod(block, columns)
        cell = plan.cell(row, column)
        yield pen.rect(f"block-{block}", cell, "cell", round=4)
        for matrix, index in (("a", row), ("b", column)):
            slot = plan.slot(row, column, matrix)
            yield pen.rect(f"slot-{matrix}-{block}", slot, held)
            if slot.height > 1.3 * pen.size:
                yield pen.text(f"slot-{matrix}-{block}-name", slot.x + slot.width / 2, slot.y + slot.height / 2,
                               name_of(matrix.upper(), index), "label", anchor="middle", middle=True)  # fmt: skip
        foot = cell.bottom - 0.32 * pen.size
        yield pen.text(f"block-{block}-name", cell.x + cell.width / 2, foot, f"SM {block}", "note", anchor="middle")


def draw_threads(pen: Pen, plan: Layout, state: State) -> Iterator[Mark]:
    """A thread from a tile to every block that needs it; one multicast read is one lane that they share."""
    rows, columns = state.shape
    for row in range(rows):
        for column in range(columns):
            block = row * columns + column
            for matrix, copy in (("a", column), ("b", row)):
                path = plan.thread(row, column, matrix, shared=state.delivers)
                yield pen.path(f"thread-{matrix}-{block}", path, thread_role(state, copy))


def thread_role(state: State, copy: int) -> str:
    """How a thread is drawn that is the `copy`-th to leave its tile; a repeated read is waste, and dashed."""
    if state.delivers:
        return "kept"
    if state.phase == "need":
        return "link thin"
    return "dropped dashed thin" if copy else "data"


def draw_tiles(pen: Pen, plan: Layout, state: State) -> Iterator[Mark]:
    """The tiles in L2, with how often each is read, and the slices of the first that block 0 asks for."""
    rows, columns = state.shape
    asked = state.delivers and state.phase == "deliver"
    for matrix, count, sharing in (("a", rows, columns), ("b", columns, rows)):
        times = 1 if state.delivers else sharing
        words = "16 KiB" if state.phase == "need" else "1 read" if times == 1 else f"{times} reads"
        for index in range(count):
            box = plan.tile(matrix, index)
            yield pen.rect(f"tile-{matrix}-{index}", box, "cell", round=3)
            if asked and not index:
                yield pen.rect(f"slice-{matrix}", plan.slice_of(matrix, sharing), "hot soft", round=3)
            middle = box.x + box.width / 2
            yield pen.text(f"tile-{matrix}-{index}-name", middle, box.y + 1.15 * pen.size,
                           name_of(matrix.upper(), index), "label strong", anchor="middle")  # fmt: skip
            role = "dropped" if times > 1 and state.phase != "need" else "note"
            yield pen.text(f"tile-{matrix}-{index}-reads", middle, box.y + 2.4 * pen.size, words, role, anchor="middle")
