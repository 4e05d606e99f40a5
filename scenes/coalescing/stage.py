"""Where things stand: lanes over a strip of sectors, and the curve beside it, or under it on a phone."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from loom.draw import Box, Pen

from .model import LANES, SECTOR, Load

WAVE = (7, 5, 3, 2, 2, 3, 5, 7, 9, 10, 10, 9)  # the tops of the threads in the site's mark
BENDS = (1 - np.cos(np.linspace(0, np.pi, 16))) / 2  # closest together where a thread turns


@dataclass(frozen=True)
class Stage:
    """The geometry. One slot of the strip is one lane above, and one sector of 32 bytes below."""

    pen: Pen

    @property
    def strip(self) -> float:
        """The width of 32 slots."""
        return 328 if self.pen.narrow else 560

    @property
    def side(self) -> float:
        """How far to the right words about the columns may reach."""
        return 328 if self.pen.narrow else 618

    @property
    def pitch(self) -> float:
        return self.strip / LANES

    @cached_property
    def memory(self) -> Box:
        """All 32 columns that there could be; down a column run the 32 bytes of its sector."""
        return Box(0, 108, self.strip, 112) if self.pen.narrow else Box(0, 154, self.strip, 160)

    @property
    def byte(self) -> float:
        """The height of one byte."""
        return self.memory.height / SECTOR

    @property
    def lanes(self) -> tuple[float, float]:
        """Where the upright part of the lanes' threads begins and ends."""
        return (20, 40) if self.pen.narrow else (26, 50)

    @property
    def gap(self) -> float:
        """Between two columns."""
        return 2 if self.pen.narrow else 3

    def column(self, slot: int) -> Box:
        """The sector in a slot."""
        x = self.memory.x + slot * self.pitch + self.gap / 2
        return Box(x, self.memory.y, self.pitch - self.gap, self.memory.height)

    def part(self, slot: int, start: int, length: int) -> Box:
        """Some bytes of a sector."""
        column = self.column(slot)
        return Box(column.x, column.y + start * self.byte, column.width, length * self.byte)

    def lane(self, lane: int) -> float:
        """Where a lane stands."""
        return self.memory.x + (lane + 0.5) * self.pitch

    @cached_property
    def bar(self) -> Box:
        """The bytes moved, as long as the columns that they came in."""
        y = self.memory.bottom + (32 if self.pen.narrow else 42)
        return Box(0, y, self.strip, 12 if self.pen.narrow else 16)

    @cached_property
    def plot(self) -> Box:
        """The curve over all strides, without its labels."""
        return Box(36, 322, 284, 84) if self.pen.narrow else Box(660, 66, 172, 248)


def thread(start: tuple[float, float], end: tuple[float, float]) -> list[tuple[float, float]]:
    """A thread that leaves upright, crosses over, and arrives upright."""
    (x1, y1), (x2, y2) = start, end
    shares = BENDS * BENDS * (3 - 2 * BENDS)
    return [(float(x1 + (x2 - x1) * share), float(y1 + (y2 - y1) * t)) for t, share in zip(BENDS, shares, strict=True)]


def landings(load: Load, stage: Stage) -> list[float]:
    """Where each lane's thread meets its sector: side by side, in the order of their bytes."""
    places = np.zeros(LANES)
    for slot in range(len(load.sectors)):
        lanes = np.flatnonzero(load.slots == slot)
        lanes = lanes[np.argsort(load.addresses[lanes], kind="stable")]
        column = stage.column(slot)
        places[lanes] = column.x + column.width * (np.arange(len(lanes)) + 0.5) / len(lanes)
    return [float(place) for place in places]


def unused_runs(load: Load) -> list[tuple[int, int, int]]:
    """Stretches that are fetched and not asked for: slot, first byte, number of bytes."""
    runs = []
    for slot, used in enumerate(load.used):
        edges = np.flatnonzero(np.diff(np.concatenate(([True], used, [True])).astype(int)))
        runs += [(slot, int(start), int(end - start)) for start, end in zip(edges[::2], edges[1::2], strict=True)]
    return runs
