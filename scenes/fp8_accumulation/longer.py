"""The step after a sum on Hopper: how much is lost of sums of any length, by the rule and on a GPU."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache

from loom.draw import Axis, Box, Mark, Pen, Plot, dodge, memoized

from .._silicon.drawing import rings
from .lengths import LENGTHS, NEVER, STALL, Longer, lost, lost_of_ones
from .measured import PART, dots, dots_of_ones
from .words import error

LEAST, MOST = 0.002, 100.0  # of the axis [%]
ONES = tuple(length for length in LENGTHS if length > STALL)


def say_longer(step: Longer) -> str:
    never, often = error(lost(NEVER)[-1]), error(lost(step.promote)[-1])
    return (
        f"By the rule, {LENGTHS[-1]:,} products of uniform numbers lose {never}, and {often} if promoted every "
        f"{step.promote}. A sum of ones stops at {STALL:,}."
    )


@cache
def plot_of(width: float) -> Plot:
    pen = Pen(width)
    terms = Axis("terms", span=(LENGTHS[0], LENGTHS[-1]), log=True, ticks=(128, 1024, 8192, 65536))
    share = Axis("lost of the sum", "%", (LEAST, MOST), log=True, ticks=(0.01, 0.1, 1, 10, 100))
    return Plot(pen, pen.pick(Box(40, 36, 178, 216), Box(64, 28, 560, 236)), terms, share, "longer")


def draw_longer(step: Longer, width: float) -> Iterator[Mark]:
    yield from draw_losses(plot_of(width), step.promote)


@memoized
def draw_losses(plot: Plot, promote: int) -> Iterator[Mark]:
    """Three lines of the rule: without promotion, with it, and of ones that stall; rings where a GPU was asked."""
    pen, never, often = plot.pen, lost(NEVER), lost(promote)
    yield from plot.axes()
    x, y = plot.at(STALL, 1)
    yield pen.line("stall", x, plot.box.y, x, plot.box.bottom, "axis dashed")
    for at, words in enumerate(("a sum of ones", f"stops at {STALL:,}")):
        yield pen.text(f"stall-words-{at}", x - 7, y + (1 + 1.3 * at) * pen.size, words, "dropped", anchor="end")
    yield plot.curve("promoted", LENGTHS, often, "work modelled")
    yield plot.curve("never", LENGTHS, never, "data modelled")
    yield plot.curve("ones", ONES, [lost_of_ones(length) for length in ONES], "dropped modelled")
    seen = [*rings(pen, plot, "promoted-measured", dots(promote)), *rings(pen, plot, "measured", dots(NEVER)),
            *rings(pen, plot, "ones-measured", dots_of_ones())]  # fmt: skip
    yield from seen
    yield from draw_names(plot, promote, never[-1], often[-1])
    x, y = plot.box.x + 8, plot.box.y + 1.3 * pen.size
    if seen:
        yield pen.text("longer-part", x, y, f"○ measured on an {PART}", "note measured")
    yield pen.text("longer-rule", x, y + 1.4 * pen.size, "– by the rule", "note modelled")


def draw_names(plot: Plot, promote: int, never: float, often: float) -> Iterator[Mark]:
    """What each line is, and where it ends."""
    pen, ones = plot.pen, lost_of_ones(LENGTHS[-1])
    names = (
        ("ones", ones, f"ones: {error(ones)}", "dropped strong"),
        ("never", never, f"never: {error(never)}", "value strong"),
        ("promoted", often, f"every {promote}: {error(often)}", "work strong"),
    )
    heights = [plot.at(LENGTHS[-1], share)[1] for _, share, _, _ in names]
    places = dodge(heights, 1.3 * pen.size, plot.box.y, plot.box.bottom)
    for (key, _, words, role), y in zip(names, places, strict=True):
        yield pen.text(f"longer-{key}", plot.box.right + 9, y, words, role, middle=True)
