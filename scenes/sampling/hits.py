"""Five draws: a dot in the row of each word drawn, a ring where the same random number falls without any rule."""

from __future__ import annotations

from collections.abc import Iterator

from loom.draw import Box, Mark

from .layout import Layout
from .model import NUMBERS, State, draw_tokens


def draw_hits(at: Layout, state: State) -> Iterator[Mark]:
    pen, radius = at.pen, 4.0 if at.pen.narrow else 5.0
    drawn, at_first = (draw_tokens(one, NUMBERS).tolist() for one in (state.final, state.plain))
    ranks = {token: rank for rank, token in enumerate(state.order.tolist())}
    taken = dict.fromkeys(ranks, 0)  # dots and rings in each token's row
    last = None  # the ring in the lowest row of a token that was cut
    for number, pair in enumerate(zip(drawn, at_first, strict=True)):
        for kind, token in zip(("hit", "ring"), pair, strict=True):
            if kind == "ring" and pair[0] == token:
                continue
            bar = at.bar(state, ranks[token])
            start = max(bar.right, at.bars.x + at.bars.width * float(state.plain[token]))
            inside = start + 14 * radius > at.bars.right  # five dots have no room after a bar of 100%
            x = (at.bars.x if inside else start) + radius * (2 + 2.6 * taken[token])
            taken[token] += 1
            # A rectangle as round as a circle, because only rectangles can be outlines in a colour.
            dot = Box(x - radius, bar.y + bar.height / 2 - radius, 2 * radius, 2 * radius)
            role = "cell" if inside else "hot" if kind == "hit" else "hot outline"
            yield pen.rect(f"{kind}-{number}", dot, role, round=radius)
            if not state.final[token] and (last is None or dot.y >= last.y):
                last = dot
    if last:
        y = last.y + last.height / 2
        yield pen.text("ring-label", last.right + 6, y, "without any rule", "note", middle=True)
