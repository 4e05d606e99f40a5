"""Where things stand: a chain of factors, a bar for each scheme, and a panel that shows where the factor comes from."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from loom.draw import Box, Mark, Pen

from .model import SCHEMES


def cells(pen: Pen, key: str, box: Box, number: int, role: str, gap: float = 2) -> Mark:
    """So many outlined cells side by side, as one mark; without gaps where there is no room for them."""
    pitch = box.width / number
    gap = gap if pitch > 6 else 0
    edges = [(box.x + at * pitch + gap / 2, box.x + (at + 1) * pitch - gap / 2) for at in range(number)]
    y, end = box.y, box.bottom
    return pen.strokes(key, ([(a, y), (b, y), (b, end), (a, end), (a, y)] for a, b in edges), role)


@dataclass(frozen=True)
class Stage:
    """The geometry: on a phone, names stand over bars; where there is room, before them."""

    pen: Pen

    @property
    def head(self) -> float:
        """The baseline of the heading of the bars."""
        return self.bars.y - (2 if self.pen.narrow else 6)

    @cached_property
    def columns(self) -> list[Box]:
        """The links of the chain, beside each other where there is room; the third may be a sum."""
        return [Box(x, 0, width, 72) for x, width in ((0, 190), (215, 135), (375, 285), (685, 155))]

    @cached_property
    def bars(self) -> Box:
        """All bars, without names and numbers."""
        return Box(0, 104, 328, 132) if self.pen.narrow else Box(170, 112, 470, 172)

    @cached_property
    def rows(self) -> list[Box]:
        """A bar for each scheme."""
        rows = self.bars.rows(len(SCHEMES))
        if self.pen.narrow:
            return [Box(row.x, row.bottom - 13, row.width, 11) for row in rows]
        return [Box(row.x, row.y + 6, row.width, 28) for row in rows]

    @property
    def numbers(self) -> float:
        """Where the column of sizes ends."""
        return self.pen.width if self.pen.narrow else 732.0

    @property
    def ratios(self) -> float:
        """Where the column of ratios ends."""
        return 258.0 if self.pen.narrow else self.pen.width

    @cached_property
    def panel(self) -> Box:
        """What is under the bars; at the same scale where it shows bytes."""
        if self.pen.narrow:
            return Box(0, 272, 328, 92)
        return Box(self.bars.x, 324, self.bars.width, 84)

    @property
    def title(self) -> float:
        """The baseline of the panel's title."""
        return self.panel.y - (9 if self.pen.narrow else 11)
