"""Where a label beside a dot finds room."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import pairwise

from loom.draw import Box, Pen

PARTS = 24  # places along a stretch of line that no label may cover
GAP = 5  # between two labels


@dataclass
class Room:
    """A plot's box, and what is taken of it."""

    pen: Pen
    box: Box
    taken: list[Box] = field(default_factory=list)

    def keep(self, x: float, y: float, width: float, height: float) -> None:
        """Take the place around a point."""
        self.taken.append(Box(x - width / 2, y - height / 2, width, height))

    def keep_line(self, points: Sequence[tuple[float, float]]) -> None:
        """Take the places along a line."""
        for (x1, y1), (x2, y2) in pairwise(points):
            for part in range(PARTS + 1):
                self.keep(x1 + (x2 - x1) * part / PARTS, y1 + (y2 - y1) * part / PARTS, 2, 2)

    def find(self, x: float, y: float, words: str, strong: bool = False) -> tuple[float, float] | None:
        """Take a place beside a dot for a label: its left end, and the middle of its height. None without room."""
        wide, high = self.pen.room(words, strong=strong), self.pen.size
        beside, over = 11.0, high + 2
        sides = [(beside, 0.0), (-beside - wide, 0.0), (-wide / 2, -over), (-wide / 2, over)]
        if strong:
            sides += [(beside, over), (-beside - wide, -over), (beside, -over), (-beside - wide, over)]
        for right, down in sides:
            spot = Box(x + right, y + down - high / 2, wide, high)
            inside = self.box.x < spot.x and spot.right <= self.box.right and spot.bottom <= self.box.bottom
            if inside and not any(_touch(spot, other) for other in self.taken):
                self.taken.append(Box(spot.x - GAP, spot.y, wide + 2 * GAP, high))
                return spot.x, y + down
        return None


def _touch(one: Box, other: Box) -> bool:
    apart = one.right <= other.x or other.right <= one.x or one.bottom <= other.y or other.bottom <= one.y
    return not apart
