"""The words that may stand behind a role."""

from __future__ import annotations

from collections.abc import Iterator

from loom.draw import Box, Grid, Mark, Pen

from .._pieces import piece


def example(pen: Pen) -> Iterator[Mark]:
    boxes, lines = ["work", "work soft", "work outline"], ["memory", "memory thin", "memory thick", "memory dashed"]
    words, shapes = ["label", "label strong", "label halo"], ["memory solid", "memory soft solid"]
    roles = [*boxes, *lines, *shapes, *words]
    columns = pen.pick(2, 4)
    grid = Grid(Box(0, 8, pen.width, 12 / columns * 34), 12 // columns, columns, gap=8)
    for at, role in enumerate(roles):
        x, y, _, height = grid.nth(at)
        if role in boxes:
            yield pen.rect(role, Box(x, y, 40, height), role)
        elif role in words:
            yield pen.hatch(f"{role}-ground", Box(x, y, 56, height))
            yield pen.text(role, x + 2, y + height / 2, "legible", role, middle=True)
        else:
            corners = [(x + 2, y + height - 3), (x + 20, y + 3), (x + 38, y + height - 3)]
            yield pen.path(role, corners, role, close=role in shapes)
        yield pen.text(f"{role}-name", x + 62, y + height / 2, role, "note", middle=True)


SCENE = piece("What can stand behind a role?", "Words that say how it is drawn, not in which colour.", example)
