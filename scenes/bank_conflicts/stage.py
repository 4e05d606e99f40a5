"""Where everything stands: the warp's lanes, the memory of 32 banks under them, and the passes beside or below."""

from __future__ import annotations

from dataclasses import dataclass

from loom.draw import Box, Pen

from .model import BANKS, PADDED


@dataclass(frozen=True)
class Stage:
    """The places of one width. Lanes and banks share one pitch, so an untangled thread hangs straight."""

    pen: Pen

    @property
    def pitch(self) -> float:
        return 9.0 if self.pen.narrow else 15.6

    @property
    def row(self) -> float:
        """The height of a row of memory."""
        return 5.2 if self.pen.narrow else 7.4

    @property
    def memory(self) -> Box:
        """All 32 banks, with room for the 33 rows of a padded tile."""
        left, top = (39, 96) if self.pen.narrow else (56, 134)
        return Box(left, top, BANKS * self.pitch, PADDED * self.row)

    @property
    def lanes(self) -> tuple[float, float]:
        """Top and bottom of the lanes' threads; words that have arrived stand on them."""
        return (40, 51) if self.pen.narrow else (51, 67)

    @property
    def port(self) -> float:
        """Where threads enter the banks."""
        return self.memory.y - 4

    @property
    def passes(self) -> Box:
        """Where layouts are compared."""
        return Box(0, 330, 328, 130) if self.pen.narrow else Box(606, 0, 234, 414)

    def column(self, bank: float) -> float:
        """The middle of a bank, and of the lane with its number."""
        return self.memory.x + (bank + 0.5) * self.pitch

    def place(self, bank: int, row: int, piece: int = 1) -> Box:
        """Where some words side by side lie in memory."""
        x, y = self.memory.x + bank * self.pitch, self.memory.y + row * self.row
        return Box(x + 0.8, y + 0.5, piece * self.pitch - 1.6, self.row - 1)

    def arrived(self, lane: int, piece: int) -> Box:
        """Where they stand when the lane has them: one on the other."""
        tall = piece * (self.row - 1) if piece == 1 else piece * (self.row - 1.8)
        return Box(self.column(lane) - self.pitch / 2 + 0.8, self.lanes[0] - 2 - tall, self.pitch - 1.6, tall)
