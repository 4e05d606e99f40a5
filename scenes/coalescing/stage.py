"""Where things stand: 32 lanes over memory, whose rows are cache lines, and the answer beside it or under it."""

from __future__ import annotations

import math
from dataclasses import dataclass

from loom.draw import Box, Pen

from .model import LANES, LINE, SECTOR

WAVE = (7, 5, 3, 2, 2, 3, 5, 7, 9, 10, 10, 9)  # the tops of the threads in the site's mark
BENDS = [(1 - math.cos(math.pi * at / 5)) / 2 for at in range(6)]  # closest together where a thread turns
Point = tuple[float, float]


@dataclass(frozen=True)
class Stage(Pen):
    """A pen that knows the places. A row of memory is 128 bytes wide, one word of 4 bytes under each lane."""

    lanes: tuple[float, float]  # where the upright part of the lanes' threads begins and ends
    upright: float  # from where on a thread hangs straight over its word
    rulers: tuple[float, float]  # the heights at which offset and stride are measured
    memory: Box  # all rows together, however many
    gap: float  # between two sectors
    over: float  # the room of a word on the rulers beyond the end of a row
    answer: Point  # the baseline of the large number
    plot: Box  # the curve over all strides, without its labels
    tally: Box  # two bars with their names, before the curve comes

    @property
    def byte(self) -> float:
        """The width of a byte."""
        return (self.memory.width - self.gap * (LINE // SECTOR - 1)) / LINE

    def x(self, byte: int) -> float:
        """Where a byte of a row begins."""
        return self.memory.x + byte * self.byte + self.gap * (byte // SECTOR)

    def part(self, rows: int, address: int, length: int) -> Box:
        """Some bytes of one sector, when memory has so many rows."""
        height = self.memory.height / rows
        y = self.memory.y + address // LINE * height
        return Box(self.x(address % LINE), y, length * self.byte, height - self.pick(1, 2))

    def over_lane(self, lane: int) -> float:
        """The middle of a lane: at stride 1 it stands over its own word."""
        return self.x(lane * LINE // LANES) + self.byte * LINE / LANES / 2

    def ruler(self, words: int) -> float:
        """Where a word is on the rulers; past the end of the row they are short."""
        last = LANES - 1
        return self.over_lane(min(words, last)) + max(0, words - last) * self.over

    def thread(self, lane: int, end: Point) -> list[Point]:
        """A lane's thread: it leaves upright, crosses over, and hangs down to its bytes."""
        start, (_, top) = self.over_lane(lane), self.lanes
        height = self.upright - top
        bends = [(start + (end[0] - start) * bend * bend * (3 - 2 * bend), top + height * bend) for bend in BENDS]
        return [*bends, end]

    def waiting(self, lane: int) -> list[Point]:
        """The same thread before its lane has asked: a short end."""
        x, top = self.over_lane(lane), self.lanes[1]
        return [(x, top)] * (len(BENDS) + 1)


NARROW = Stage(
    328, (14, 26), 56, (67, 92), Box(4, 108, 294, 68), 2, 2.8, (4, 207), Box(202, 196, 116, 46),
    Box(202, 192, 116, 54),
)  # fmt: skip
WIDE = Stage(
    840, (18, 34), 84, (98, 128), Box(2, 146, 588, 132), 4, 4, (660, 62), Box(694, 182, 134, 96),
    Box(660, 174, 168, 104),
)  # fmt: skip
