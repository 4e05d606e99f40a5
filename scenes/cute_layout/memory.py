"""Memory: words in rows, a column for each bank; the inner product as jumps, and what each bank is asked for."""

from __future__ import annotations

import math
from collections.abc import Iterator
from functools import cache, lru_cache
from itertools import pairwise

from loom.draw import Box, Mark, arrow, cell, count

from .banks import BANKS
from .model import TILER, Element, Placement
from .narration import in_passes
from .pace import Walk, stops
from .stage import Stage, between, spanning

ROOM = 6  # an arrow shorter than its head would be a blot


def memory_head(stage: Stage, element: Element, banks: bool) -> Iterator[Mark]:
    """What memory's rows are, and in the end which of its words are asked for beside those of the column."""
    x, words = stage.memory.box.x, f"dashed: row {element.row}"
    if not stage.narrow:
        yield stage.text("memory-title", x, 42, "memory, in rows of 8 words", "label strong")
    if banks:
        place = (stage.width, f"{words}, {in_passes(element.along)}", "end") if stage.narrow else (x, words, "start")
        yield stage.text("memory-more", place[0], stage.legend, place[1], "note", anchor=place[2])


@cache  # drawn once for all elements
def memory_marks(stage: Stage, placed: Placement) -> list[Mark]:
    """The words that hold elements, those left unused between them, and the numbers of rows and banks."""
    words, box = stage.words, stage.memory.box
    used = sorted(placed.offsets.ravel().tolist())
    marks = [stage.outlines("words", [words[word] for word in used], "axis soft thin")]
    if placed.name == "padded":
        marks.append(stage.hatches("gaps", [words[word] for word in range(placed.span) if word not in used]))
    if placed.name == "zipped":
        marks += tile_marks(stage)
    left, above = box.x - 7, box.y - stage.pick(5, 6)
    for row, first in enumerate(words[: placed.span : BANKS]):
        y = first.y + first.height / 2
        marks.append(stage.text(f"address-{row}", left, y, str(BANKS * row), "note", anchor="end", middle=True))
    marks.append(stage.text("bank-name", left, above, "bank", "note", anchor="end"))
    for bank, first in enumerate(words[:BANKS]):
        x = first.x + first.width / 2
        marks.append(stage.text(f"bank-{bank}", x, above, str(bank), "note", anchor="middle"))
    return marks


def tile_marks(stage: Stage) -> list[Mark]:
    """The tiles of the row-major matrix, which memory's rows are."""
    tall, wide = (tile.size for tile in TILER)
    bands, each, memory = BANKS // tall, BANKS // wide, stage.memory
    boxes = [spanning(memory.cell(row, column), memory.cell(row + tall - 1, column + wide - 1))
             for row in range(0, BANKS, tall) for column in range(0, BANKS, wide)]  # fmt: skip
    left = memory.box.right + 7
    marks = [
        stage.outlines("tiles", [spanning(box, box, 1) for box in boxes], "axis"),
        stage.text("tiles-name", left, memory.box.y - 6, "tiles", "note"),
    ]
    for band, box in enumerate(boxes[::each]):  # the tiles are counted down the matrix first
        words = ", ".join(str(number) for number in range(band, bands * each, bands))
        marks.append(stage.text(f"tiles-{band}", left, box.y + box.height / 2, words, "note", middle=True))
    return marks


@lru_cache(maxsize=1)  # all beats of an element
def row_words(stage: Stage, element: Element) -> Mark:
    """The words of the element's row."""
    role = "dropped" if element.along.degree > 1 else "work"
    boxes = [spanning(stage.words[word], stage.words[word], -2) for word in element.along.words]
    return stage.outlines("row-words", boxes, f"{role} dashed thin")


