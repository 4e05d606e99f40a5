"""The picture of a layout: a grid of offsets, one of them held, and memory in banks."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cache, lru_cache

from loom.draw import Mark, memoized
from loom.scene import Moment

from .layout import IntTuple, leaves, natural_coordinate, spell
from .memory import draw_answer, draw_jumps, draw_words, memory_head, memory_marks
from .model import SIDE, Element, Placement
from .narration import factors, lines, remark, seen, so_far, title
from .pace import stops, walk
from .stage import NARROW, WIDE, Stage, spanning


def draw(moment: Moment, width: float) -> Iterator[Mark]:
    stage, element, banks = NARROW if width == NARROW.width else WIDE, seen(moment), moment.since("banks")
    sent = moment.beat if moment.phase == "banks" else SIDE
    landed = max(0, moment.beat - 1) if moment.phase == "banks" else SIDE if banks else None  # a word takes a beat
    yield from title_marks(stage, element.at)
    way = walk(moment, element)
    yield from draw_sums(stage, element, way.come)
    yield from draw_factors(stage, element)
    yield from grid_marks(stage, element.at)
    yield from memory_head(stage, element, banks)
    yield from lit(memory_marks(stage, element.at), f"bank-{element.bank}")
    yield from draw_choice(stage, element, banks, thread=moment.phase != "offset" or moment.progress == 1)
    yield from draw_words(stage, element, landed, sent)
    yield from here_marks(stage, element)
    if banks:
        yield stage.outlines("word", [spanning(stage.words[element.offset], stage.words[element.offset], 1)], "hot")
    else:
        yield from draw_jumps(stage, element, way)
    yield from draw_answer(stage, element, landed, way.come)
    yield draw_handle(stage, element)


def lit(marks: Iterable[Mark], *keys: str) -> Iterator[Mark]:
    """The marks, those of some keys in the colour of the element."""
    for mark in marks:
        yield mark._replace(role=mark.role.replace("note", "hot strong")) if mark.key in keys else mark


@cache  # drawn once for all elements, like all that takes only a placement
def title_marks(stage: Stage, placed: Placement) -> list[Mark]:
    """The layout as CuTe writes it, and where there is room what kind it is."""
    words, size = title(placed), stage.large
    marks = [stage.text("title", 0, stage.pick(14, 18), words, "label strong", size=size)]
    if not stage.narrow:
        x = stage.text_width(words, size=size, strong=True) + 16
        marks.append(stage.text("remark", x, 18, remark(placed), "note"))
    return marks


@memoized
def draw_sums(stage: Stage, element: Element, come: int) -> Iterator[Mark]:
    """The arithmetic as far as it has come; on a phone its last line alone."""
    left, (first, second) = stage.pick(0.0, stage.grid.box.x), lines(element, brief=stage.narrow)
    if not stage.narrow:
        yield stage.text("sum-0", left, stage.sums[0], first)
    if come < len(stops(element)) - 1:
        second = so_far(element, come)
    yield stage.text("sum-1", left, stage.sums[1], second, "label strong", size=stage.pick(stage.size, stage.large))


@memoized
def draw_factors(stage: Stage, element: Element) -> Iterator[Mark]:
    """Both factors of a composition, each with its part, where the grid leaves room."""
    if element.at.name == "composition" and not stage.narrow:
        corner = stage.cells[len(element.at.offsets)][0]
        for index, words in enumerate(factors(element)):
            y = corner.y + (1.8 + index * 1.7) * stage.size
            yield stage.text(f"factor-{index}", corner.x, y, words)


@cache
def grid_marks(stage: Stage, placed: Placement) -> list[Mark]:
    """The cells, and the cuts between their blocks."""
    cells, box, half = stage.cells[: len(placed.offsets)], stage.grid.box, stage.grid.gap / 2
    marks = [
        stage.rect(f"cell-{row}-{column}", cell, "cell", round=1, set={"point": f"{row},{column}"},
                   label=f"Look at element ({row}, {column})")
        for row, line in enumerate(cells) for column, cell in enumerate(line)
    ]  # fmt: skip
    tall, wide = (SIDE if isinstance(part, int) else leaves(part)[0] for part in placed.parts)
    rows = [line[0].y - half for line in cells[tall::tall]]
    columns = [cell.x - half for cell in cells[0][wide::wide]]
    cuts = [[(box.x, y), (box.right, y)] for y in rows]
    cuts += [[(x, box.y), (x, cells[-1][0].bottom)] for x in columns]
    return [*marks, stage.strokes("cuts", cuts, "axis")] if cuts else marks


@memoized
def draw_choice(stage: Stage, element: Element, banks: bool, *, thread: bool) -> Iterator[Mark]:
    """The element, once it has been found the thread to its word, and the row and column that it is in."""
    cells, row, column = stage.cells[: len(element.at.offsets)], element.row, element.column
    lanes = (("row", cells[row][0], cells[row][-1], element.along),
             ("column", cells[0][column], cells[-1][column], element.down))  # fmt: skip
    out = stage.pick(-1, 1)  # on a phone the thread runs down the gutter beside the column
    for name, first, last, read in lanes:
        role = ("dropped" if read.degree > 1 else "work") if banks else "axis soft"
        dashed = " dashed" if name == "row" and banks else ""
        yield stage.outlines(f"{name}-edge", [spanning(first, last, out)], role + dashed)
    if thread:
        yield stage.strokes("thread", [stage.thread(cells[row][column], stage.words[element.offset])], "hot")


@lru_cache(maxsize=1)  # all chapters and beats of an element, as its handle
def here_marks(stage: Stage, element: Element) -> list[Mark]:
    """The element's cell, on a ground that keeps the colour of its column from it, all offsets, and all indices."""
    here, key = stage.cells[element.row][element.column], f"offset-{element.row}-{element.column}"
    marks = [stage.rect("here-ground", here, "cell", round=1), stage.rect("here", here, "hot soft", round=1)]
    for mark in offset_marks(stage, element.at):
        strong = mark._replace(role=mark.role.replace("value", "value strong"))
        marks.append(strong if mark.key == key else mark)
    return [*marks, *lit(head_marks(stage, element.at), f"column-{element.column}", f"row-{element.row}")]


