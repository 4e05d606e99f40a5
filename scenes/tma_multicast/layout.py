"""Where the tiles, the blocks and the threads between them stand."""

from __future__ import annotations

from loom.draw import Box, Pen

Point = tuple[float, float]


class Layout:
    """A grid of blocks with L2 along two of its sides. Each block has a gutter for threads above it and at its left."""

    def __init__(self, pen: Pen, rows: int, columns: int) -> None:
        self.pen, self.rows, self.columns = pen, rows, columns
        self.gutter = gutter = pen.pick(20, 28)
        self.wide, self.tall = pen.pick((50.0, 35.0), (66.0, 42.0))  # of a tile in L2
        most_across, most_down = pen.pick((134, 130), (222, 160))
        room = pen.pick(328, 524) - self.wide - 13
        across, down = min(room / columns, most_across) * columns, min(pen.pick(260, 320) / rows, most_down) * rows
        self.grid = Box(self.wide + 13 + (room - across) / 2, self.tall + 13, across, down)
        self.fields = [row.columns(columns) for row in self.grid.rows(rows)]  # blocks with their gutters
        self.blocks = [[field.inset(gutter, gutter) for field in row] for row in self.fields]
        self.panel = pen.pick(Box(4, self.grid.bottom + 14, 320, 112), Box(560, 4, 278, 370))

    @property
    def band(self) -> list[Point]:
        """The outline of the L2 cache, from its outer corner."""
        left, top = self.grid.x - self.wide - 12, self.grid.y - self.tall - 12
        x, y, right, bottom = self.grid.x - 2, self.grid.y - 2, self.grid.right, self.grid.bottom
        return [(left, top), (right, top), (right, y), (x, y), (x, bottom), (left, bottom)]

    def slot(self, row: int, column: int, matrix: str) -> Box:
        """The room for a tile in a block, no larger than the tile in L2: A above B."""
        room = self.blocks[row][column].inset(4, 3, 4, 1.4 * self.pen.size)
        wide, tall = min(self.wide, room.width), min(self.tall, (room.height - 3) / 2)
        pair = room.inset((room.width - wide) / 2, (room.height - 2 * tall - 3) / 2)
        return Box(pair.x, pair.y + (tall + 3) * (matrix == "b"), wide, tall)

    def tile(self, matrix: str, index: int) -> Box:
        """A tile in L2, at the end of the gutter that its threads take."""
        if matrix == "a":
            return Box(self.grid.x - self.wide - 7, self.fields[index][0].y, self.wide, self.tall)
        return Box(self.fields[0][index].x, self.grid.y - self.tall - 7, self.wide, self.tall)

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
