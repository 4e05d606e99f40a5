"""Where things stand: tiles in L2 along two sides, blocks as a grid, and wires between them."""

from __future__ import annotations

from loom.draw import Box, Pen

from .model import SIDES

Point = tuple[float, float]


class Layout:
    """A grid of fields, one for each block, with room for a wire above the block and at its left."""

    def __init__(self, pen: Pen) -> None:
        self.pen = pen
        self.chip = pen.pick((19.0, 16.0), (34.0, 20.0))  # a tile on its way or at rest
        wide, tall = self.chip
        self.gutter = (wide + pen.pick(3, 6), tall + pen.pick(2, 3))
        self.inner = (2 * wide + pen.pick(8, 14), tall + pen.size + pen.pick(6, 7))
        self.pitch = (self.gutter[0] + self.inner[0] + pen.pick(3, 5), self.gutter[1] + self.inner[1] + pen.pick(3, 4))
        top = pen.pick(44, 2)
        self.band = Box(0, top, wide + pen.pick(8, 14), tall + pen.pick(6, 8))  # how thick L2 is on either side
        self.x, self.y = self.band.right + pen.pick(2, 6), self.band.bottom + 2
        last = max(SIDES) - 1
        self.end = self.block(last, last)

    def block(self, row: int, column: int) -> Box:
        """The box of a block, without the room for its wires."""
        x, y = self.x + column * self.pitch[0] + self.gutter[0], self.y + row * self.pitch[1] + self.gutter[1]
        return Box(x, y, *self.inner)

    def home(self, matrix: str, index: int) -> Point:
        """The middle of a tile in L2: tiles of A stand at the left, those of B at the top."""
        wide, tall = self.chip
        if matrix == "a":
            return self.band.x + self.band.width / 2, self.block(index, 0).y - tall / 2 - 1
        return self.block(0, index).x - wide / 2 - 3, self.band.y + self.band.height / 2

    def slot(self, matrix: str, row: int, column: int) -> Point:
        """The middle of the place for a tile in a block: what comes from the left is at the left."""
        block, (wide, tall) = self.block(row, column), self.chip
        x = block.x + self.pen.pick(2, 4) + wide / 2 + (wide + self.pen.pick(4, 6)) * (matrix == "a")
        return x, block.y + self.pen.pick(2, 3) + tall / 2

    def way(self, matrix: str, row: int, column: int) -> list[Point]:
        """The places of a tile from L2 to a block: along its wire from block to block, and in."""
        if matrix == "a":
            y, ends = self.home("a", row)[1], [self.slot("a", row, at)[0] for at in range(column + 1)]
            return [self.home("a", row), *((x, y) for x in ends), self.slot("a", row, column)]
        x, downs = self.home("b", column)[0], [self.slot("b", at, column)[1] for at in range(row + 1)]
        return [self.home("b", column), *((x, y) for y in downs), self.slot("b", row, column)]

    def wire(self, matrix: str, row: int, column: int) -> list[list[Point]]:
        """The lines to a block from the tile in L2, or from where the tile passed the block before; and into it."""
        wide, tall = self.chip
        *before, there, slot = self.way(matrix, row, column)
        (x, y), into = before[-1], (0.0, -tall / 2) if matrix == "a" else (-wide / 2, 0.0)
        if len(before) == 1:  # the edge of the tile
            x, y = (x + wide / 2, y) if matrix == "a" else (x, y + tall / 2)
        return [[(x, y), there], [there, (slot[0] + into[0], slot[1] + into[1])]]
