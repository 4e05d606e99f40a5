"""The five marks that every picture is made of."""

from __future__ import annotations

from collections.abc import Iterator

from loom.draw import Box, Mark, Pen

from .._pieces import piece


def example(pen: Pen) -> Iterator[Mark]:
    column = pen.width / 5
    yield pen.rect("box", Box(0, 24, column - 20, 40), "data")
    yield pen.circle("dot", 1.5 * column - 10, 44, 20, "work")
    yield pen.line("line", 2 * column, 64, 3 * column - 20, 24, "axis")
    yield pen.path("path", [(3 * column, 64), (3.3 * column, 24), (3.8 * column, 44)], "hot")
    yield pen.text("words", 4 * column, 48, "text", "label")
    for at, name in enumerate(["rect", "circle", "line", "path", "text"]):
        yield pen.text(f"name-{at}", at * column, 84, name, "note")


SCENE = piece("Which marks are there?", "Five: a box, a circle, a line, a path and a text.", example)
