"""The pairs of queries and keys, coloured by the GPU that has the query, and the blocks of one step of the ring."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby, pairwise

from loom.draw import Box, Mark

from .model import AT_ONCE, TOKENS
from .stage import Stage, hue


def draw_triangle(stage: Stage, step: int | None) -> Iterator[Mark]:
    """All pairs; in a step of the ring those still to come are faint, and those of now are framed."""
    pen, ring = stage.pen, stage.ring
    owner = ring.owner.tolist()
    yield from draw_fold(stage) if stage.folded else draw_keys(stage)
    running = step is not None and step < ring.ranks
    for query, rank in enumerate(owner):
        row, column = stage.start(query)
        role = f"{hue(rank)} soft" if running else hue(rank)
        place = stage.cells(row, row, column, column + query)
        if query >= stage.asking:
            place = place._replace(width=0)
        wait = 2 * (query % AT_ONCE) if stage.told <= query < stage.asking else 0  # one after the other
        yield pen.rect(f"row-{query}", place, role, round=1, wait=wait)
    now: list[Box] = []
    for turn in range(step + 1 if running and step is not None else 0):
        for query, last, start, end in stage.blocks[turn]:
            box = stage.cells(query, last, start, end)
            yield pen.rect(f"block-{turn}-{query}-{start}", box, hue(owner[query]), round=1)
            now += [box] * (turn == step)
    yield draw_seam(stage) if stage.folded else draw_grid(stage)
    if now:
        yield pen.outlines("now", now, "hot")
    yield from draw_names(stage)


def draw_keys(stage: Stage) -> Iterator[Mark]:
    """The GPU of each run of keys, over their columns."""
    pen, grid = stage.pen, stage.triangle
    yield pen.text("keys", grid.box.x, grid.box.y - pen.pick(12, 16), "queries ↓  keys →", "note")
    for rank, run in groupby(range(TOKENS), stage.ring.owner.tolist().__getitem__):
        first, *_, last = [*run] * 2
        strip = stage.cells(0, 0, first, last)._replace(y=grid.box.y - pen.pick(7, 9), height=pen.pick(4, 5))
        yield pen.rect(f"key-{last}", strip, hue(rank), round=1)


def draw_fold(stage: Stage) -> Iterator[Mark]:
    """The places that early rows have left, and what all rows hold once they are filled up."""
    pen = stage.pen
    for query in filter(stage.fits, range(TOKENS)):
        yield pen.rect(f"left-{query}", stage.cells(query, query, 0, query), "cell soft", round=1)
    if stage.folded == stage.ring.ranks:
        place = stage.triangle.cell(TOKENS // 2, TOKENS // 2 + 1)
        yield pen.text("filled", place.x, place.y - 8, f"{TOKENS + 1} pairs a row", "value strong")


def draw_grid(stage: Stage) -> Mark:
    """Lines between the pairs."""
    grid = stage.triangle
    places = [grid.cell(at, at) for at in range(TOKENS)]
    across = [[(grid.box.x, cell.bottom + 0.5), (cell.right, cell.bottom + 0.5)] for cell in places[:-1]]
    down = [[(cell.right + 0.5, right.y), (cell.right + 0.5, grid.box.bottom)] for cell, right in pairwise(places)]
    return stage.pen.strokes("grid", [*across, *down], "grid")


def draw_seam(stage: Stage) -> Mark:
    """Between late rows and the early ones that lie beside them, a stair."""
    cells = [stage.triangle.cell(*stage.start(query)) for query in reversed(range(TOKENS)) if stage.fits(query)]
    sides = [[(cell.x - 0.5, cell.y - 0.5), (cell.x - 0.5, cell.bottom + 0.5)] for cell in cells]
    steps = [[low[1], high[0]] for low, high in pairwise(sides) if low[1][1] == high[0][1]]
    return stage.pen.strokes(f"seam-{stage.folded}", [*sides, *steps], "sign thick")


def draw_names(stage: Stage) -> Iterator[Mark]:
    """The GPU of each run of queries, to the right of what they see."""
    pen, grid, rows = stage.pen, stage.triangle, stage.rows_of_pairs
    for rank, run in groupby(rows, stage.ring.owner.tolist().__getitem__):
        found = [*run]
        first, last = grid.cell(found[0], 0), grid.cell(found[-1], 0)
        y, wide = (first.y + last.bottom) / 2, last.bottom - first.y > 1.3 * pen.size
        beside = grid.cell(0, rows[found[len(found) // 2]] - 1).right
        beside += 10 * (rank % 2) * (rows[found[0]] > TOKENS and last.bottom - first.y < pen.size)  # too close else
        name = f"GPU {rank}" if wide else str(rank)
        yield pen.text(f"owner-{found[-1]}", beside + 6, y, name, "note", middle=True)
