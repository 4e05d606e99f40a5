"""Where things stand: lanes over a strip of sectors, and the curve beside it, or under it on a phone."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property
from itertools import groupby

from loom.draw import Box, Pen

from .model import LANES, SECTOR, Load

WAVE = (7, 5, 3, 2, 2, 3, 5, 7, 9, 10, 10, 9)  # the tops of the threads in the site's mark
BENDS = [(1 - math.cos(math.pi * at / 15)) / 2 for at in range(16)]  # closest together where a thread turns


@dataclass(frozen=True)
class Stage(Pen):
    """A pen that knows the places. One slot of the strip is one lane above, and one sector of 32 bytes below."""

    side: float  # how far to the right words about the columns may reach
    lanes: tuple[float, float]  # where the upright part of the lanes' threads begins and ends
    memory: Box  # all 32 columns that there could be; down a column run the 32 bytes of its sector
    gap: float  # between two columns
    bar: Box  # the bytes moved, as long as the columns that they came in
    plot: Box  # the curve over all strides, without its labels

    @cached_property
    def columns(self) -> list[Box]:
        """The sector in each slot."""
        return [slot.inset(left=self.gap / 2, right=self.gap / 2) for slot in self.memory.columns(LANES)]

    def part(self, slot: int, start: int, length: int) -> Box:
        """Some bytes of a sector."""
        column, byte = self.columns[slot], self.memory.height / SECTOR
        return Box(column.x, column.y + start * byte, column.width, length * byte)

    def landings(self, load: Load) -> list[float]:
        """Where each lane's thread meets its sector: side by side, in the order of their bytes."""
        addresses, slots, places = load.addresses.tolist(), load.slots.tolist(), [0.0] * LANES
        for slot, group in groupby(sorted(range(LANES), key=addresses.__getitem__), slots.__getitem__):
            lanes, column = list(group), self.columns[slot]
            for at, lane in enumerate(lanes):
                places[lane] = column.x + column.width * (at + 0.5) / len(lanes)
        return places

    def threads(self, load: Load) -> list[list[tuple[float, float]]]:
        """Each lane's thread, which leaves upright, crosses over, and arrives upright."""
        (_, y), height = self.lanes, self.memory.y - self.lanes[1]
        starts = [slot.x + slot.width / 2 for slot in self.memory.columns(LANES)]
        return [
            [(x + (end - x) * bend * bend * (3 - 2 * bend), y + height * bend) for bend in BENDS]
            for x, end in zip(starts, self.landings(load), strict=True)
        ]


NARROW = Stage(328, 328, (20, 40), Box(0, 108, 328, 112), 2, Box(0, 252, 328, 12), Box(36, 322, 284, 84))
WIDE = Stage(840, 618, (26, 50), Box(0, 154, 560, 160), 3, Box(0, 356, 560, 16), Box(660, 66, 172, 248))
