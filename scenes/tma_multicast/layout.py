"""Where the tiles, the blocks and the threads between them stand."""

from __future__ import annotations

from dataclasses import dataclass

from loom.draw import Box, Pen

Point = tuple[float, float]


@dataclass(frozen=True)
class Layout:
    """A grid of blocks with L2 along two of its sides. Each block has a gutter for threads above it and at its left."""

    grid: Box
    rows: int
    columns: int
    gutter: float
    tall: float  # a tile in L2
    wide: float
    foot: float  # room for a block's name
    panel: Box

    @property
    def pitch(self) -> Point:
        """The distance from block to block, across and down."""
        return self.grid.width / self.columns, self.grid.height / self.rows

    @property
    def band(self) -> list[Point]:
        """The outline of the L2 cache, from its outer corner."""
        left, top = self.grid.x - self.wide - 12, self.grid.y - self.tall - 12
        x, y, right, bottom = self.grid.x - 2, self.grid.y - 2, self.grid.right, self.grid.bottom
        return [(left, top), (right, top), (right, y), (x, y), (x, bottom), (left, bottom)]

    def cell(self, row: int, column: int) -> Box:
        """A block."""
        across, down = self.pitch
        x, y = self.grid.x + column * across + self.gutter, self.grid.y + row * down + self.gutter
        return Box(x, y, across - self.gutter, down - self.gutter)

    def slot(self, row: int, column: int, matrix: str) -> Box:
        """The room for a tile in a block, no larger than the tile in L2: A above B."""
        room = self.cell(row, column).inset(4, 3, 4, self.foot)
        wide, tall = min(self.wide, room.width), min(self.tall, (room.height - 3) / 2)
        pair = room.inset((room.width - wide) / 2, (room.height - 2 * tall - 3) / 2)
        return Box(pair.x, pair.y + (tall + 3) * (matrix == "b"), wide, tall)

    def tile(self, matrix: str, index: int) -> Box:
        """A tile in L2, at the end of the gutter that its threads take."""
        across, down = self.pitch
        if matrix == "a":
            return Box(self.grid.x - self.wide - 7, self.grid.y + index * down, self.wide, self.tall)
        return Box(self.grid.x + index * across, self.grid.y - self.tall - 7, self.wide, self.tall)

    def slice_of(self, matrix: str, sharing: int) -> Box:
        """The share of the first tile that block 0 asks for."""
        return self.tile(matrix, 0).rows(sharing)[0] if matrix == "a" else self.tile(matrix, 0).columns(sharing)[0]

    def thread(self, row: int, column: int, matrix: str, shared: bool) -> list[Point]:
        """From a tile along its gutter and into a block. Shared: all threads of a tile take one lane."""
        slot, tile = self.slot(row, column, matrix), self.tile(matrix, row if matrix == "a" else column)
        count, place = (self.columns, column) if matrix == "a" else (self.rows, row)
        lane = 0.5 if shared else (count - place) / (count + 1)  # the one that goes farthest is the outermost
        if matrix == "a":
            y, x = tile.y + lane * self.gutter, slot.x + slot.width / 2
            return [(tile.right, y), (x, y), (x, slot.y)]
        x, y = tile.x + lane * self.gutter, slot.y + slot.height / 2
        return [(x, tile.bottom), (x, y), (slot.x, y)]


def layout_of(pen: Pen, rows: int, columns: int) -> Layout:
    """The layout at the pen's width, for a cluster of `rows` times `columns` blocks."""
    wide, tall = (50.0, 35.0) if pen.narrow else (66.0, 42.0)
    room, height = (328 - wide - 13, 260) if pen.narrow else (524 - wide - 13, 320)
    across, down = (min(room / columns, 134), min(height / rows, 130)) if pen.narrow else (
        min(room / columns, 222), min(height / rows, 160))  # fmt: skip
    left = wide + 13 + (room - across * columns) / 2
    grid = Box(left, tall + 13, across * columns, down * rows)
    panel = Box(4, grid.bottom + 14, 320, 112) if pen.narrow else Box(560, 4, 278, 370)
    return Layout(grid, rows, columns, 20 if pen.narrow else 28, tall, wide, 1.4 * pen.size, panel)
