"""Where things stand: tiles in L2 along two sides, blocks as a grid, and wires between them."""

from __future__ import annotations

from loom.draw import Box, Pen

Point = tuple[float, float]


EDGES = (0.0, 0.46, 0.74, 0.87, 1.0)  # where one to four blocks end: a small cluster is drawn large
CHIP = ((26.0, 20.0), (48.0, 32.0))  # the largest tile, on a phone and on a wide stage


class Layout:
    """A grid of fields, one for each block, with room for a wire above the block and at its left.

    The fields of a cluster share the room up to its corner, so the corner of any cluster stays where it is.
    """

    def __init__(self, pen: Pen, rows: int, columns: int) -> None:
        self.pen, self.shape = pen, (rows, columns)
        top, (wide, tall) = pen.pick(44, 2), pen.pick(*CHIP)
        self.band = Box(0, top, wide + pen.pick(4, 12), tall + pen.pick(4, 8))  # how thick L2 is on either side
        self.area = Box(self.band.right + pen.pick(1, 4), self.band.bottom, *pen.pick((288, 228), (504, 284)))
        self.end = self.corner(3, 3)
        area = self.area
        self.field = field = (area.width * EDGES[columns] // columns, area.height * EDGES[rows] // rows)
        # A tile on its way or at rest: one beside the block, two in it.
        wide = min(wide, (field[0] - pen.pick(16, 30)) / 3)
        tall = min(tall, (field[1] - pen.size - pen.pick(10, 18)) / 2)
        self.chip = (min(wide, 2 * tall) // 2 * 2, min(tall, 0.8 * wide) // 2 * 2)
        self.gutter = (self.chip[0] + pen.pick(3, 6), self.chip[1] + pen.pick(2, 4))

    def corner(self, row: int, column: int) -> Point:
        """Where a cluster ends whose last block is this one."""
        area = self.area
        return area.x + EDGES[column + 1] * area.width // 1, area.y + EDGES[row + 1] * area.height // 1

    def free(self, row: int, column: int) -> Box:
        """The room that a block would bring with it that is not in the cluster."""
        (rows, columns), (right, bottom) = self.shape, self.corner(row, column)
        left, top = self.corner(row, column - 1)[0], self.corner(row - 1, column)[1]
        inside = self.block(row, column)  # along a side that is there
        left, right = (left, right) if column >= columns else (inside.x, inside.right)
        top, bottom = (top, bottom) if row >= rows else (inside.y, inside.bottom)
        side = self.pen.pick(3, 6)
        return Box(left, top, right - left, bottom - top).inset(side, side, side, side)

    def block(self, row: int, column: int) -> Box:
        """The box of a block, without the room for its wires."""
        (left, top), (wide, tall) = self.gutter, self.field
        x, y = self.area.x + column * wide + left, self.area.y + row * tall + top
        return Box(x, y, wide - left - self.pen.pick(3, 6), tall - top - self.pen.pick(3, 6))

    def home(self, matrix: str, index: int) -> Point:
        """The middle of a tile in L2: tiles of A stand at the left, those of B at the top."""
        wide, tall = self.chip
        if matrix == "a":
            return self.band.x + self.band.width / 2, self.block(index, 0).y - tall / 2 - 1
        return self.block(0, index).x - wide / 2 - 3, self.band.y + self.band.height / 2

    def slot(self, matrix: str, row: int, column: int) -> Point:
        """The middle of the place for a tile in a block: what comes from the left is at the left."""
        block, (wide, tall) = self.block(row, column), self.chip
        gap = (block.width - 2 * wide) // 3
        x = block.x + gap + wide / 2 + (wide + gap) * (matrix == "a")
        return x, block.y + (block.height - self.pen.size - tall) // 2 + tall / 2

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
