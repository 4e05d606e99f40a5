"""Rectangles of the stage, and how they are divided."""

from __future__ import annotations

from typing import NamedTuple


class Box(NamedTuple):
    """A rectangle of the stage."""

    x: float
    y: float
    width: float
    height: float

    @property
    def right(self) -> float:
        return self.x + self.width

    @property
    def bottom(self) -> float:
        return self.y + self.height

    def inset(self, left: float = 0, top: float = 0, right: float = 0, bottom: float = 0) -> Box:
        """The box less a margin on each side."""
        return Box(self.x + left, self.y + top, self.width - left - right, self.height - top - bottom)

    def vstack(self, *heights: float, gap: float = 0) -> list[Box]:
        """Boxes of these heights, one under the other from the top; they may reach below this one."""
        tops = [self.y + sum(heights[:at]) + gap * at for at in range(len(heights))]
        return [Box(self.x, top, self.width, height) for top, height in zip(tops, heights, strict=True)]

    def hstack(self, *widths: float, gap: float = 0) -> list[Box]:
        """Boxes of these widths, side by side from the left; they may reach past this one."""
        lefts = [self.x + sum(widths[:at]) + gap * at for at in range(len(widths))]
        return [Box(left, self.y, width, self.height) for left, width in zip(lefts, widths, strict=True)]

    @property
    def corners(self) -> list[tuple[float, float]]:
        """Its outline, back to where it began."""
        x, y, right, bottom = self.x, self.y, self.right, self.bottom
        return [(x, y), (right, y), (right, bottom), (x, bottom), (x, y)]

    def columns(self, count: int, gap: float = 0) -> list[Box]:
        """`count` boxes of equal width side by side."""
        each = (self.width - gap * (count - 1)) / max(count, 1)
        return [Box(self.x + index * (each + gap), self.y, each, self.height) for index in range(count)]

    def rows(self, count: int, gap: float = 0) -> list[Box]:
        """`count` boxes of equal height, one under the other."""
        each = (self.height - gap * (count - 1)) / max(count, 1)
        return [Box(self.x, self.y + index * (each + gap), self.width, each) for index in range(count)]
