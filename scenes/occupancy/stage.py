"""Where things stand: a row for each resource of the SM, and a panel under them."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from loom.draw import Box, Pen

from .launch import SLOTS
from .model import QUARTERS, RESOURCES

LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdef"  # a name for each of the blocks that may be on an SM
COLOURS = ("series-1", "kept", "series-2", "series-3", "series-4")  # of blocks, in turn


def colour(block: int) -> str:
    return f"{COLOURS[block % len(COLOURS)]} soft"


@dataclass(frozen=True)
class Stage:
    """The geometry: on a phone, names and numbers stand over the rows; where there is room, beside them."""

    pen: Pen

    @cached_property
    def rows(self) -> list[Box]:
        """The bar of each resource."""
        if self.pen.narrow:
            return [Box(2, 18 + 47 * at, self.pen.width - 4, 20) for at in range(len(RESOURCES))]
        tops = (24, 78, 132, 186)
        return [Box(136, top, 536, 24 if at == SLOTS else 34) for at, top in enumerate(tops)]

    def quarters(self, resource: int) -> list[Box]:
        """The four parts of a row whose resource is divided among the sub-partitions."""
        return self.rows[resource].columns(QUARTERS, 6 if self.pen.narrow else 12)

    @property
    def numbers(self) -> float:
        """Where the numbers begin that stand beside the rows."""
        return self.rows[0].right + 16

    @cached_property
    def panel(self) -> Box:
        """What is under the rows."""
        if self.pen.narrow:
            return Box(0, 208, self.pen.width, 190)
        return Box(0, 244, self.pen.width, 178)
