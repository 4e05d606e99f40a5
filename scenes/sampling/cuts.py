"""Where a rule cuts: under a row, at a sum, or at a share of the longest bar; and what falls."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from loom.draw import Mark

from .layout import COUNT, Layout
from .model import State
from .words import percent


def draw_cuts(at: Layout, state: State) -> Iterator[Mark]:
    yield from draw_count(at, state) if state.phase == "top_k" else draw_share(at, state)
    if state.stage.cut.any():
        yield draw_fall(at, state)
    if state.stacked:
        yield from draw_crossing(at, state)


def draw_count(at: Layout, state: State) -> Iterator[Mark]:
    """Top-k: a line under row k."""
    pen, bars, k = at.pen, at.bars, state.settings.top_k
    y = bars.y + bars.height * k / COUNT
    yield pen.line("threshold", 0, y, bars.right, y, "hot dashed")
    yield pen.text("threshold-label", bars.right, y - 5, f"k = {k}", "hot strong", anchor="end")


def draw_share(at: Layout, state: State) -> Iterator[Mark]:
    """Top-p: a line at the sum asked for. Min-p: a line at a share of the longest bar."""
    pen, x = at.pen, at.crossed(state)
    foot = at.line.bottom if state.stacked else at.bars.bottom
    yield pen.line("threshold", x, at.notice + 4, x, foot, "hot dashed")
    share, most = state.settings.min_p, float(state.stage.before.max())
    words = f"{percent(most)} × {share:g} = {percent(share * most)}"
    if state.stacked:
        words = f"sum {percent(state.settings.top_p, 0)}"
    left = min(x - 4, pen.width - pen.room(words, strong=True))
    yield pen.text("threshold-label", left, at.notice, words, "hot strong")


def draw_fall(at: Layout, state: State) -> Mark:
    """How many tokens the rule cuts, and how much they had, in the first one's row where no bar is."""
    cut = state.stage.cut
    row = at.row(int(np.flatnonzero(cut[state.order])[0]))
    words = f"{int(cut.sum())} cut, {percent(state.stage.before[cut].sum())}"
    x, anchor = (row.x + 8, "start") if state.stacked else (row.right, "end")
    return at.pen.text("cut", x, row.y + row.height / 2, words, "dropped strong", anchor=anchor, middle=True)


def draw_crossing(at: Layout, state: State) -> Iterator[Mark]:
    """The token whose probability crosses the sum asked for stays. Said on the side of its bar that has room."""
    bar, words = at.bar(state, int(np.flatnonzero(state.order == state.crossing)[0])), "crosses: stays"
    room, y = at.pen.room(words) + 12, bar.y + bar.height / 2
    if bar.x - at.bars.x > room:
        yield at.pen.text("crossing", bar.x - 6, y, words, "hot", anchor="end", middle=True)
    elif at.bars.right - bar.right > room:
        yield at.pen.text("crossing", bar.right + 6, y, words, "hot", middle=True)
