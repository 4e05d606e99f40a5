"""The places of a mask's picture at one width: the map, and the strips of the stack."""

from __future__ import annotations

import numpy as np

from loom.draw import Box, Pen

from .masks import Flags
from .model import LAYERS, TOKENS

Stroke = tuple[tuple[float, float], ...]


def runs(flags: Flags) -> list[tuple[int, int]]:
    """The stretches of True in a row as (first, last), the newest first: its key stays when older ones come and go."""
    found: list[tuple[int, int]] = []
    for at in np.flatnonzero(flags).tolist():
        if found and found[-1][1] == at - 1:
            found[-1] = (found[-1][0], at)
        else:
            found.append((at, at))
    return found[::-1]


class Stage:
    """The places at one width: the map over the layers on a phone, beside them where there is room."""

    def __init__(self, pen: Pen) -> None:
        self.pen = pen
        self.map = pen.pick(Box(46, 60, 280, 16 * 6.5), Box(50, 62, 336, 16 * 15))  # the cells of all queries and keys
        self.answer = pen.pick((0.0, pen.huge), (440.0, pen.huge))
        # From the strip above all layers down to that of the tokens.
        self.strips = pen.pick(Box(46, self.map.bottom + 23, 280, 101), Box(502, 76, 336, self.map.bottom - 76))
        self.pitch = self.map.width / TOKENS  # from one key to the next, on the map as in the strips
        self.rows = self.map.rows(TOKENS)  # of the map
        self.tall = pen.pick(12, 16)  # of a strip: room for words

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
