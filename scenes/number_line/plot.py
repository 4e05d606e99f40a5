"""What is under the axis: gaps over values, or gaps divided by their values."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import pairwise

import numpy as np

from loom.draw import Axis, Mark, spread

from .curves import edges, extent, stairs, teeth
from .lanes import ROLES
from .model import gap
from .stage import Stage, exponents
from .words import number, percent

MOST_LABELS = 4  # steps whose gap is written on them
DECADES = [10.0**k * part for k in range(-5, 1) for part in (1, 2, 5)]


def draw_plot(stage: Stage) -> Iterator[Mark]:
    """The curves of one format or of both, over the axis that they share with the lanes."""
    relative = stage.state.step == "relative"
    y = relative_axis(stage) if relative else gap_axis(stage)
    yield from draw_scale(stage, y, percent if relative else number)
    names = (stage.state.first, stage.state.second) if stage.state.both else (stage.state.first,)
    ends = []
    for index, name in enumerate(names):
        xs, ys = (teeth if relative else stairs)(name, stage.line)
        yield stage.pen.path(f"{'ab'[index]}-curve", zip(stage.line.at(xs), heights(stage, y, ys), strict=True),
                             ROLES[index])  # fmt: skip
        ends.append((stage.line.place(xs[-1]), heights(stage, y, ys[-1:])[0]))
    if stage.state.step == "gaps":
        yield from draw_steps(stage, y)
    yield from name_curves(stage, names, ends)


def heights(stage: Stage, y: Axis, values: np.ndarray) -> list[float]:
    """Where values of the y axis stand."""
    return [stage.below.bottom - y.share(float(value)) * stage.below.height for value in values]


def gap_axis(stage: Stage) -> Axis:
    """A scale for the gaps of both formats, of the same kind as the axis of the values."""
    gaps = np.concatenate([stairs(name, stage.line)[1] for name in (stage.state.first, stage.state.second)])
    low, high = float(gaps.min()), float(gaps.max())
    title = "gap to the next value"
    if not stage.line.log:
        return Axis(title, span=(0.0, 1.08 * high), ticks=(0.0, high / 8, high / 4, high / 2, high))
    powers = exponents(low, high)
    stride = -(-len(powers) // 4)
    ticks = tuple((2.0 ** powers[powers % stride == 0]).tolist())
    return Axis(title, span=(low / 1.5, high * 1.5), log=True, ticks=ticks)


def relative_axis(stage: Stage) -> Axis:
    """A log scale for the relative gaps of both formats."""
    ends = [extent(name, stage.line) for name in (stage.state.first, stage.state.second)]
    low, high = min(end[0] for end in ends), max(end[1] for end in ends)
    span = (low / 1.25, min(high * 1.25, 1.1))
    ticks = [tick for tick in DECADES if span[0] <= tick <= span[1]]
    if span[1] / span[0] > 40:
        ticks = [tick for tick in ticks if np.log10(tick) % 1 == 0]
    return Axis("gap ÷ value", span=span, log=True, ticks=tuple(ticks))


def draw_scale(stage: Stage, y: Axis, words: Callable[[float], str]) -> Iterator[Mark]:
    """The title of the plot, its levels with their numbers, and its floor."""
    pen, box = stage.pen, stage.below
    yield pen.text("y-title", box.x, box.y - 8, y.title, "note")
    for tick, height in zip(y.ticks, heights(stage, y, np.array(y.ticks)), strict=True):
        yield pen.line(f"y-{words(tick)}", box.x, height, box.right, height, "grid")
        yield pen.text(
            f"y-{words(tick)}-n",
            box.x - (3 if pen.narrow else 6),
            height,
            words(tick),
            "note",
            anchor="end",
            middle=True,
        )


def draw_steps(stage: Stage, y: Axis) -> Iterator[Mark]:
    """The gap on each step that has room for it."""
    pen, at = stage.pen, edges(stage.state.first, stage.line)
    if stage.line.log or len(at) < 3:
        return
    for low, high in list(pairwise(at))[: -MOST_LABELS - 1 : -1]:
        size = gap(low, stage.state.first)
        left, right = stage.line.place(low), stage.line.place(high)
        if pen.room(number(float(size))) + 8 < right - left:
            height = heights(stage, y, np.array([size]))[0]
            yield pen.text(f"step-{float(size):g}", (left + right) / 2, height - 5, number(float(size)), "hot strong",
                           anchor="middle")  # fmt: skip


def name_curves(stage: Stage, names: tuple[str, ...], ends: list[tuple[float, float]]) -> Iterator[Mark]:
    """The formats' names at the ends of their curves; apart from each other, and from the longer curve."""
    pen, wanted = stage.pen, [y for _, y in ends]
    if len(ends) == 2 and abs(ends[0][0] - ends[1][0]) < pen.room("E4M3") + 10:
        wanted = spread(wanted, 1.2 * pen.size, stage.below.y, stage.below.bottom)
        ends = [(max(x for x, _ in ends), y) for y in wanted]
    elif len(ends) == 2:
        short = int(ends[1][0] < ends[0][0])
        wanted[short] += 0.9 * pen.size if wanted[short] >= wanted[1 - short] else -0.9 * pen.size
    for index, (name, (x, _), y) in enumerate(zip(names, ends, wanted, strict=True)):
        yield pen.text(f"{'ab'[index]}-end", x + 6, y, name, "label strong", middle=True)
