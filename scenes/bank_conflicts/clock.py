"""How many cycles the passes take: of a warp alone, and of many that read all the time, by the model and on a GPU."""

from __future__ import annotations

from collections.abc import Iterator

from loom.draw import Axis, Box, Mark, Pen, Plot, count, headline, memoized
from loom.scene import Moment, evenly

from .._silicon.drawing import rings
from .measured import ALONE, BUSY, PART, dots
from .model import BANKS, load_latency

MOST = 90  # cycles
STOPS = (1, 8, 16, 24, BANKS)  # passes at which both lines arrive one after the other
LEAD, EACH = 0.25, 0.6  # that the picture before anything sets out stands, and from stop to stop [s]


def say_clock(moment: Moment) -> str:
    degree = moment.result.request.degree
    alone = f"A warp alone waits 23 + 2 × {degree - 1} = {load_latency(degree)} cycles"
    if degree == 1:
        lone = f"A warp alone waits {load_latency(1)} cycles, and 2 for each more pass."
        return f"{lone} Of 32 busy warps each pays 1 cycle."
    return f"{alone}. Where 32 warps read all the time, {count(degree, 'pass', 'passes')} cost {degree} cycles."


def running(_: Moment) -> tuple[float, ...]:
    """Both lines set out from a single pass, and where they have come to their end the GPU's answers are seen."""
    ways = len(STOPS) - 1
    return evenly(ways, EACH * ways, lead=LEAD, landed=True)


def draw_clock(pen: Pen, moment: Moment) -> Iterator[Mark]:
    """The cycles of this read, and cycles over passes: two lines, with rings where a GPU was asked."""
    degree, ends = moment.result.request.degree, moment.progress == 1
    come = min(degree, STOPS[-1] if ends else STOPS[max(moment.beat - 1, 0)])  # a number changes when the dot is there
    x, y = pen.pick((0, 226), (640, 58))
    yield from headline(pen, x, y, str(load_latency(come)), ["cycles"], size=pen.large,
                        widest=[str(load_latency(degree))])  # fmt: skip
    for index, line in enumerate(("of a warp alone,", f"for {count(come, 'pass', 'passes')}")):
        yield pen.text(f"cycles-{index}", x, y + (index + 1) * 1.35 * pen.size + 3, line, "note")
    plot = Plot(pen, pen.pick(Box(168, 222, 150, 50), Box(672, 142, 158, 92)),
                Axis("passes", span=(0, BANKS), ticks=(1, 8, 16, 32)),
                Axis("cycles", span=(0, MOST), ticks=(0, 40, 80)), "clock")  # fmt: skip
    yield from plot.axes()
    until = STOPS[min(moment.beat, len(STOPS) - 1)]
    yield from draw_lines(plot, until)
    if ends:
        yield from draw_answers(plot)
    here = min(degree, until)
    yield pen.circle("clock-here", *plot.at(here, load_latency(here)), pen.pick(4, 5), "hot steady",
                     read=f"{'this read' if here == degree else count(here, 'pass', 'passes')}: "
                     f"{load_latency(here)} cycles")  # fmt: skip


@memoized
def draw_lines(plot: Plot, until: int) -> Iterator[Mark]:
    """What the passes cost a warp alone and each of many, drawn up to so many passes."""
    pen, drawn = plot.pen, (until - STOPS[0]) / (STOPS[-1] - STOPS[0])
    for key, cycles, role in (("alone", load_latency, "data"), ("busy", int, "work")):
        points = [plot.at(end, cycles(end)) for end in (STOPS[0], STOPS[-1])]
        yield pen.path(key, points, f"{role} steady modelled", drawn=drawn)
    for key, words, at, role in (("one", "one warp", (20, load_latency(20) + 9), "label"),
                                 ("many", "32 warps", (31.5, 37), "work")):  # fmt: skip
        yield pen.text(f"clock-{key}", *plot.at(*at), words, role, anchor="end")


def draw_answers(plot: Plot) -> Iterator[Mark]:
    """What a GPU took."""
    pen = plot.pen
    yield from rings(pen, plot, "alone-measured", dots(ALONE), 2.5)
    seen = dots(BUSY)
    yield from rings(pen, plot, "busy-measured", seen, 2.5)
    if seen:
        words = f"○ on an {PART}"
        yield pen.text("clock-part", plot.box.right, plot.box.y - 0.75 * pen.size, words, "note measured", anchor="end")
