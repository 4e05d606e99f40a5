"""Where everything stands: a row for each token, the line of 100% under them, and the list of rules."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from loom.draw import Box, Pen

from .model import TOKENS, State

COUNT = len(TOKENS)


@dataclass(frozen=True)
class Layout:
    """The places of one width. Bars and the line under them have one scale: 100% is as wide as their box."""

    pen: Pen

    @cached_property
    def bars(self) -> Box:
        """Where the bars of all tokens stand, one row each, the most likely first."""
        return Box(100, 60, 208, COUNT * 17) if self.pen.narrow else Box(156, 64, 420, COUNT * 21.5)

    @cached_property
    def numbers(self) -> float:
        """The right edge of the numbers before the bars."""
        return self.bars.x - (6 if self.pen.narrow else 10)

    @cached_property
    def notice(self) -> float:
        """The baseline of what a threshold is called, over the ticks."""
        return 37 if self.pen.narrow else 41

    @cached_property
    def line(self) -> Box:
        """The line that a random number falls on."""
        gap, height = (14, 16) if self.pen.narrow else (20, 20)
        return Box(self.bars.x, self.bars.bottom + gap, self.bars.width, height)

    @cached_property
    def plain(self) -> Box:
        """The same line as the model gave it, thin, to compare with."""
        return Box(self.line.x, self.line.bottom + 3, self.line.width, 7 if self.pen.narrow else 8)

    @cached_property
    def chain(self) -> Box:
        """The list of rules, less its title: below on a phone, beside the bars where there is room."""
        if self.pen.narrow:
            return Box(0, self.plain.bottom + 46, self.pen.width, 5 * 17)
        return Box(624, 84, 216, 5 * 50)

    def row(self, rank: int) -> Box:
        """The room of one token's bar."""
        each = self.bars.height / COUNT
        gap = 3 if self.pen.narrow else 4
        return Box(self.bars.x, self.bars.y + rank * each + gap / 2, self.bars.width, each - gap)

    def bar(self, state: State, rank: int) -> Box:
        """The bar of the token of this rank; where a sum is asked for, it begins where the one before it ends."""
        row, shown = self.row(rank), state.shown[state.order]
        unit = row.width / (float(shown.max()) if state.measured else 1.0)
        start = float(shown[:rank].sum()) if state.stacked else 0.0
        return Box(row.x + start * unit, row.y, float(shown[rank]) * unit, row.height)

    def crossed(self, state: State) -> float:
        """Where a threshold stands across the bars; far off where there is none."""
        share = state.settings.top_p if state.stacked else state.settings.min_p if state.measured else -1.0
        return self.bars.x + self.bars.width * share
