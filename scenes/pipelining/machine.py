"""The formula on a real GPU: with times that were counted it is too fast, with the GPU's own it holds."""

from __future__ import annotations

from collections.abc import Iterator

from loom.draw import Axis, Box, Mark, Pen, Plot, count, kept
from loom.scene import Moment

from .._silicon.drawing import rings
from .measured import MOST, PART, compute, dots, expected, latency, result, tiles
from .model import STAGES, Pipeline

BUFFERS = tuple(range(1, MOST + 1))
TOP = 1200  # cycles


def asked(_: Pipeline) -> tuple[int, ...]:
    """Only where somebody has measured."""
    return (0,) if result() else ()


def say_machine(_: Moment) -> str:
    counted = tiles()[MOST].predicted or 0
    return (
        f"Small tiles on an {PART}: a load takes {latency()} cycles, the arithmetic {compute()}, not the {counted:.0f} "
        f"of its multiply-adds. With these, the formula holds."
    )


def draw_machine(pen: Pen, one: Pipeline) -> Iterator[Mark]:
    """Cycles of a tile over buffers; the number of buffers is taken hold of on the formula."""
    plot = Plot(pen, pen.pick(Box(42, 78, 276, 150), Box(60, 40, 560, 190)),
                Axis("buffers", span=(1, MOST), ticks=tuple(map(float, BUFFERS))),
                Axis("a tile takes", "cycles", span=(0, TOP), ticks=(0, 400, 800, 1200)), "machine")  # fmt: skip
    yield from draw_lines(plot)
    rail = [plot.at(stages, expected(stages)) for stages in STAGES]
    yield pen.knob("machine-stages", *rail[one.stages - 1], "stages", rail)
    yield from draw_both(pen, one.stages)


@kept
def draw_lines(plot: Plot) -> Iterator[Mark]:
    """What does not depend on the reader's buffers."""
    pen, right = plot.pen, plot.box.right
    yield from plot.axes()
    yield plot.curve("counted", BUFFERS, [point.predicted or 0 for point in tiles().values()], "ghost modelled")
    yield plot.curve("own", BUFFERS, [expected(stages) for stages in BUFFERS], "work modelled")
    yield from rings(pen, plot, "measured", dots())
    for key, share, words, role in (
        ("part", 1100, f"○ measured on an {PART}", "note measured"),
        ("own-words", 900, f"max(C, (L + C) ÷ S), C = {compute()}, L = {latency()}", "work modelled"),
        ("counted-words", 40, "with what was counted", "note modelled"),
    ):
        yield pen.text(f"machine-{key}", right, plot.at(MOST, share)[1], words, role, anchor="end")


def draw_both(pen: Pen, stages: int) -> Iterator[Mark]:
    """What the formula says of the reader's buffers, and what came."""
    x, y = pen.pick((0, 24), (648, 84))
    said = f"{expected(stages):,.0f}"
    yield pen.text("machine-said", x, y, said, "work strong answer modelled", size=pen.huge)
    words = (f"cycles with {count(stages, 'buffer')};", f"an {PART} took {tiles()[stages].median:,.0f}")
    left, top = pen.pick((x + pen.room("1,137", size=pen.huge, strong=True) + 10, y - 14), (x, y + 1.5 * pen.size))
    for at, (line, role) in enumerate(zip(words, ("modelled", "measured"), strict=True)):
        yield pen.text(f"machine-words-{at}", left, top + at * 1.35 * pen.size, line, f"label {role}")
