"""Where a rule cuts: under a row, at a sum, or at a share of the longest bar; and what falls."""

from __future__ import annotations

from collections.abc import Iterator

from loom.draw import Box, Mark

from .layout import COUNT, Layout
from .model import ORDER, State
from .words import percent


def draw_cuts(at: Layout, state: State, boxes: list[Box]) -> Iterator[Mark]:
    pen, bars, settings, stage = at.pen, at.bars, state.way.settings, state.stage
    if state.phase == "top_k":  # a line under row k
        y = bars.y + bars.height * settings.top_k / COUNT
        yield pen.line("threshold", 0, y, bars.right, y, "hot dashed")
        yield pen.text("threshold-label", bars.right, y - 5, f"k = {settings.top_k}", "hot strong", anchor="end")
    else:  # a line at the sum asked for, or at a share of the longest bar
        x, most = at.crossed(state), float(stage.before.max())
        words = f"{percent(most)} × {settings.min_p:g} = {percent(settings.min_p * most)}"
        words = f"sum {percent(settings.top_p, 0)}" if state.stacked else words
        foot = at.line.bottom if state.stacked else bars.bottom
        yield pen.line("threshold", x, at.notice + 4, x, foot, "hot dashed")
        left = min(x - 4, pen.width - pen.room(words, strong=True))
        yield pen.text("threshold-label", left, at.notice, words, "hot strong")
    if state.stage_cuts:  # how many, and how much they had, in the first one's row where no bar is
        row = at.rows[ORDER.index(state.stage_cuts[0])]
        words = f"{len(state.stage_cuts)} cut, {percent(stage.before[stage.cut].sum())}"
        x, anchor = (row.x + 8, "start") if state.stacked else (row.right, "end")
        yield pen.text("cut", x, row.y + row.height / 2, words, "dropped strong", anchor=anchor, middle=True)
    if state.stacked:
        yield from draw_crossing(at, boxes[ORDER.index(state.crossing)])


def draw_crossing(at: Layout, bar: Box) -> Iterator[Mark]:
    """The token whose probability crosses the sum asked for stays. Said on the side of its bar that has room."""
    words, y = "crosses: stays", bar.y + bar.height / 2
    room = at.pen.room(words) + 12
    if bar.x - at.bars.x > room:
        yield at.pen.text("crossing", bar.x - 6, y, words, "hot", anchor="end", middle=True)
    elif at.bars.right - bar.right > room:
        yield at.pen.text("crossing", bar.right + 6, y, words, "hot", middle=True)
