"""How many cycles the passes take: of a warp alone, and of many that read all the time, by the model and on a GPU."""

from __future__ import annotations

from collections.abc import Iterator

from loom.draw import Axis, Box, Mark, Pen, Plot, count, headline
from loom.scene import Moment

from .._silicon.drawing import rings
from .measured import ALONE, BUSY, PART, dots
from .model import BANKS, load_latency

MOST = 90  # cycles
ENDS = (1, BANKS)


def say_clock(moment: Moment) -> str:
    degree = moment.result.request.degree
    alone = f"A warp alone waits 23 + 2 × {degree - 1} = {load_latency(degree)} cycles"
    if degree == 1:
        lone = f"A warp alone waits {load_latency(1)} cycles, and 2 for each more pass."
        return f"{lone} Of 32 busy warps each pays 1 cycle."
    return f"{alone}. Where 32 warps read all the time, {count(degree, 'pass', 'passes')} cost {degree} cycles."


def draw_clock(pen: Pen, moment: Moment) -> Iterator[Mark]:
    """The cycles of this read, and cycles over passes: two lines, with rings where a GPU was asked."""
    degree = moment.result.request.degree
    taken = load_latency(degree)
    x, y = pen.pick((0, 226), (640, 58))
    yield from headline(pen, x, y, str(taken), ["cycles"], size=pen.large)
    for index, line in enumerate(("of a warp alone,", f"for {count(degree, 'pass', 'passes')}")):
        yield pen.text(f"cycles-{index}", x, y + (index + 1) * 1.35 * pen.size + 3, line, "note")
    plot = Plot(pen, pen.pick(Box(168, 222, 150, 50), Box(672, 142, 158, 92)),
                Axis("passes", span=(0, BANKS), ticks=(1, 8, 16, 32)),
                Axis("cycles", span=(0, MOST), ticks=(0, 40, 80)), "clock")  # fmt: skip
    yield from plot.axes()
    yield plot.curve("alone", ENDS, [load_latency(end) for end in ENDS], "data modelled")
    yield plot.curve("busy", ENDS, ENDS, "work modelled")
    yield from rings(pen, plot, "alone-measured", dots(ALONE), 2.5)
    seen = dots(BUSY)
    yield from rings(pen, plot, "busy-measured", seen, 2.5)
    if seen:
        words = f"○ on an {PART}"
        yield pen.text("clock-part", plot.box.right, plot.box.y - 0.75 * pen.size, words, "note measured", anchor="end")
    for key, words, at, role in (("one", "one warp", (20, load_latency(20) + 9), "label"),
                                 ("many", "32 warps", (31.5, 37), "work")):  # fmt: skip
        yield pen.text(f"clock-{key}", *plot.at(*at), words, role, anchor="end")
    yield pen.circle("clock-here", *plot.at(degree, taken), pen.pick(4, 5), "hot", read=f"this read: {taken} cycles")
