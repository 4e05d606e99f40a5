"""Where everything stands: a column for the query, one for each key, the map of all queries, and a panel."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

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


@dataclass(frozen=True)
class Layout:
    """The places of one width, from the top down: arcs, tokens, keys, scores, values; and beside or below, the rest."""

    pen: Pen

    @cached_property
    def margin(self) -> float:
        """The query's column, left of the keys."""
        return 46 if self.pen.narrow else 74

    @cached_property
    def pitch(self) -> float:
        return 47 if self.pen.narrow else 78

    @cached_property
    def tokens(self) -> tuple[float, float]:
        """Top and height of the row of tokens."""
        return (26, 26) if self.pen.narrow else (50, 30)

    @cached_property
    def lines(self) -> float:
        """From one entry of a vector to the next."""
        return 7 if self.pen.narrow else 10

    @cached_property
    def keys_top(self) -> float:
        return sum(self.tokens) + (9 if self.pen.narrow else 14)

    @cached_property
    def scores(self) -> Box:
        """Where scores and weights stand as bars."""
        top = self.keys_top + 4 * self.lines + (6 if self.pen.narrow else 12)
        return Box(self.margin, top, COUNT * self.pitch, 100 if self.pen.narrow else 166)

    @cached_property
    def floor(self) -> float:
        """The foot of the weights; under it stands the score that each came from."""
        return self.scores.bottom - self.pen.size - 8

    @cached_property
    def values_top(self) -> float:
        return self.scores.bottom + (8 if self.pen.narrow else 14)

    @cached_property
    def panel(self) -> Box:
        """Arithmetic, and the output."""
        if self.pen.narrow:
            return Box(0, self.values_top + 4 * self.lines + 14, self.pen.width, 80)
        return Box(582, 250, self.pen.width - 582, 140)

    @cached_property
    def map(self) -> Box:
        """The cells of all queries and keys, without their names. On a phone they stand under the keys' columns."""
        if self.pen.narrow:
            return Box(self.margin, self.panel.bottom + 22, COUNT * self.pitch, COUNT * 17)
        return Box(644, 50, COUNT * 32, COUNT * 27)

    def column(self, key: int) -> float:
        """The left edge of a key's column."""
        return self.margin + key * self.pitch

    def centre(self, key: int) -> float:
        return self.column(key) + self.pitch / 2

    def strip(self, key: int, top: float) -> Box:
        """The room of a vector of four entries in a key's column, or in the query's (-1), less that of its name."""
        left = (0 if key < 0 else self.column(key)) + (16 if self.pen.narrow else 25)
        return Box(left, top, 28 if self.pen.narrow else 46, 4 * self.lines)

    def shut(self, key: int) -> Box:
        """What covers a masked key's column."""
        return Box(self.column(key) + 2, self.keys_top - 3, self.pitch - 4, self.floor - self.keys_top + 3)
