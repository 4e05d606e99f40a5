"""The picture of a layout: a grid of offsets, its neighbours joined, and memory in banks."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

from loom.draw import Box, Mark, Pen, bracket

from .banks import degree
from .layout import IntTuple, leaves, natural_coordinate, spell
from .memory import draw_banks, draw_jumps, draw_memory, draw_words
from .model import SIDE, Placement, State
from .stage import Stage, edge
from .words import factors, lines, remark, title


def draw(state: State, width: float) -> Iterator[Mark]:
    at = Stage(Pen(width))
    yield from draw_title(at, state)
    yield from draw_factors(at, state)
    yield from draw_grid(at, state.at)
    yield from draw_memory(at, state)
    yield from draw_choice(at, state)
    yield from draw_words(at, state)
    yield from draw_offsets(at, state.at)
    yield from draw_heads(at, state)
    yield from draw_jumps(at, state)
    yield from draw_banks(at, state)


def draw_title(at: Stage, state: State) -> Iterator[Mark]:
    """The layout as CuTe writes it, and the arithmetic."""
    pen, words, aside = at.pen, title(state), 0.0
    yield pen.text("title", 0, 14 if pen.narrow else 18, words, "label strong", size=pen.large)
    if pen.narrow:
        yield pen.text("remark", 0, 31, remark(state), "note")
    else:
        shape, stride = str(state.at.layout).split(":")
        start = pen.room(words.removesuffix(f"{shape}:{stride}"), size=pen.large, strong=True)
        for name, part in (("shape", shape), ("stride", stride)):
            end = start + pen.room(part, size=pen.large, strong=True)
            yield from bracket(pen, name, start + 2, end - 2, 25, name, depth=4)
            start = end + pen.room(":", size=pen.large, strong=True)
        aside = start + 18
        yield pen.text("remark", aside, 18, remark(state), "note")
    left = 0.0 if pen.narrow else at.cells.box.x
    first, second = lines(state, brief=pen.narrow)
    yield pen.text("sum-0", left, at.sums[0], first, "label")
    role = "hot strong" if state.phase == "offset" else "label strong"
    yield pen.text("sum-1", left, at.sums[1], second, role, size=pen.large)
    if state.at.links:
        x, y, anchor = (pen.width, at.sums[0], "end") if pen.narrow else (aside, 42, "start")
        yield pen.text("joined-name", x, y, "joined: neighbours in memory", "note", anchor=anchor)


def draw_factors(at: Stage, state: State) -> Iterator[Mark]:
    """Both factors of a composition, each with its part, where the grid leaves room."""
    if state.at.name != "composition" or at.pen.narrow:
        return
    top = at.cells.cell(len(state.at.offsets), 0).y + 1.8 * at.pen.size
    for index, words in enumerate(factors(state)):
        yield at.pen.text(f"factor-{index}", at.cells.box.x, top + index * 1.7 * at.pen.size, words, "label")


@lru_cache
def grid_marks(at: Stage, placed: Placement) -> tuple[Mark, ...]:
    """What stays the same whichever cell is pointed at: the cells, their blocks, and threads through memory."""
    pen, cells = at.pen, at.cells
    rows, columns = placed.offsets.shape
    marks = []
    for row in range(rows):
        for column in range(columns):
            spot = f"{row},{column}"
            marks.append(pen.rect(f"cell-{row}-{column}", cells.cell(row, column), "cell", round=1,
                                  set={"point": spot}, label=f"Look at element ({row}, {column})"))  # fmt: skip
    marks.append(at.pen.strokes("joined", [joined(at, link) for link in placed.links], "axis thin"))
    blocks = [leaves(part)[0] if not isinstance(part, int) else 0 for part in placed.parts]
    cuts = []
    for row in range(blocks[0], rows, blocks[0]) if blocks[0] else ():
        y = cells.cell(row, 0).y - cells.gap / 2
        cuts.append([(cells.box.x, y), (cells.box.right, y)])
    for column in range(blocks[1], columns, blocks[1]) if blocks[1] else ():
        x = cells.cell(0, column).x - cells.gap / 2
        cuts.append([(x, cells.box.y), (x, cells.cell(rows - 1, 0).bottom)])
    if cuts:
        marks.append(at.pen.strokes("cuts", cuts, "axis"))
    return tuple(marks)


def joined(at: Stage, link: tuple[tuple[int, int], ...]) -> list[tuple[float, float]]:
    """A line along neighbouring cells: under their numbers, or left of them."""
    first, last = at.cells.cell(*link[0]), at.cells.cell(*link[-1])
    short, low = first.width * 0.14, first.height * 0.86
    if link[0][0] == link[-1][0]:
        return [(first.x + short, first.y + low), (last.right - short, last.y + low)]
    return [(first.x + short, first.y + short), (last.x + short, last.y + low)]


def draw_grid(at: Stage, placed: Placement) -> Iterator[Mark]:
    yield from grid_marks(at, placed)


def draw_choice(at: Stage, state: State) -> Iterator[Mark]:
    """The element, the thread to its word, and the row and column that it is in."""
    pen, cells = at.pen, at.cells
    rows, columns = state.at.offsets.shape
    here = cells.cell(state.row, state.column)
    first, last = cells.cell(0, state.column), cells.cell(rows - 1, state.column)
    column = Box(first.x, first.y, first.width, last.bottom - first.y)
    first, last = cells.cell(state.row, 0), cells.cell(state.row, columns - 1)
    row = Box(first.x, first.y, last.right - first.x, first.height)
    banks = state.phase == "banks"
    for name, box, words in (("row", row, state.row_words), ("column", column, state.column_words)):
        role = ("dropped" if degree(words) > 1 else "kept") if banks else "axis soft"
        dashed = " dashed" if name == "row" and banks else ""
        yield at.pen.strokes(f"{name}-edge", [edge(box, 1)], role + dashed)
    yield pen.rect("here", here, "hot soft", round=1)
    if state.phase == "offset":
        yield at.pen.strokes("thread", [at.thread(here, at.word(state.offset))], "hot")


@lru_cache
def offset_marks(at: Stage, placed: Placement) -> tuple[Mark, ...]:
    marks = []
    for (row, column), offset in zip(
        ((r, c) for r in range(placed.offsets.shape[0]) for c in range(SIDE)), placed.offsets.ravel(), strict=True
    ):
        box = at.cells.cell(row, column)
        marks.append(at.pen.text(f"offset-{row}-{column}", box.x + box.width / 2, box.y + box.height / 2 - 1,
                                 str(offset), "value", anchor="middle", middle=True))  # fmt: skip
    return tuple(marks)


def draw_offsets(at: Stage, placed: Placement) -> Iterator[Mark]:
    yield from offset_marks(at, placed)


def draw_heads(at: Stage, state: State) -> Iterator[Mark]:
    """The indices of rows and columns; over or before them how a nested shape counts them."""
    pen, cells = at.pen, at.cells
    rows, columns = state.at.offsets.shape
    top, under = at.heads
    left = cells.box.x - (5 if pen.narrow else 8)
    corner = "in tile, tile" if state.at.name == "zipped" else "row, col"
    yield pen.text("corner", left, under, corner, "note", anchor="end")
    for column in range(columns):
        x, role = cells.cell(0, column).x + cells.cell_width / 2, "hot strong" if column == state.column else "note"
        yield pen.text(f"column-{column}", x, under, str(column), role, anchor="middle")
        if not isinstance(state.at.parts[1], int):
            yield pen.text(f"column-{column}-split", x, top, split(column, state.at.parts[1]), "note", anchor="middle")
    for row in range(rows):
        y, role = cells.cell(row, 0).y + cells.cell_height / 2, "hot strong" if row == state.row else "note"
        yield pen.text(f"row-{row}", left, y, str(row), role, anchor="end", middle=True)
        if not isinstance(state.at.parts[0], int):
            yield pen.text(f"row-{row}-split", 0, y, split(row, state.at.parts[0]), "note", middle=True)


def split(index: int, part: IntTuple) -> str:
    """An index as a nested shape counts it, without spaces."""
    return spell(natural_coordinate(index, part))