def draw_words(stage: Stage, element: Element, landed: int | None, sent: int) -> Iterator[Mark]:
    """The words of the element's column: first on their cells; those that have landed with the pass they wait for."""
    down, places = element.down, stage.words
    if landed is not None:
        yield row_words(stage, element)
    for row, (word, nth) in enumerate(zip(down.words, down.passes, strict=True)):
        if row < (landed or 0):
            told = f"word {word} of bank {word % BANKS}: pass {nth}"
            yield stage.rect(
                f"word-{row}", places[word], f"{'work' if nth == 1 else 'dropped'} soft", round=1, read=told
            )
        else:
            place = places[word] if landed is not None and row < sent else stage.cells[row][element.column]
            yield stage.rect(f"word-{row}", place, "data soft", round=1)
    for row, (word, nth) in enumerate(zip(down.words, down.passes, strict=True)):
        if row < (landed or 0):
            x, y = places[word].x + places[word].width / 2, places[word].y + places[word].height / 2
            yield stage.text(f"pass-{row}", x, y, str(nth), "value strong", anchor="middle", middle=True)


def draw_jumps(stage: Stage, element: Element, way: Walk) -> Iterator[Mark]:
    """The inner product as jumps from word 0, term by term; a swizzle's exchange is one more jump."""
    totals = [total for _, total in stops(element)]
    swapped, boxes = element.offset != element.plain, [stage.words[total] for total in totals]
    for index, (total, box) in enumerate(zip(totals[: way.to], boxes, strict=False)):
        if total != totals[way.to]:  # a swizzle may lead back to a stop
            yield from cell(stage, f"stop-{index}", box, str(total), "ghost", text_role="note")
    for index, (here, there) in enumerate(pairwise((boxes[:-1] if swapped else boxes)[: way.come + 1])):
        start, end = between(here, there)
        if abs(end[0] - start[0]) + abs(end[1] - start[1]) > ROOM:
            yield arrow(stage, f"jump-{index}", start, end, "axis")
    here = boxes[way.to]
    yield stage.rect("place-ground", here, "cell steady")  # the line to where the word would lie passes under it
    yield from cell(stage, "place", here, str(totals[way.come]), "hot soft steady", text_role="value strong steady")
    if swapped and way.come == len(boxes) - 1:
        yield stage.strokes("swap", [hop(boxes[-2], boxes[-1])], "hot")


def hop(start: Box, end: Box) -> list[tuple[float, float]]:
    """An arrow from the top of one word to the top of another in its row, up and over.

    It keeps to the sides of their middles that face each other: in the word above may stand a number.
    """
    aside = math.copysign(0.28 * start.width, end.x - start.x)
    x, to = start.x + start.width / 2 + aside, end.x + end.width / 2 - aside
    y, up = start.y - 1, min(12.0, 0.7 * start.height)
    return [(x, y), (x, y - up), (to, y - up), (to, y), (to - 3, y - 4), (to, y), (to + 3, y - 4)]


def draw_answer(stage: Stage, element: Element, landed: int | None, come: int) -> Iterator[Mark]:
    """The offset as far as it is summed up; later how many passes the reads take, as far as the words have landed."""
    (x, y), strong, anchor = stage.answer, "value strong answer", stage.pick("end", "start")
    if landed is None:
        offset = stops(element)[come][1]
        yield stage.text("answer-offset", x, y, str(offset), strong, size=stage.huge, anchor=anchor)
        if stage.narrow:
            yield stage.text("answer-of", x, stage.legend, "the offset", "note", anchor="end")
        else:
            yield stage.text("answer-of", x, y - 32, "offset", "note")
            yield stage.text("answer-bank", x, y + 24, f"bank {offset % BANKS}", "label")
        return
    down, along = max(element.down.passes[:landed], default=0), element.along.degree
    role = f"{'dropped' if down > 1 else 'work'} strong answer"
    words = count(down, "pass", "passes") if stage.narrow else str(down)
    yield stage.text("passes-answer", x, y, words, role, size=stage.huge, anchor=anchor)
    if not stage.narrow:
        yield stage.text("passes-of", x, y - 32, f"column {element.column}", "note")
        yield stage.text("passes-unit", x, y + 22, "pass" if down == 1 else "passes", "label")
        role = f"{'dropped' if along > 1 else 'work'} strong"
        yield stage.text("row-of", x, y + 68, f"row {element.row}", "note")
        yield stage.text("row-passes", x, y + 92, in_passes(element.along), role, size=stage.large)
