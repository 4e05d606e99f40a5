"""Where the two tokens stand: a strip of positions, with the key pinned below it and the query above."""

from __future__ import annotations

from collections.abc import Iterator

from loom.draw import Box, Mark, Pen

from .model import TRAINED
from .story import State

TALL = 8


def draw_strip(pen: Pen, box: Box, state: State) -> Iterator[Mark]:
    """Positions from 0 to the trained length, or to the target; what was never trained on is hatched."""
    last = state.rotary.target if state.aims else TRAINED
    scale = box.width / last
    bar = Box(box.x, box.y + pen.size + 10, box.width, TALL)
    edge = bar.x + TRAINED * scale
    yield pen.rect("strip-new", bar, "pad", round=1)
    yield pen.hatch("strip-hatch", Box(edge, bar.y, bar.right - edge, TALL))
    yield pen.rect("strip-trained", Box(bar.x, bar.y, TRAINED * scale, TALL), "cell", round=1)
    low = bar.bottom + pen.size + 7
    x = bar.x + state.key * scale
    yield pen.line("key-pin", x, bar.y + TALL / 2, x, bar.bottom + 5, "data")
    yield pen.rect("key-mark", Box(x - 4, bar.y + TALL / 2 - 4, 8, 8), "data", round=1)
    words = f"key at {state.key:,}"
    start = max(box.x, x - 4)
    yield pen.text("key-label", start, low, words, "label")
    end = "target" if state.aims else "trained length"
    yield pen.text("strip-end", box.right, low, f"{end} {last:,}", "note", anchor="end")
    if state.aims:
        after = start + pen.room(words) + 14
        yield pen.text("strip-edge", max(after, edge), low, f"trained {TRAINED:,}", "note")
    yield from _query(pen, bar, bar.x + state.query * scale, state)


def _query(pen: Pen, bar: Box, x: float, state: State) -> Iterator[Mark]:
    right = x < bar.x + bar.width / 2
    yield pen.line("query-pin", x, bar.y - 5, x, bar.y + TALL / 2, "hot")
    yield pen.circle("query-mark", x, bar.y + TALL / 2, 4.5, "hot")
    place = max(bar.x, x - 4) if right else min(bar.right, x + 4)
    yield pen.text("query-label", place, bar.y - 7, f"query at {state.query:,}", "hot strong",
                   anchor="start" if right else "end")  # fmt: skip
    words = f"distance {state.distance:,}"
    yield pen.text("distance", bar.right, bar.y - 7, words, "label", anchor="end")
