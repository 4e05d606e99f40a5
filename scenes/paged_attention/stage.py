"""Where things stand: rows of slots, a line for each request, and two bars that share the scale of the memory."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from loom.draw import Box, Pen

from .story import SLOTS

COLUMNS = 32
ROWS = SLOTS // COLUMNS


def frame(box: Box) -> list[tuple[float, float]]:
    """The outline of a box as a line."""
    return [(box.x, box.y), (box.right, box.y), (box.right, box.bottom), (box.x, box.bottom), (box.x, box.y)]


def runs(slots: Iterable[int]) -> list[tuple[int, int]]:
    """Neighbouring slots joined, as long as they stand in one row: first and end of each."""
    found: list[tuple[int, int]] = []
    for slot in slots:
        if found and found[-1][1] == slot and slot % COLUMNS:
            found[-1] = (found[-1][0], slot + 1)
        else:
            found.append((slot, slot + 1))
    return found


@dataclass(frozen=True)
class Stage:
    """The geometry: on a phone all in one column; where there is room, the requests stand beside the memory."""

    pen: Pen

    @property
    def memory(self) -> Box:
        return Box(0, 20, 328, 8 * 23 - 4) if self.pen.narrow else Box(34, 26, 480, 8 * 29 - 5)

    @property
    def row_gap(self) -> float:
        return 4 if self.pen.narrow else 5

    def row(self, number: int) -> Box:
        return self.memory.rows(ROWS, self.row_gap)[number]

    def run(self, first: int, end: int) -> Box:
        """The box of neighbouring slots of one row."""
        row, unit = self.row(first // COLUMNS), self.memory.width / COLUMNS
        return Box(row.x + first % COLUMNS * unit, row.y, (end - first) * unit, row.height)

    @property
    def requests(self) -> Box:
        """A line for each of six requests."""
        return Box(0, 238, 328, 6 * 18) if self.pen.narrow else Box(556, 26, 284, 6 * 29)

    @property
    def bars(self) -> Box:
        """The bars of both memories, without their words."""
        return Box(0, 366, 328, 94) if self.pen.narrow else Box(136, 284, 552, 104)


def stage_of(width: float) -> Stage:
    return Stage(Pen(width))
