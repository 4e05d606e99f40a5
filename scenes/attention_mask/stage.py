"""Where everything stands: the map of one layer, its bars, and the strips of tokens between the layers."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from loom.draw import Box, Pen

from .masks import Flags
from .model import LAYERS, TOKENS

Stroke = tuple[tuple[float, float], ...]


def runs(flags: Flags) -> Iterator[tuple[int, int]]:
    """The stretches of True in a row as (first, last), the newest first: its key stays when older ones come and go."""
    edges = np.flatnonzero(np.diff(np.concatenate(([False], flags, [False])).astype(int))).tolist()
    for first, end in zip(edges[-2::-2], edges[::-2], strict=True):
        yield first, end - 1


class Stage:
    """The places at one width: the map over the layers on a phone, beside them where there is room."""

    def __init__(self, pen: Pen) -> None:
        self.pen = pen
        self.map = pen.pick(Box(46, 36, 280, 16 * 11), Box(40, 54, 336, 320))  # the cells of all queries and keys
        gap, tall = pen.pick((7, 30), (12, 44))
        self.bars = Box(0, self.map.bottom + gap, self.map.right, tall)  # the cells as two bars under the map
        under, beside = Box(46, self.bars.bottom + 40, 280, 150), Box(502, 72, 336, self.map.bottom - 72)
        self.strips = pen.pick(under, beside)  # from the strip above all layers down to that of the tokens
        self.title = pen.pick(self.bars.bottom + 20, 16)  # the baseline of the layers' title
        self.pitch = self.map.width / TOKENS  # from one key to the next, on the map as in the strips
        self.rows = self.map.rows(TOKENS)  # of the map
        self.tall = pen.pick(12, 20)  # of a strip

    def strip(self, level: int) -> Box:
        """The strip of states after `level` layers; 0 are the tokens, at the bottom."""
        apart = (self.strips.height - self.tall) / LAYERS
        return Box(self.strips.x, self.strips.bottom - self.tall - level * apart, self.strips.width, self.tall)

    def centre(self, column: int) -> float:
        """The middle of a token's column in the strips."""
        return self.strips.x + (column + 0.5) * self.pitch

    def stretch(self, row: Box, first: int, last: int) -> Box:
        """The cells `first` to `last` of a row or a strip."""
        return Box(row.x + first * self.pitch + 0.5, row.y + 0.5, (last - first + 1) * self.pitch - 1, row.height - 1)

    def walls(self, box: Box) -> list[Stroke]:
        """The lines between the cells of a box."""
        return [((x, box.y), (x, box.bottom)) for x in (box.x + cut * self.pitch for cut in range(1, TOKENS))]
