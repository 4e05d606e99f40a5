"""The picture of a mask: one layer as a map of queries and keys, and its threads through a stack of layers."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

import numpy as np

from loom.draw import Bar, Box, Mark, Pen, count, horizontal_bars
from loom.scene import Moment

from .layers import Stage, draw_layers, runs
from .masks import Flags, causal_mask
from .model import TOKENS, Look, causal_cells

QUERIES = (4, 8, 12, 16)  # the rows that can be chosen


def draw(moment: Moment, width: float) -> Iterator[Mark]:
    stage, look, alone = stage_of(width), moment.result, moment.phase == "rule"
    yield from draw_map(stage, look, alone)
    yield from draw_bars(stage, look, alone)
    yield from draw_layers(stage, moment)


@lru_cache(maxsize=2)
def stage_of(width: float) -> Stage:
    return Stage(Pen(width))


@lru_cache(maxsize=4)  # after the first step, the map stays as it is
def draw_map(stage: Stage, look: Look, alone: bool) -> list[Mark]:
    """One layer: a row for each query, or `alone` that of the one that asks, a column for each key."""
    pen, box, stack = stage.pen, stage.map, look.stack
    which = "layer 1" if stack.pattern == "top-k" else "one layer"  # there, each has a map of its own
    marks = [pen.text("map-title", 0, pen.pick(12, 16), f"{which}: each row asks, columns are read", "note")]
    for token in (1, *QUERIES):
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
    for token in QUERIES:
        marks += draw_tab(stage, token, token == look.query)
    return marks


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
    if stack.pattern != "full":
        words = "later tokens: never read"
        yield pen.text("later", box.right - 6, stage.rows[2].y, words, "note", anchor="end", middle=True)
    early = {"window": "too far back", "window+first": "too far back", "interleaved": "global layers only"}
    if stack.pattern in early:
        x = box.x + (stack.first if stack.pattern == "window+first" else 0) * stage.pitch + 5
        role = "label" if stack.pattern == "interleaved" else "note"
        yield pen.text("early", x, stage.rows[-2].y, early[stack.pattern], role, middle=True)


def draw_tab(stage: Stage, token: int, chosen: bool) -> Iterator[Mark]:
    """The number of a row; pressing it lets that token ask."""
    pen, row = stage.pen, stage.rows[token - 1]
    (wide, tall), middle = pen.pick((32, 20), (34, 24)), row.y + row.height / 2
    box = Box(stage.map.x - wide - 5, middle - tall / 2, wide, tall)
    role, text = ("hot outline", "hot strong") if chosen else ("cell", "label")
    yield pen.rect(f"tab-{token}", box, role, round=4, set={"query": token}, label=f"Let token {token} ask")
    yield pen.text(f"tab-{token}-words", box.x + wide / 2, middle, str(token), text, anchor="middle", middle=True)


def draw_bars(stage: Stage, look: Look, alone: bool) -> Iterator[Mark]:
    """The scores of one layer, or `alone` of one query, as lengths; the whole width is every query with every key."""
    stack, pattern = look.stack, look.stack.pattern
    cells, most, causal = stack.cells.tolist(), TOKENS**2, causal_cells(TOKENS)
    if alone:
        cells, most, causal = stack.masks[:, look.row].sum(axis=1).tolist(), TOKENS, look.query
    role = "hot" if alone else "kept"
    names = {"top-k": "attention", "interleaved": "local"}
    words = f"{count(cells[0], 'score')}, {100 * cells[0] / most:.1f}%"
    first = Bar("upper", names.get(pattern, "computed"), cells[0], words, role)
    if pattern == "top-k":
        second = Bar("lower", "indexer", causal, f"{causal} scores, cheaper", "quiet")
    elif pattern == "interleaved":
        words = f"{cells[-1]} scores, {100 * cells[-1] / most:.1f}%"
        second = Bar("lower", "global", cells[-1], words, f"{role} soft")
    else:
        name, scores = ("full", most) if pattern == "causal" else ("causal", causal)
        second = Bar("lower", name, scores, f"{scores} scores", "ghost")
    yield from horizontal_bars(stage.pen, stage.bars, [first, second], most, names=stage.pen.pick(66, 84))
