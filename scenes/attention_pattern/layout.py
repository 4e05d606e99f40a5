"""Where everything stands: a column for each token, with its vectors and its bar; and the answer, beside or below."""

from __future__ import annotations

import numpy as np

from loom.draw import Box, Pen

from .model import head_attention
from .weights import HEADS, TOKENS

COUNT = len(TOKENS)
RUNS = [head_attention(head) for head in HEADS]
# The largest of its kind in any state: one scale for all of them.
MOST_SCORE = max(float(run.raw.max()) for run in RUNS)
LEAST_SCORE = min(float(run.raw.min()) for run in RUNS)
MOST_ENTRY = max(float(abs(vectors).max()) for run in RUNS for vectors in (run.Q, run.K))
MOST_VALUE = max(float(run.V.max()) for run in RUNS)
MOST_POWER = max(float(np.exp(run.masked).max()) for run in RUNS)


class Layout:
    """The places of one width, from the top down: arcs, tokens, keys, bars, values; and the answer with the output."""

    def __init__(self, pen: Pen) -> None:
        self.pen = pen
        self.margin, self.pitch = pen.pick((46, 47), (66, 86))  # what names the rows; a token's column
        self.columns = Box(self.margin, *pen.pick((24, COUNT * 47, 26), (34, COUNT * 86, 30))).columns(COUNT)  # tokens
        self.centres = [column.x + self.pitch / 2 for column in self.columns]
        self.lines = pen.pick(7, 8)  # from one entry of a vector to the next
        self.keys_top = self.columns[0].bottom + pen.pick(7, 9)
        # Where scores and weights stand as bars.
        top = self.keys_top + 4 * self.lines + 4
        self.bars = Box(self.margin, top, COUNT * self.pitch, pen.pick(120, 140))
        # The foot of the weights; under it stand their scores.
        self.floor = self.bars.bottom - pen.size - 7
        self.score = (self.bars.height - 2 * pen.size - 10) / (MOST_SCORE - LEAST_SCORE)  # the height of a score of 1
        self.zero = self.bars.y + pen.size + 5 + MOST_SCORE * self.score
        self.values_top = self.bars.bottom + pen.pick(6, 8)
        below = Box(0, self.values_top + 4 * self.lines + pen.pick(8, 0), pen.width, 78)
        self.answer = pen.pick(below, Box(636, 0, pen.width - 636, 140))
        self.output = pen.pick(
            Box(128, below.y + 12, pen.width - 128, 66), Box(636, self.bars.y + 22, pen.width - 636, 150)
        )

    def key(self, token: int) -> Box:
        """The room of a key in its token's column."""
        return Box(self.columns[token].x + self.pitch * 0.06, self.keys_top, self.pitch * 0.42, 4 * self.lines)

    def query(self, token: int) -> Box:
        """The room of the query beside a token's key."""
        return Box(self.columns[token].x + self.pitch * 0.52, self.keys_top, self.pitch * 0.42, 4 * self.lines)

    def value(self, token: int) -> Box:
        """The room of a token's value."""
        return Box(self.columns[token].x + self.pitch * 0.18, self.values_top, self.pitch * 0.64, 4 * self.lines)

    def shut(self, token: int) -> Box:
        """What covers a masked key's column."""
        return Box(self.columns[token].x + 2, self.keys_top - 3, self.pitch - 4, self.floor - self.keys_top + 3)
