"""Where everything stands: a column for the query, one for each key, the map of all queries, and a panel."""

from __future__ import annotations

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
MOST_SHOWN = max(abs(LEAST_SCORE), MOST_SCORE)


class Layout:
    """The places of one width, from the top down: arcs, tokens, keys, scores, values; and beside or below, the rest."""

    def __init__(self, pen: Pen) -> None:
        self.pen = pen
        self.margin, self.pitch = pen.pick((46, 47), (74, 78))  # the query's column, left of the keys'; a key's column
        self.columns = Box(self.margin, *pen.pick((26, COUNT * 47, 26), (50, COUNT * 78, 30))).columns(COUNT)  # tokens
        self.centres = [column.x + self.pitch / 2 for column in self.columns]
        self.lines = pen.pick(7, 10)  # from one entry of a vector to the next
        self.keys_top = self.columns[0].bottom + pen.pick(9, 14)
        gap, tall = pen.pick((6, 100), (12, 166))
        # Where scores and weights stand as bars.
        self.scores = Box(self.margin, self.keys_top + 4 * self.lines + gap, COUNT * self.pitch, tall)
        self.floor = self.scores.bottom - pen.size - 8  # the foot of the weights; under it stand their scores
        self.values_top = self.scores.bottom + pen.pick(8, 14)
        below = Box(0, self.values_top + 4 * self.lines + 14, pen.width, 80)
        self.panel = pen.pick(below, Box(582, 250, pen.width - 582, 140))  # arithmetic, and the output
        # The cells of all queries and keys, without their names. On a phone they stand under the keys' columns.
        under = Box(self.margin, self.panel.bottom + 22, COUNT * self.pitch, COUNT * 17)
        self.map = pen.pick(under, Box(644, 50, COUNT * 32, COUNT * 27))

    def strip(self, key: int, top: float) -> Box:
        """The room of a vector of four entries in a key's column, or in the query's (-1), less that of its name."""
        left = 0 if key < 0 else self.columns[key].x
        return Box(left + self.pen.pick(16, 25), top, self.pen.pick(28, 46), 4 * self.lines)

    def shut(self, key: int) -> Box:
        """What covers a masked key's column."""
        return Box(self.columns[key].x + 2, self.keys_top - 3, self.pitch - 4, self.floor - self.keys_top + 3)
