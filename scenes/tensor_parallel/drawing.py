"""The picture: a small MLP over coloured GPUs, and beside it the time that a real layer takes."""

from __future__ import annotations

from collections.abc import Iterator

from loom.draw import Box, Mark, Pen, headline, percent
from loom.scene import Moment

from .cost import draw_bars, draw_strip
from .grid import draw_grid
from .heads import draw_heads
from .model import Split
from .narration import OVER
from .toy import EXACT


def draw(moment: Moment, width: float) -> Iterator[Mark]:
    pen = Pen(width)
    real = moment.phase in ("layer", "sequence", "cost")
    if not real and moment.result.gpus > 1 and moment.result.order == "columns":
        words = pen.pick(("and not 2:", "ReLU needs none"), "over all GPUs, and not 2: ReLU needs none of its own")
        yield from headline(pen, 0, pen.huge - 2, "1 sum", words, "work", key="sums", right=pen.pick(196, 440))
    else:
        yield from draw_answer(pen, moment.result, pen.narrow and not real)
    if not pen.narrow or not real:
        yield from draw_grid(pen, moment, not real)
    if moment.phase in ("layer", "sequence"):
        yield from draw_heads(pen, moment.result)
    elif real:
        yield from draw_bars(pen, pen.pick(Box(34, 66, 286, 126), Box(546, 26, 292, 186)), moment)
    if real:
        yield from draw_strip(pen, pen.pick(Box(0, 264, 328, 28), Box(0, 288, 838, 26)), moment)


def draw_answer(pen: Pen, one: Split, short: bool) -> Iterator[Mark]:
    """How much of the forward is waited; for the wrong order, how much of its result is wrong."""
    if one.order == "rows" and one.toy.wrong:
        number, words = f"{one.toy.wrong} of {EXACT.size}", "results are wrong"
    else:
        number = percent(one.share) if one.share else "0%"
        where = f" over {OVER[one.link]}" if one.gpus > 1 and not short else ""
        words = f"of a layer’s forward is waiting for sums{where}"
    role = "dropped" if number != "0%" else "work"
    right = pen.pick(196 if short else pen.width, 280)
    yield from headline(pen, 0, pen.huge - 2, number, words, role, right=right)
