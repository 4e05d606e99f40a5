"""Lanes: rows of spans along one shared axis, which is time or a slot number."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from loom.draw.box import Box
from loom.draw.cells import cell
from loom.draw.marks import Mark
from loom.draw.pen import Pen


class Span(NamedTuple):
    """A span of a lane, from `start` to `end` in the lane's own unit."""

    key: str
    start: float
    end: float
    role: str = "data"
    words: str = ""


@dataclass(frozen=True)
class Lanes:
    """Named lanes, one under the other, sharing an axis of `length` units."""

    pen: Pen
    box: Box
    names: tuple[str, ...]
    length: float
    gap: float = 6

    @property
    def margin(self) -> float:
        """The width kept for the names."""
        return self.pen.text_width(self.names) + 10

    @property
    def unit(self) -> float:
        """The width of one unit of the axis."""
        return (self.box.width - self.margin) / self.length

    def row(self, lane: int) -> Box:
        """The box of a lane, without its name."""
        return self.box.rows(len(self.names), self.gap)[lane].inset(left=self.margin)

    def slot(self, lane: int, start: float, end: float) -> Box:
        """The box of a span of a lane."""
        row = self.row(lane)
        return Box(row.x + start * self.unit, row.y, (end - start) * self.unit, row.height)

    def draw(self) -> Iterator[Mark]:
        """The lanes' names and floors."""
        for index, name in enumerate(self.names):
            row = self.row(index)
            yield self.pen.rect(f"lane-{index}", row, "cell soft", round=3)
            yield self.pen.text(f"lane-{index}-name", self.box.x, row.y + row.height / 2, name, "label", middle=True)

    def spans(self, lane: int, spans: Sequence[Span]) -> Iterator[Mark]:
        """What happens in one lane; a `pad` span is hatched, words show where they have room."""
        for span in spans:
            box = self.slot(lane, span.start, span.end).inset(left=0.5, right=0.5)
            has_room = self.pen.text_width(span.words) + 6 <= box.width
            yield from cell(self.pen, span.key, box, span.words if has_room else "", span.role)

    def now(self, key: str, at: float) -> Mark:
        """A line through all lanes at one moment."""
        x = self.box.x + self.margin + at * self.unit
        return self.pen.line(key, x, self.box.y - 4, x, self.box.bottom + 4, "hot")
