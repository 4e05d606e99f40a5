"""The picture of a mask: one layer as a map of queries and keys, and its threads through a stack of layers."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from itertools import pairwise

import numpy as np

from loom.draw import Box, Mark, Pen, count, headline
from loom.scene import Moment

from .layers import Stage, draw_layers, runs
from .masks import Flags, causal_mask
from .model import TOKENS, Look, path_of
from .narration import answer, layers_of

QUERIES = tuple(range(1, TOKENS + 1))
NUMBERED = (1, 4, 8, 12, 16)


def draw(moment: Moment, width: float) -> Iterator[Mark]:
    stage, look, alone = stage_of(width), moment.result, moment.phase == "rule"
    yield from draw_answer(stage, moment)
    yield from draw_map(stage, look, alone)
    yield from draw_layers(stage, moment)
    if not alone:
        yield from draw_hops(stage, moment)


@lru_cache(maxsize=2)
def stage_of(width: float) -> Stage:
    return Stage(Pen(width))


def draw_answer(stage: Stage, moment: Moment) -> Iterator[Mark]:
    """What the step comes to, as one number."""
    pen, (number, words) = stage.pen, answer(moment.phase, moment.result, layers_of(moment))
    x, y = stage.answer
    yield from headline(pen, x, y, number, words)


@lru_cache(maxsize=4)  # after the first step, the map stays as it is
def draw_map(stage: Stage, look: Look, alone: bool) -> list[Mark]:
    """One layer: a row for each query, or `alone` that of the one that asks, a column for each key."""
    pen, box, stack = stage.pen, stage.map, look.stack
    which = "layer 1" if stack.pattern == "top-k" else "one layer"  # there, each has a map of its own
    marks = [pen.text("map-title", 0, box.y - pen.pick(12, 26), f"{which}: rows ask, columns are read", "note")]
    for token in () if pen.narrow else NUMBERED:  # on a phone those of the strips stand in the same columns
        x = box.x + (token - 0.5) * stage.pitch
        marks.append(pen.text(f"key-{token}", x, box.y - 6, str(token), "note", anchor="middle"))
    marks.append(pen.rect("map", box, "cell", round=0))
    for row in [look.row] if alone else range(TOKENS):
        marks += draw_row(stage, look, row, 0 if alone else min(row, 15))
    marks.append(map_grid(stage))
    if stack.pattern == "top-k":
        marks.append(draw_looks(stage, look, alone))
    marks.append(pen.rect("asks", stage.rows[look.row], "hot outline", round=2))
    if not alone:
        marks += draw_regions(stage, look)
    return [*marks, *draw_rows(stage, look)]


def draw_rows(stage: Stage, look: Look) -> Iterator[Mark]:
    """Every row can be pressed, and the one that asks can be pulled to another."""
    pen, x = stage.pen, stage.map.x
    for token, row in zip(QUERIES, stage.rows, strict=True):
        frame = Box(x, row.y, row.width, row.height)
        label, reads = f"Let token {token} ask", int(np.count_nonzero(look.stack.masks[0][token - 1]))
        yield pen.rect(f"row-{token}", frame, "quiet outline soft", round=0, set={"query": token}, label=label,
                       read=f"token {token} reads {count(reads, 'key')} of {TOKENS}")  # fmt: skip
        if token in NUMBERED and abs(row.y - stage.rows[look.row].y) > pen.pick(15, 16) + 0.35 * pen.size:
            yield pen.text(f"row-{token}-words", x - 6, row.y + row.height / 2, str(token), "note", anchor="end",
                           middle=True)  # fmt: skip
    rail = [(x - pen.pick(12, 14), row.y + row.height / 2) for row in stage.rows]
    place = rail[look.row]
    yield pen.knob("asker", *place, "query", rail)
    yield pen.text("asker-number", place[0] - pen.pick(10, 12), place[1], str(look.query), "hot strong", anchor="end",
                   middle=True)  # fmt: skip


def draw_hops(stage: Stage, moment: Moment) -> Iterator[Mark]:
    """The longest way down the stack, hop by hop: each is a cell of the map, with the number of its layer."""
    look, layers = moment.result, layers_of(moment)
    path = path_of(look, layers)
    for layer, (key, reader) in enumerate(pairwise(path), 1):
        if key != reader and (layer == 1 or look.stack.pattern != "top-k"):
            box = stage.stretch(stage.rows[reader], key, key)
            yield stage.pen.rect(f"hop-cell-{layer}", box, "hot", round=1)


@lru_cache(maxsize=2)
def map_grid(stage: Stage) -> Mark:
    """The lines between the cells, the same in every picture of one width."""
    lines = [((row.x, row.y), (row.right, row.y)) for row in stage.rows[1:]]
    return stage.pen.strokes("map-grid", stage.walls(stage.map) + lines, "grid")


def draw_row(stage: Stage, look: Look, row: int, wait: int) -> Iterator[Mark]:
    """What one query reads; behind it what the indexer scores, or what global layers read: all of its past."""
    pen, box, asks, pattern = stage.pen, stage.rows[row], row == look.row, look.stack.pattern
    if pattern in ("top-k", "interleaved"):
        role = "quiet" if pattern == "top-k" else "hot soft" if asks else "kept soft"
        yield pen.rect(f"behind-{row}", stage.stretch(box, 0, row), role, round=1, wait=wait)
    for number, run in enumerate(runs(look.stack.masks[0][row])):
        role = "hot" if asks else "kept"
        yield pen.rect(f"seen-{row}-{number}", stage.stretch(box, *run), role, round=1, wait=wait)


def draw_looks(stage: Stage, look: Look, alone: bool) -> Mark:
    """A dot in each cell that the indexer scores and attention leaves out."""
    left_out: Flags = causal_mask(TOKENS) & ~look.stack.masks[0]
    dots = []
    for row, key in np.argwhere(left_out).tolist():
        if row == look.row or not alone:
            x, y = stage.map.x + (key + 0.5) * stage.pitch, stage.rows[row].y + stage.rows[row].height / 2
            dots.append(((round(x - 1, 1), round(y, 1)), (round(x + 1, 1), round(y, 1))))
    return stage.pen.strokes("looks", dots, "axis thick")


def draw_regions(stage: Stage, look: Look) -> Iterator[Mark]:
    """The words that stand in the map, on what is not read."""
    pen, box, stack = stage.pen, stage.map, look.stack
    words = {"later": "later tokens: never read"} if stack.pattern != "full" else {}
    words |= {"passed": "grey: not chosen"} if stack.pattern == "top-k" else {}
    for (key, line), y in zip(words.items(), clear_of(stage, look.row, len(words)), strict=True):
        yield pen.text(key, box.right - 6, y, line, "note", anchor="end", middle=True)
    early = {"window": "too far back", "window+first": "too far back", "interleaved": "global layers only"}
    if stack.pattern in early:
        x = box.x + (stack.first if stack.pattern == "window+first" else 0) * stage.pitch + 5
        role = "label" if stack.pattern == "interleaved" else "note"
        y = stage.rows[-2 if look.query not in (14, 15) else -4].y
        yield pen.text("early", x, y, early[stack.pattern], role, middle=True)


def clear_of(stage: Stage, row: int, lines: int) -> list[float]:
    """The heights of lines of words over the cells of later tokens, clear of the row that asks."""
    half, asks, y, heights = 0.65 * stage.pen.size, stage.rows[row], stage.rows[2].y, list[float]()
    for _ in range(lines):
        if y - half < asks.bottom and asks.y < y + half:
            y = asks.bottom + half
        heights.append(y)
        y += 1.35 * stage.pen.size
    return heights
