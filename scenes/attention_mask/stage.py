"""Where everything stands: the map of one layer, its bars, and the strips of tokens between the layers."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from loom.draw import Box, Pen

from .masks import Flags

Stroke = tuple[tuple[float, float], ...]


def runs(flags: Flags) -> Iterator[tuple[int, int]]:
    """The stretches of True in a row as (first, last), the newest first: its key stays when older ones come and go."""
    edges = np.flatnonzero(np.diff(np.concatenate(([False], flags, [False])).astype(int)))
    for first, end in reversed(list(zip(edges[::2], edges[1::2], strict=True))):
        yield int(first), int(end) - 1


@dataclass(frozen=True)
class Stage:
    """The places at one width: the map over the layers on a phone, beside them where there is room."""

    pen: Pen
    n: int
    layers: int

    @cached_property
    def map(self) -> Box:
        """The cells of all queries and keys."""
        return Box(46, 36, 280, 16 * 11) if self.pen.narrow else Box(40, 54, 336, 320)

    @cached_property
    def bars(self) -> Box:
        """The cells as two bars under the map."""
        if self.pen.narrow:
            return Box(0, self.map.bottom + 7, self.map.right, 30)
        return Box(0, self.map.bottom + 12, self.map.right, 44)

    @cached_property
    def strips(self) -> Box:
        """From the strip above all layers down to that of the tokens."""
        if self.pen.narrow:
            return Box(46, self.bars.bottom + 40, 280, 150)
        return Box(502, 72, 336, self.map.bottom - 72)

    @property
    def title(self) -> float:
        """The baseline of the layers' title."""
        return self.bars.bottom + 20 if self.pen.narrow else 16

    @property
    def pitch(self) -> float:
        """From one key to the next, on the map as in the strips."""
        return self.map.width / self.n

    @property
    def row_height(self) -> float:
        return self.map.height / self.n

    @property
    def strip_height(self) -> float:
        return 12 if self.pen.narrow else 20

    def strip(self, level: int) -> Box:
        """The strip of states after `level` layers; 0 are the tokens, at the bottom."""
        apart = (self.strips.height - self.strip_height) / self.layers
        top = self.strips.bottom - self.strip_height - level * apart
        return Box(self.strips.x, top, self.strips.width, self.strip_height)

    def centre(self, column: int) -> float:
        """The middle of a token's column in the strips."""
        return self.strips.x + (column + 0.5) * self.pitch

    def stretch(self, row: Box, first: int, last: int) -> Box:
        """The cells `first` to `last` of a row or a strip."""
        return Box(row.x + first * self.pitch + 0.5, row.y + 0.5, (last - first + 1) * self.pitch - 1, row.height - 1)

    def row(self, query: int) -> Box:
        """A row of the map."""
        return Box(self.map.x, self.map.y + query * self.row_height, self.map.width, self.row_height)

    def walls(self, box: Box) -> list[Stroke]:
        """The lines between the cells of a box."""
        return [((x, box.y), (x, box.bottom)) for x in (box.x + cut * self.pitch for cut in range(1, self.n))]
