"""Issue slots used over the number of warps: a line that rises to its knee, and the dot where the reader is."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache

from loom.draw import Axis, Box, Mark, Pen, Plot

from .model import SLOTS, Load, slots_used

MOST = 24  # warps at the right end of the axis


def percent(share: float) -> str:
    """A percentage; with a decimal under 10, and never 100% for less."""
    if share < 9.95:
        return f"{share:.1f}".removesuffix(".0") + "%"
    return f"{min(round(share), 99) if share < 100 else 100}%"


def samples(load: Load, low: float, high: float) -> tuple[list[float], list[float]]:
    """The curve between two numbers of warps [warps, %]: straight but for its knee, which is one of the points."""
    knee = load.period / load.instructions
    xs = [low, knee, high] if low < knee < high else [low, high]
    return xs, (100 * slots_used(xs, load.instructions, load.latency)).tolist()


@cache
def plot_of(pen: Pen, box: Box) -> Plot:
    return Plot(pen, box, Axis("warps", span=(0, MOST), ticks=(0, 8, 16, 24)),
                Axis("slots used", "%", span=(0, 100), ticks=(0, 50, 100)), "curve")  # fmt: skip


def draw_curve(pen: Pen, box: Box, load: Load, drawn: float, manner: str = "") -> Iterator[Mark]:
    """The curve, as far as there is room for warps and beyond, with a dot at those that there are."""
    plot = plot_of(pen, box)
    yield from plot.axes()
    x, top = plot.at(SLOTS, 100)
    yield pen.line("limit", x, top - 4, x, box.bottom, "axis dashed", read=f"a scheduler has room for {SLOTS} warps")
    yield plot.curve("beyond", *samples(load, SLOTS, MOST), f"ghost{manner}")
    yield plot.curve("within", *samples(load, 0, SLOTS), f"work{manner}", drawn=drawn)
    told = f"{load.warps} of {SLOTS} warps: {percent(load.used)} of the issue slots"
    yield pen.circle("here", *plot.at(load.warps, load.used), pen.pick(4, 5), "hot", read=told)
