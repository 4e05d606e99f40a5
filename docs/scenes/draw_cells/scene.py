"""Grids and matrices."""

from __future__ import annotations

from collections.abc import Iterator

from loom.draw import Mark, Pen, matrix, square_grid

from .._pieces import piece


def example(pen: Pen) -> Iterator[Mark]:
    size = 5
    grid = square_grid(0, 10, size, size, 36)
    words = [[str(row * column) for column in range(1, size + 1)] for row in range(1, size + 1)]
    roles = [["hot soft" if row == column else "cell" for column in range(size)] for row in range(size)]
    yield from matrix(pen, "table", grid, words, roles)


SCENE = piece(
    "How is a matrix drawn?", "As cells in a grid, keyed by row and column, with words where there is room.", example
)
