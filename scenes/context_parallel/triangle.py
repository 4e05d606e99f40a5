"""The pairs of queries and keys, coloured by the GPU that has the query, and the blocks of one step of the ring."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby, pairwise

from loom.draw import Box, Mark

from .model import TOKENS
from .stage import Stage, hue


def draw_triangle(stage: Stage, step: int | None) -> Iterator[Mark]:
    """All pairs; in a step of the ring those still to come are faint, and those of now are framed."""
    pen, ring, grid = stage.pen, stage.ring, stage.triangle
    owner = ring.owner.tolist()
    yield pen.text("keys", grid.box.x, grid.box.y - pen.pick(12, 16), "queries ↓  keys →", "note")
    for key, rank in enumerate(owner):
        place = grid.cell(0, key)
        strip = Box(place.x, place.y - pen.pick(7, 9), place.width, pen.pick(4, 5))
        yield pen.rect(f"key-{key}", strip, hue(rank), round=1)
    running = step is not None and step < ring.ranks
    for query, rank in enumerate(owner):
        row = block(stage, query, query, 0, query)
        yield pen.rect(f"row-{query}", row, f"{hue(rank)} soft" if running else hue(rank), round=1)
    now: list[Box] = []
    for turn in range(step + 1 if running and step is not None else 0):
        for query, last, start, end in stage.blocks[turn]:
            box = block(stage, query, last, start, end)
            yield pen.rect(f"block-{turn}-{query}-{start}", box, hue(owner[query]), round=1)
            now += [box] * (turn == step)
    places = [grid.cell(at, at) for at in range(TOKENS)]
    across = [[(grid.box.x, cell.bottom + 0.5), (cell.right, cell.bottom + 0.5)] for cell in places[:-1]]
    down = [[(cell.right + 0.5, right.y), (cell.right + 0.5, grid.box.bottom)] for cell, right in pairwise(places)]
    yield pen.strokes("grid", [*across, *down], "grid")
    if now:
        yield pen.outlines("now", now, "hot")
    yield from draw_names(stage)


def block(stage: Stage, query: int, last: int, start: int, end: int) -> Box:
    """From one query to another, and from one key to another, with the ends."""
    first, final = stage.triangle.cell(query, start), stage.triangle.cell(last, end)
    return Box(first.x, first.y, final.right - first.x, final.bottom - first.y)


def draw_names(stage: Stage) -> Iterator[Mark]:
    """The GPU of each run of queries, to the right of what they see."""
    pen, grid = stage.pen, stage.triangle
    runs = [(rank, [*run]) for rank, run in groupby(range(TOKENS), stage.ring.owner.tolist().__getitem__)]
    for at, (rank, queries) in enumerate(runs):
        first, last = grid.cell(queries[0], queries[0]), grid.cell(queries[-1], queries[-1])
        y, wide = (first.y + last.bottom) / 2, last.bottom - first.y > 1.5 * pen.size
        beside = grid.cell(0, queries[len(queries) // 2]).right
        yield pen.text(f"owner-{at}", beside + 6, y, f"GPU {rank}" if wide else str(rank), "note", middle=True)
