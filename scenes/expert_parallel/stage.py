"""Where things stand: eight nodes of eight GPUs as a map, or all GPUs as bars in a row."""

from __future__ import annotations

from functools import cached_property

from loom.draw import Box, Pen

from .model import Trip, trip
from .placing import EACH, LOCAL
from .router import GPUS, NODES

Point = tuple[float, float]


class Stage:
    """The geometry, for tokens that may visit so many nodes."""

    def __init__(self, pen: Pen, limit: int) -> None:
        self.pen, self.limit = pen, limit

    @cached_property
    def nodes(self) -> list[Box]:
        """The nodes of the map: two rows of four."""
        room, gap = self.pen.pick((Box(0, 46, 328, 192), 6), (Box(0, 62, 470, 268), 10))
        rows = room.rows(2, self.pen.pick(20, 26))
        return [box for row in rows for box in row.columns(NODES // 2, gap)]

    @property
    def spine(self) -> float:
        """The height of the network between the rows of nodes."""
        return (self.nodes[0].bottom + self.nodes[-1].y) / 2

    def drop(self, node: int) -> Point:
        """Where a node is joined to the network."""
        box = self.nodes[node]
        return box.x + box.width / 2, self.spine

    @cached_property
    def cells(self) -> list[Box]:
        """The GPUs of the map: in each node four rows of two."""
        edge, gap = self.pen.pick((5, 3), (7, 5))
        found = []
        for node, box in enumerate(self.nodes):
            top, bottom = (self.head, edge) if self.upper(node) else (edge, self.head)
            rows = box.inset(edge, top, edge, bottom).rows(LOCAL // 2, gap)
            found += [cell for row in rows for cell in row.columns(2, gap)]
        return found

    @property
    def head(self) -> float:
        """The room of a node's name, away from the network."""
        return self.pen.pick(18, 22)

    @staticmethod
    def upper(node: int) -> bool:
        return node < NODES // 2

    def name(self, node: int) -> Point:
        """Where a node's name begins."""
        box = self.nodes[node]
        y = box.y + self.head - self.pen.pick(5, 6) if self.upper(node) else box.bottom - self.pen.pick(5, 6)
        return box.x + self.pen.pick(6, 8), y

    @cached_property
    def trip(self) -> Trip:
        """The token that is followed."""
        return trip(self.limit)

    @cached_property
    def spots(self) -> list[Point]:
        """The place of each expert that the token visits, in its GPU."""
        cells = [self.cells[gpu] for gpu in self.trip.gpus]
        return [
            (cell.x + (expert % EACH + 0.5) * cell.width / EACH, cell.y + cell.height / 2)
            for expert, cell in zip(self.trip.experts, cells, strict=True)
        ]

    def middle(self, gpu: int) -> Point:
        cell = self.cells[gpu]
        return cell.x + cell.width / 2, cell.y + cell.height / 2

    def entry(self, node: int) -> int:
        """The GPU of a node that a copy goes to first: it has the place there that the token's own has at home."""
        return node * LOCAL + self.trip.home % LOCAL

    @cached_property
    def chart(self) -> Box:
        """The room of all bars."""
        return self.pen.pick(Box(0, 54, 328, 78), Box(0, 66, 840, 132))

    def bar(self, gpu: int, load: float, most: float) -> Box:
        """A GPU's bar; between nodes there is a gap."""
        box, gap = self.chart, self.pen.pick(4, 12)
        each = (box.width - gap * (NODES - 1)) / GPUS
        tall = round(box.height * load / most)  # to whole units, so that many choices share a bar
        x = box.x + gpu * each + gpu // LOCAL * gap
        return Box(x, box.bottom - tall, each - self.pen.pick(1, 2), tall)
