"""What a mark stands for, and how that looks."""

from __future__ import annotations

from collections.abc import Iterator

from loom.draw import Box, Grid, Mark, Pen

from .._pieces import piece


def example(pen: Pen) -> Iterator[Mark]:
    roles = ["data", "hot", "work", "memory", "kept", "dropped", "pad", "ghost", "quiet", "cell",
             "series-1", "series-2", "series-3", "series-4", "series-5", "series-6",
             "data soft", "data outline", "data dashed outline"]  # fmt: skip
    columns = pen.pick(2, 5)
    lines = -(-len(roles) // columns)
    grid = Grid(Box(0, 8, pen.width, lines * 30), lines, columns, gap=8)
    for at, role in enumerate(roles):
        cell = grid.nth(at)
        yield pen.rect(role, Box(cell.x, cell.y, 34, cell.height), role)
        if role == "pad":
            yield pen.hatch(f"{role}-hatch", Box(cell.x, cell.y, 34, cell.height))
        yield pen.text(f"{role}-name", cell.x + 42, cell.y + cell.height / 2, role, "label", middle=True)


SCENE = piece("Which roles can a mark have?", "A role says what a mark stands for; words behind it say how.", example)
