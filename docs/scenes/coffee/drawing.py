"""Coffee: the picture. A curve that falls, a knob where half is left, and bedtime."""

from __future__ import annotations

from collections.abc import Iterator

from loom.draw import Axis, Box, Mark, Pen, Plot, headline
from loom.scene import Moment

from .model import BEDTIME, CUP, HALF_LIVES, HOURS

X = Axis("after the cup", "h", (0, 16))
Y = Axis("caffeine left", "mg", (0, CUP))


def draw(moment: Moment, width: float) -> Iterator[Mark]:
    pen, decay = Pen(width), moment.result
    plot = Plot(pen, Box(pen.pick(34, 60), 24, width - pen.pick(44, 260), pen.pick(150, 220)), X, Y)
    yield from plot.axes()
    yield plot.curve("left", HOURS, decay.left(HOURS), "data", drawn=moment.past("wait"))
    if moment.since("bed"):
        at_bed = decay.left(BEDTIME)
        yield pen.line("bedtime", *plot.at(BEDTIME, 0), *plot.at(BEDTIME, CUP), "ghost")
        yield from plot.point("at-bed", BEDTIME, at_bed, "hot")
        x, y = (0, plot.box.bottom + 84) if pen.narrow else (plot.box.right + 30, 90)
        words = f"are left after {BEDTIME:g} hours"
        yield from headline(pen, x, y, f"{at_bed:.0f} mg", words, "hot", under=True)
    rail = [plot.at(half_life, CUP / 2) for half_life in HALF_LIVES]
    yield pen.knob("half", *plot.at(decay.half_life, CUP / 2), "half_life", rail)
