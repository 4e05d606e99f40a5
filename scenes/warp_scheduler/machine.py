"""The formula on a real GPU: chains of multiply-adds keep to it, and rounds with a load turn its corner softly."""

from __future__ import annotations

from collections.abc import Iterator

from loom.draw import Axis, Box, Mark, Pen, Plot, count, kept
from loom.scene import Moment

from .._silicon.drawing import rings
from .curve import percent, samples
from .measured import CHAINED, PART, ROUND, SOFT, dots, expected, latency, result, used, used_by_chains
from .model import SLOTS, Load

CHAIN, ROUNDS = "chain", "round"


def asked(_: Load) -> tuple[int, ...]:
    """Only where somebody has measured."""
    return (0,) if result() else ()


def say_machine(_: Moment) -> str:
    return (
        f"An {PART}’s multiply-adds keep to the formula. After loads its corner is soft: "
        f"{SOFT} warps use {percent(used()[SOFT])} of the slots, not {percent(expected(SOFT))}."
    )


def draw_machine(pen: Pen, load: Load) -> Iterator[Mark]:
    """Two lines of the formula with their rings; the number of warps is taken hold of on the lower one."""
    plot = Plot(pen, pen.pick(Box(36, 28, 284, 150), Box(60, 28, 540, 196)),
                Axis("warps of a scheduler", span=(0, SLOTS), ticks=(0, 4, 8, 12, 16)),
                Axis("slots used", "%", span=(0, 100), ticks=(0, 25, 50, 75, 100)), "machine")  # fmt: skip
    yield from draw_lines(plot)
    rail = [plot.at(warps, expected(warps)) for warps in range(1, SLOTS + 1)]
    yield pen.knob("machine-warps", *rail[load.warps - 1], "warps", rail)
    yield from draw_both(pen, load.warps)


@kept
def draw_lines(plot: Plot) -> Iterator[Mark]:
    """What does not depend on the reader's warps."""
    pen = plot.pen
    yield from plot.axes()
    yield plot.curve(CHAIN, *samples(Load(1, CHAINED - 1, 1), 0, SLOTS), "data modelled")
    yield plot.curve(ROUNDS, *samples(Load(1, latency(), ROUND), 0, SLOTS), "work modelled")
    yield from rings(pen, plot, f"{CHAIN}-measured", dots(used_by_chains()))
    yield from rings(pen, plot, f"{ROUNDS}-measured", dots(used()))
    right, size = plot.box.right, pen.size
    _, y = plot.at(0, 50)
    for at, words in enumerate((f"{ROUND} multiply-adds", f"after a load of {latency()} cycles")):
        yield pen.text(f"{ROUNDS}-words-{at}", right, y + 1.35 * at * size, words, "work", anchor="end")
    yield pen.text(
        "machine-part", right, plot.box.bottom - 8, f"○ measured on an {PART}", "note measured", anchor="end"
    )
    yield pen.text(f"{CHAIN}-words", right, plot.box.y - 0.75 * size, "multiply-adds alone", "label", anchor="end")


def draw_both(pen: Pen, warps: int) -> Iterator[Mark]:
    """What the formula says of the reader's warps, and what the GPU did, if it was asked."""
    (x, y), share = pen.pick((0, 246), (636, 62)), percent(expected(warps))
    yield pen.text("machine-used", x, y, share, "work strong answer modelled", size=pen.huge)
    seen = used().get(warps)
    told = f"an {PART} used {percent(seen)}" if seen else f"an {PART} was not asked"
    words = (f"by the formula, {count(warps, 'warp')};", told)
    left, top = pen.pick((x + pen.room("100%", size=pen.huge, strong=True) + 12, y - 14), (x, y + 1.5 * pen.size))
    for at, (line, role) in enumerate(zip(words, ("modelled", "measured"), strict=True)):
        yield pen.text(f"machine-words-{at}", left, top + at * 1.35 * pen.size, line, f"label {role}")
