"""A mark as a handle of two parameters, over cells that say their numbers."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from loom.draw import Box, Grid, Handle, Mark, Pen, cell, shade_role
from loom.scene import Range

from .._pieces import piece


def example(pen: Pen, row: int, column: int) -> Iterator[Mark]:
    rain = np.random.default_rng(7).integers(0, 10, (5, 8))
    grid = Grid(Box(4, 8, pen.pick(320, 560), 200), 5, 8, gap=8)
    inside = {(row + down, column + across) for down in range(3) for across in range(3)}
    for at, mm in np.ndenumerate(rain):
        role = shade_role(mm, 10) if at in inside else f"{shade_role(mm, 10)} soft"
        yield from cell(pen, f"field-{at[0]}-{at[1]}", grid.cell(*at), "", role, read=f"{mm} mm of rain")
    side = 3 * grid.cell_width + 24, 3 * grid.cell_height + 24
    farms = [
        Box(*grid.cell(y, x)[:2], *side).inset(left=-4, top=-4, right=4, bottom=4) for y in range(3) for x in range(6)
    ]
    rail = tuple((farm.x + farm.width / 2, farm.y + farm.height / 2) for farm in farms)
    yield pen.rect("farm", farms[6 * row + column], "hot outline", handle=Handle(("row", "column"), rail))
    x, y = (4, grid.box.bottom + 40) if pen.narrow else (grid.box.right + 40, 60)
    yield pen.text("total", x, y, f"{sum(rain[one] for one in inside)} mm", "value hot", size=pen.huge)
    yield pen.text("total-of", x, y + 22, "fell on the nine fields of the farm", "note")


SCENE = piece(
    "How are two numbers set at once?",
    "By a mark that is a handle of both: it is as large as a finger, and has a place for each pair.",
    example,
    (Range("row", "Row", (0, 1, 2), default=1), Range("column", "Column", tuple(range(6)), default=2)),
    "Look at row {row} and column {column}.",
)
