"""The length of the conversation on its axis, to take hold of."""

from __future__ import annotations

from collections.abc import Iterator

from loom.draw import Axis, Box, Mark, Pen
from loom.scene import Moment

from .model import Case
from .narration import LEAST, so_far

LENGTHS = tuple(round(LEAST * 2 ** (step / 6)) for step in range(61))  # six to an octave, up to 2^20 tokens
TICKS = {1024: "1K", 8192: "8K", 65536: "64K", 131072: "128K", 1048576: "1M"}


def draw_length(pen: Pen, box: Box, moment: Moment) -> Iterator[Mark]:
    """The context length on a log scale, with a knob."""
    case: Case = moment.result
    axis = Axis("tokens", span=(LENGTHS[0], LENGTHS[-1]), log=True)

    def at(tokens: float) -> tuple[float, float]:
        return box.x + axis.normalize(tokens) * box.width, box.y

    yield pen.line("length", box.x, box.y, box.right, box.y, "axis")
    for tick, words in TICKS.items():
        if pen.narrow and tick == 65536:
            continue
        x, y = at(tick)
        yield pen.line(f"length-{tick}", x, y, x, y + 4, "axis")
        yield pen.text(f"length-{tick}-words", x, y + pen.size + 12, words, "note", anchor="middle")
    yield pen.text(
        "length-title", box.x - pen.pick(16, 0), box.y - 15, f"{case.tokens:,} tokens of context", "hot strong"
    )
    tokens = so_far(moment)
    if moment.phase == "length" and tokens != case.tokens:
        yield pen.circle("growing", *at(tokens), 5, "hot")
    else:
        yield pen.knob("tokens", *at(case.tokens), "tokens", [at(length) for length in LENGTHS])
