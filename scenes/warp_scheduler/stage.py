"""Where everything stands, at both widths."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from loom.draw import Box, Pen

from .model import SLOTS


@dataclass(frozen=True)
class Stage:
    """The warps' rows with the issue slots under them; the curve beside them, or under them on a phone."""

    pen: Pen

    @cached_property
    def rows(self) -> Box:
        return Box(62, 22, 262, SLOTS * 9) if self.pen.narrow else Box(84, 30, 420, SLOTS * 14)

    @cached_property
    def lane(self) -> Box:
        """The issue slots."""
        rows = self.rows
        return Box(rows.x, rows.bottom + (9 if self.pen.narrow else 14), rows.width, 25 if self.pen.narrow else 34)

    @cached_property
    def plot(self) -> Box:
        return Box(36, 281, 288, 96) if self.pen.narrow else Box(596, 44, 236, 258)

    @property
    def pitch(self) -> float:
        """The height of one warp's row, with its gap."""
        return self.rows.height / SLOTS

    def row(self, warp: int) -> Box:
        """The row of a warp, counted from 0."""
        gap = 2 if self.pen.narrow else 4
        return Box(self.rows.x, self.rows.y + warp * self.pitch + gap / 2, self.rows.width, self.pitch - gap)
