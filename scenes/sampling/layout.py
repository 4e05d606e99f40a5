"""Where everything stands: a row for each token, the line of 100% under them, and beside them the answer."""

from __future__ import annotations

from functools import cache
from itertools import accumulate

from loom.draw import Box, Pen

from .model import ORDER, PLAIN, TOKENS, State, solve
from .rules import OFF

COUNT = len(TOKENS)


class Layout:
    """The places of one width. Bars and the line under them have one scale: 100% is as wide as their box."""

    def __init__(self, width: float) -> None:
        self.pen = pen = Pen(width)
        self.bars = pen.pick(Box(100, 87, 208, COUNT * 15.5), Box(156, 66, 440, COUNT * 16))
        self.numbers = self.bars.x - pen.pick(6, 10)  # the right edge of the numbers before the bars
        gap, tall, low = pen.pick((14, 16, 6), (16, 18, 7))
        # The line that a random number falls on, and under it the same as the model gave it, to compare with.
        _, self.line, self.plain = self.bars.vstack(self.bars.height + gap - 3, tall, low, gap=3)
        self.answer = pen.pick(Box(0, 0, width, 50), Box(640, 40, 200, 60))
        self.chain = Box(640, 150, 200, 0)  # where there is room
        # The room of each token's bar, the most likely first.
        gap = pen.pick(3, 3.5)
        self.rows = [row.inset(top=gap / 2, bottom=gap / 2) for row in self.bars.rows(COUNT)]
        shares = [float(PLAIN[token]) for token in ORDER]  # as the model gave them
        self.first = [row._replace(width=row.width * share) for row, share in zip(self.rows, shares, strict=True)]
        # How much room tokens and ticks take in words.
        self.rooms = {words: pen.text_width(words) for words in (*TOKENS, "0", "25%", "50%", "75%", "100%")}

    def bars_of(self, state: State) -> list[Box]:
        """The bar of every token; where it is added up, it begins where the one before it ends."""
        shares, added = [state.shown[token] for token in ORDER], len(state.added)
        starts = [*accumulate(shares[: max(added - 1, 0)], initial=0.0), *[0.0] * (COUNT - max(added, 1))]
        unit = self.bars.width / (max(shares) if state.measured else 1.0)
        return [
            Box(row.x + start * unit, row.y, share * unit, row.height)
            for row, start, share in zip(self.rows, starts, shares, strict=True)
        ]

    def crossed(self, state: State) -> float:
        """Where a threshold stands across the bars; far off where there is none."""
        settings = state.way.settings
        share = settings.top_p if state.stacked else settings.min_p if state.measured else -1.0
        return self.bars.x + self.bars.width * share

    def heated(self, step: int, temperature: float, top_k: int) -> tuple[float, float]:
        """Where the longest bar of a step, up to that of top-p, ends at a temperature."""
        other = State(solve(temperature, top_k, OFF["top_p"], OFF["min_p"]), step)
        return self.bars.x + max(other.shown) * self.bars.width, self.rows[0].y + self.rows[0].height / 2


@cache
def layout_of(width: float) -> Layout:
    return Layout(width)