@lru_cache(maxsize=1)
def draw_handle(stage: Stage, element: Element) -> Mark:
    """The frame of the element: a handle that runs over all cells. A row that the grid has not is one that it has."""
    rows = len(element.at.offsets)
    middles = [(cell.x + cell.width / 2, cell.y + cell.height / 2) for line in stage.cells for cell in line]
    rail = tuple(middles[(row % rows) * SIDE + column] for row in range(SIDE) for column in range(SIDE))
    here = stage.cells[element.row][element.column]
    knob = stage.knob("grasp", *middles[element.row * SIDE + element.column], "point", rail, "element")
    frame = stage.rect("grasp", spanning(here, here, stage.pick(4.5, 3.5)), "hot outline", round=3)
    return frame._replace(handle=knob.handle, label=knob.label)


@cache
def offset_marks(stage: Stage, placed: Placement) -> list[Mark]:
    """The offset in each cell; on a phone in its very middle, as far as can be from the frame of a neighbour."""
    up = stage.pick(0, 1)
    return [
        stage.text(f"offset-{row}-{column}", cell.x + cell.width / 2, cell.y + cell.height / 2 - up, str(offset),
                   "value", anchor="middle", middle=True)
        for row, read in enumerate(placed.rows)
        for column, (cell, offset) in enumerate(zip(stage.cells[row], read.words, strict=True))
    ]  # fmt: skip


@cache
def head_marks(stage: Stage, placed: Placement) -> list[Mark]:
    """The indices of rows and columns; over or before them how a nested shape counts them."""
    (top, under), left, (tall, wide) = stage.heads, stage.grid.box.x - stage.pick(5, 8), placed.parts
    corner = "in tile, tile" if placed.name == "zipped" else "row, col"
    marks = [stage.text("corner", left, under, corner, "note", anchor="end")]
    for column, cell in enumerate(stage.cells[0]):
        x = cell.x + cell.width / 2
        marks.append(stage.text(f"column-{column}", x, under, str(column), "note", anchor="middle"))
        if not isinstance(wide, int):
            marks.append(stage.text(f"column-{column}-split", x, top, split(column, wide), "note", anchor="middle"))
    for row in range(len(placed.offsets)):
        y = stage.cells[row][0].y + stage.cells[row][0].height / 2
        marks.append(stage.text(f"row-{row}", left, y, str(row), "note", anchor="end", middle=True))
        if not isinstance(tall, int):
            marks.append(stage.text(f"row-{row}-split", 0, y, split(row, tall), "note", middle=True))
    return marks


def split(index: int, part: IntTuple) -> str:
    """An index as a nested shape counts it, without spaces."""
    return spell(natural_coordinate(index, part))
