"""The picture of a mask: one layer as a map of queries and keys, and its threads through a stack of layers."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from loom.draw import Bar, Box, Mark, Pen, lying_bars

from .layers import draw_layers
from .masks import Flags, causal_mask
from .model import causal_cells
from .moments import MAP, RULE, State
from .stage import Stage, runs

QUERIES = (4, 8, 12, 16)  # the rows that can be chosen


def draw(state: State, width: float) -> Iterator[Mark]:
    stack = state.stack
    at = Stage(Pen(width), stack.n, stack.layers)
    yield from draw_map(at, state)
    yield from draw_bars(at, state)
    yield from draw_layers(at, state)


def draw_map(at: Stage, state: State) -> Iterator[Mark]:
    """One layer: a row for each query, a column for each key, and what the rule lets through."""
    pen, box = at.pen, at.map
    which = "layer 1" if state.stack.pattern == "top-k" else "one layer"  # there, each has a map of its own
    yield pen.text("map-title", 0, 12 if pen.narrow else 16, f"{which}: each row asks, columns are read", "note")
    for token in (1, *QUERIES):
        x = box.x + (token - 0.5) * at.pitch
        yield pen.text(f"key-{token}", x, box.y - 6, str(token), "note", anchor="middle")
    yield pen.rect("map", box, "cell", round=0)
    stack = state.stack
    behind = causal_mask(stack.n) if stack.pattern in ("top-k", "interleaved") else None
    for row in range(stack.n):
        if state.step >= MAP or row == state.row:
            yield from draw_row(at, state, row, stack.masks[0][row], behind)
    lines = at.walls(box) + [((box.x, at.row(row).y), (box.right, at.row(row).y)) for row in range(1, stack.n)]
    yield pen.strokes("map-grid", lines, "grid")
    if stack.pattern == "top-k":
        yield draw_looks(at, state)
    yield pen.rect("asks", at.row(state.row), "hot outline", round=2)
    if state.step >= MAP:
        yield from draw_regions(at, state)
    for token in QUERIES:
        yield from draw_tab(at, token, token == state.query)


def draw_row(at: Stage, state: State, row: int, seen: Flags, behind: Flags | None) -> Iterator[Mark]:
    """What one query reads; behind it what the indexer scores, or what global layers read."""
    asks, wait = row == state.row, 0 if state.step == RULE else min(row, 15)
    if behind is not None:
        first, last = next(runs(behind[row]))
        role = "quiet" if state.stack.pattern == "top-k" else "hot soft" if asks else "kept soft"
        yield at.pen.rect(f"behind-{row}", at.stretch(at.row(row), first, last), role, round=1, wait=wait)
    for number, (first, last) in enumerate(runs(seen)):
        box = at.stretch(at.row(row), first, last)
        yield at.pen.rect(f"seen-{row}-{number}", box, "hot" if asks else "kept", round=1, wait=wait)


def draw_looks(at: Stage, state: State) -> Mark:
    """A dot in each cell that the indexer scores and attention leaves out."""
    rows = np.arange(at.n)[:, None]
    left_out = causal_mask(at.n) & ~state.stack.masks[0] & ((state.step >= MAP) | (rows == state.row))
    dots = []
    for row, key in np.argwhere(left_out):
        x, y = at.map.x + (key + 0.5) * at.pitch, at.row(int(row)).y + at.row_height / 2
        dots.append(((round(x - 1, 1), round(y, 1)), (round(x + 1, 1), round(y, 1))))
    return at.pen.strokes("looks", dots, "axis thick")


def draw_regions(at: Stage, state: State) -> Iterator[Mark]:
    """The words that stand in the map, on what is not read."""
    pen, stack = at.pen, state.stack
    if stack.pattern != "full":
        row = at.row(2)
        yield pen.text("later", at.map.right - 6, row.y, "later tokens: never read", "note", anchor="end", middle=True)
    words = {"window": "too far back", "window+first": "too far back", "interleaved": "global layers only"}
    if stack.pattern in words:
        row, left = at.row(stack.n - 2), stack.first if stack.pattern == "window+first" else 0
        x = at.map.x + left * at.pitch + 5
        role = "label" if stack.pattern == "interleaved" else "note"
        yield pen.text("early", x, row.y, words[stack.pattern], role, middle=True)


def draw_tab(at: Stage, token: int, chosen: bool) -> Iterator[Mark]:
    """The number of a row; pressing it lets that token ask."""
    pen = at.pen
    wide, tall = (32, 20) if pen.narrow else (34, 24)
    middle = at.row(token - 1).y + at.row_height / 2
    box = Box(at.map.x - wide - 5, middle - tall / 2, wide, tall)
    role, text = ("hot outline", "hot strong") if chosen else ("cell", "label")
    yield pen.rect(f"tab-{token}", box, role, round=4, set={"query": token}, label=f"Let token {token} ask")
    yield pen.text(f"tab-{token}-words", box.x + wide / 2, middle, str(token), text, anchor="middle", middle=True)


def draw_bars(at: Stage, state: State) -> Iterator[Mark]:
    """The scores of one layer as lengths; the whole width would be every query with every key."""
    stack = state.stack
    most, causal = stack.n**2, causal_cells(stack.n)
    local, last = int(stack.cells[0]), int(stack.cells[-1])
    if state.step == RULE:
        local = int(np.count_nonzero(stack.masks[0][state.row]))
        last = int(np.count_nonzero(stack.masks[-1][state.row]))
        most, causal = stack.n, state.query
    share = f"{local} score{'s' if local > 1 else ''}, {100 * local / most:.1f}%"
    role = "hot" if state.step == RULE else "kept"
    names = {"top-k": ("attention", "indexer"), "interleaved": ("local", "global")}
    upper, lower = names.get(stack.pattern, ("computed", "causal" if stack.pattern != "causal" else "full"))
    first = Bar("upper", upper, local, share, role)
    if stack.pattern == "top-k":
        second = Bar("lower", lower, causal, f"{causal} scores, cheaper", "quiet")
    elif stack.pattern == "interleaved":
        second = Bar("lower", lower, last, f"{last} scores, {100 * last / most:.1f}%", f"{role} soft")
    else:
        full = lower == "full"
        second = Bar("lower", lower, most if full else causal, f"{most if full else causal} scores", "ghost")
    yield from lying_bars(at.pen, at.bars, [first, second], most, names=66 if at.pen.narrow else 84)
