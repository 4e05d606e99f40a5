"""The length of the conversation on its axis, to take hold of."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache

from loom.draw import Axis, Box, Mark, Pen, memoized
from loom.scene import Moment

from .model import Case
from .narration import LEAST, SMALL, so_far, weights

LENGTHS = tuple(round(LEAST * 2 ** (step / 6)) for step in range(61))  # six to an octave, up to 2^20 tokens
TICKS = {1024: "1K", 8192: "8K", 65536: "64K", 131072: "128K", 1048576: "1M"}
AXIS = Axis("tokens", span=(LENGTHS[0], LENGTHS[-1]), log=True)


def place(box: Box, tokens: float) -> tuple[float, float]:
    """Where a length stands."""
    return box.x + AXIS.normalize(tokens) * box.width, box.y


@cache
def rail(box: Box) -> list[tuple[float, float]]:
    """The places of all lengths."""
    return [place(box, length) for length in LENGTHS]


def draw_length(pen: Pen, box: Box, moment: Moment) -> Iterator[Mark]:
    """The context length on a log scale, with a knob."""
    case: Case = moment.result
    yield from draw_ticks(pen, box)
    tokens = so_far(moment)
    still = moment.phase != "length" or tokens == case.tokens
    yield from draw_title(pen, box, tokens, not 0 < weights(case.cache) < SMALL / 2)
    if still:
        yield from draw_knob(pen, box, case.tokens)
    else:
        yield pen.circle("growing", *place(box, tokens), 5, "hot steady")


@memoized
def draw_ticks(pen: Pen, box: Box) -> Iterator[Mark]:
    yield pen.line("length", box.x, box.y, box.right, box.y, "axis")
    for tick, words in TICKS.items():
        if pen.narrow and tick == 65536:
            continue
        x, y = place(box, tick)
        yield pen.line(f"length-{tick}", x, y, x, y + 4, "axis")
        yield pen.text(f"length-{tick}-words", x, y + pen.size + 12, words, "note", anchor="middle")


@memoized
def draw_title(pen: Pen, box: Box, tokens: int, left: bool) -> Iterator[Mark]:
    """How long the conversation is now; on the side that the weights leave free."""
    words, out = f"{tokens:,} tokens of context", pen.pick(16, 0)
    x, anchor = (box.x - out, "start") if left else (box.right + out, "end")
    yield pen.text("length-title", x, box.y - 20, words, "hot strong", anchor=anchor)


@memoized
def draw_knob(pen: Pen, box: Box, tokens: int) -> Iterator[Mark]:
    """The length chosen; it is there unless the conversation grows."""
    yield pen.knob("tokens", *place(box, tokens), "tokens", rail(box))
