"""Cells on a grid: memory words, matrix entries, tokens, threads. Position is address."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Unpack

from loom.draw.box import Box
from loom.draw.marks import Mark
from loom.draw.pen import More, Pen


@dataclass(frozen=True)
class Grid:
    """`rows` × `columns` square-ish cells in a box, filled row by row."""

    box: Box
    rows: int
    columns: int
    gap: float = 2

    @property
    def cell_width(self) -> float:
        return (self.box.width - self.gap * (self.columns - 1)) / self.columns

    @property
    def cell_height(self) -> float:
        return (self.box.height - self.gap * (self.rows - 1)) / self.rows

    def cell(self, row: int, column: int) -> Box:
        """The box of one cell."""
        x = self.box.x + column * (self.cell_width + self.gap)
        y = self.box.y + row * (self.cell_height + self.gap)
        return Box(x, y, self.cell_width, self.cell_height)

    def nth(self, index: int) -> Box:
        """The box of the cell with this number, counted along the rows."""
        return self.cell(index // self.columns, index % self.columns)


def square_grid(x: float, y: float, rows: int, columns: int, side: float, gap: float = 2) -> Grid:
    """A grid of squares of a given side."""
    width, height = columns * (side + gap) - gap, rows * (side + gap) - gap
    return Grid(Box(x, y, width, height), rows, columns, gap)


def cell(pen: Pen, key: str, box: Box, words: str = "", role: str = "cell", *, text_role: str = "value",
         **more: Unpack[More]) -> Iterator[Mark]:  # fmt: skip
    """One cell and the number in it; a `pad` cell is hatched. A number that has no room is left out."""
    yield pen.rect(key, box, role, **more)
    wait = more.get("wait", 0)
    if "pad" in role.split():
        yield pen.hatch(f"{key}-hatch", box, wait=wait)
    if words and pen.text_width(words) <= box.width:
        yield pen.text(f"{key}-text", box.x + box.width / 2, box.y + box.height / 2, words, text_role,
                       anchor="middle", middle=True, wait=wait)  # fmt: skip


def matrix(pen: Pen, key: str, grid: Grid, words: Sequence[Sequence[str]],
           roles: Sequence[Sequence[str]]) -> Iterator[Mark]:  # fmt: skip
    """A matrix of cells, its entries keyed by row and column."""
    for row in range(grid.rows):
        for column in range(grid.columns):
            name = f"{key}-{row}-{column}"
            yield from cell(pen, name, grid.cell(row, column), words[row][column], roles[row][column])
