"""The picture of a cluster: tiles in L2 at its left and top, blocks as a grid, and a thread for each delivery."""

from __future__ import annotations

from collections.abc import Iterator

from loom.draw import Box, Mark, Pen
from loom.scene import Moment

from .model import Cluster
from .panel import draw_panel

DIGITS = str.maketrans("0123456789", "₀₁₂₃₄₅₆₇₈₉")
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


def draw(moment: Moment, width: float) -> Iterator[Mark]:
    pen, one = Pen(width), moment.result
    plan, shared = Layout(pen, one.rows, one.columns), one.multicast and moment.since("deliver")
    if moment.phase != "compare" or not pen.narrow:  # on a phone the comparison takes the whole stage
        left, top = plan.band[0]
        yield pen.path("cache", plan.band, "grid outline", close=True)  # a band along the left and the top
        yield pen.text("cache-name", left + 6, top + 6 + 0.8 * pen.size, "L2", "label strong")
        yield from draw_blocks(pen, plan, one, "kept soft" if moment.since("alone") else "ghost outline")
        yield from draw_threads(pen, plan, moment, shared)
        yield from draw_tiles(pen, plan, moment, shared)
    yield from draw_panel(pen, plan.panel, moment)


def name_of(matrix: str, index: int) -> str:
    return matrix.upper() + str(index).translate(DIGITS)


def draw_blocks(pen: Pen, plan: Layout, one: Cluster, held: str) -> Iterator[Mark]:
    """Every block with room for two tiles in its shared memory, drawn in the role `held`."""
    for block in range(one.blocks):
        row, column = divmod(block, one.columns)
        cell = plan.blocks[row][column]
        yield pen.rect(f"block-{block}", cell, "cell", round=4)
        for matrix, index in (("a", row), ("b", column)):
            slot = plan.slot(row, column, matrix)
            yield pen.rect(f"slot-{matrix}-{block}", slot, held)
            if slot.height > 1.3 * pen.size:
                yield pen.text(f"slot-{matrix}-{block}-name", slot.x + slot.width / 2, slot.y + slot.height / 2,
                               name_of(matrix, index), "label", anchor="middle", middle=True)  # fmt: skip
        foot = cell.bottom - 0.32 * pen.size
        yield pen.text(f"block-{block}-name", cell.x + cell.width / 2, foot, f"SM {block}", "note", anchor="middle")


def draw_threads(pen: Pen, plan: Layout, moment: Moment, shared: bool) -> Iterator[Mark]:
    """A thread from a tile to every block that needs it; one multicast read is one lane that they share.

    A read that repeats another is waste, and dashed.
    """
    for block in range(moment.result.blocks):
        row, column = divmod(block, moment.result.columns)
        for matrix, repeats in (("a", column), ("b", row)):
            role = "dropped dashed thin" if repeats else "data"
            role = "kept" if shared else role if moment.since("alone") else "link thin"
            yield pen.path(f"thread-{matrix}-{block}", plan.thread(row, column, matrix, shared), role)


def draw_tiles(pen: Pen, plan: Layout, moment: Moment, shared: bool) -> Iterator[Mark]:
    """The tiles in L2, with how often each is read, and the slices of the first that block 0 asks for."""
    one = moment.result
    for matrix, tiles, sharing in (("a", one.rows, one.columns), ("b", one.columns, one.rows)):
        times = 1 if shared else sharing
        words, role = "1 read" if times == 1 else f"{times} reads", "dropped" if times > 1 else "note"
        if moment.phase == "need":
            words, role = "16 KiB", "note"
        for index in range(tiles):
            box = plan.tile(matrix, index)
            yield pen.rect(f"tile-{matrix}-{index}", box, "cell", round=3)
            if shared and moment.phase == "deliver" and not index:
                part, *_ = box.rows(sharing) if matrix == "a" else box.columns(sharing)
                yield pen.rect(f"slice-{matrix}", part, "hot soft", round=3)
            key, x = f"tile-{matrix}-{index}", box.x + box.width / 2
            name = name_of(matrix, index)
            yield pen.text(f"{key}-name", x, box.y + 1.15 * pen.size, name, "label strong", anchor="middle")
            yield pen.text(f"{key}-reads", x, box.y + 2.4 * pen.size, words, role, anchor="middle")
