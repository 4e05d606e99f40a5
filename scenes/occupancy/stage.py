"""Where things stand: a row for each resource of the SM, and a panel under them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cache

from loom.draw import Box, Pen

from .launch import FILE, WARPS
from .model import QUARTERS, REGISTERS, WARP_SLOTS

COLOURS = ("series-1", "kept", "series-2", "series-3", "series-4")  # of blocks, in turn
PART = {WARPS: WARP_SLOTS // QUARTERS, FILE: REGISTERS // QUARTERS}  # of each sub-partition


def colour(block: int) -> str:
    return f"{COLOURS[block % len(COLOURS)]} soft"


class Stage:
    """The geometry: on a phone, names and numbers stand over the rows; where there is room, beside them."""

    def __init__(self, width: float) -> None:
        self.pen = pen = Pen(width)
        left, wide, tops = pen.pick((2, width - 4, (18, 65, 112, 159)), (136, 536, (24, 78, 132, 186)))
        heights = pen.pick((20,) * 4, (34, 34, 34, 24))
        self.rows = [Box(left, top, wide, height) for top, height in zip(tops, heights, strict=True)]
        self.panel = pen.pick(Box(0, 208, width, 190), Box(0, 244, width, 178))  # what is under the rows
        self.letter = pen.room("N")

    def quarters(self, resource: int) -> list[Box]:
        """The four parts of a row whose resource is divided among the sub-partitions."""
        return self.rows[resource].columns(QUARTERS, self.pen.pick(6, 12))

    def post(self, slot: int) -> tuple[float, float]:
        """Left and right of a warp slot, an upright post. Slots go through the quarters in turn."""
        box = self.quarters(WARPS)[slot % QUARTERS]
        pitch = box.width * QUARTERS / WARP_SLOTS
        return box.x + (slot // QUARTERS + 0.16) * pitch, box.x + (slot // QUARTERS + 0.84) * pitch


@cache
def stage_of(width: float) -> Stage:
    return Stage(width)


def tenths(lines: Iterable[Sequence[tuple[float, float]]]) -> str:
    """Lines of a path to a tenth of a unit: finer than `pen.strokes`, where many stand side by side."""
    return "".join("M" + "L".join(f"{x:.1f} {y:.1f}" for x, y in line) for line in lines)
