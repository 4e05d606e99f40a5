"""What is under the axis: gaps that double at each power of two, or gaps divided by their values."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise

import numpy as np

from loom.draw import Axis, Box, Mark, spread
from loom.scene import Moment

from .lanes import ROLES, Line, Stage, exponents
from .model import Array, Format
from .words import number, percent

Curve = tuple[Array, Array]  # corners, as values and gaps, or gaps ÷ values [1], each shape (corners,)

STEP = 3.0  # steps narrower than this are drawn as one slope
TOOTH = 6.0  # teeth narrower than this, or twice as much if bent, are drawn as a box that they fill
MOST_LABELS = 4  # steps whose gap is written on them
DECADES = [10.0**k * part for k in range(-5, 1) for part in (1, 2, 5)]


def edges(fmt: Format, line: Line) -> Array:
    """Where the gap of a format changes, from its smallest normal value to its largest one on the axis [1]."""
    top = min(fmt.largest, line.high)
    inner = np.zeros(0) if fmt.integer else 2.0 ** exponents(2 * fmt.smallest_normal, top)
    return np.array([fmt.smallest_normal, *inner[inner < top], top])


def stairs(fmt: Format, line: Line) -> Curve:
    """Corners of the gaps of a format."""
    at = edges(fmt, line)
    if line.log and line.power < STEP and not fmt.integer:
        ends = np.array([fmt.smallest, at[1], at[-1]])
        return ends, fmt.gap(np.array([ends[0], ends[0], at[-2]]))
    at[0] = fmt.smallest if line.log else 0.0
    return np.repeat(at, 2)[1:-1], np.repeat(fmt.gap(at[:-1]), 2)


def teeth(fmt: Format, line: Line) -> Curve:
    """Corners of the relative gaps.

    The normal values of a float make one falling tooth for each power of two. Where teeth are too narrow they
    become a box, walked around once. On a log axis the subnormal values come first.
    """
    at, places = edges(fmt, line), [line.place(value) for value in edges(fmt, line).tolist()]
    widths = [right - left for left, right in pairwise(places)]
    wide = [line.power >= TOOTH if line.log else width >= 2 * TOOTH for width in widths]
    from_tooth = 0 if fmt.integer else wide.index(True) if True in wide else len(wide)
    xs, ys = [], []
    if line.log and fmt.subnormals:
        xs, ys = [fmt.smallest], [1.0]
    if from_tooth:
        low, high, most = at[0], at[from_tooth], 2.0**-fmt.mantissa_bits
        xs += [low, low, high, high, low, high]
        ys += [most, most / 2, most / 2, most, most, most]
    teeth = zip(pairwise(at.tolist()), fmt.gap(at[:-1]).tolist(), widths, strict=True)
    for (low, high), size, width in list(teeth)[from_tooth:]:
        bends = int(np.clip(width / 12, 2, 24))  # on two log axes a tooth is straight
        points = [low, high] if line.log else np.geomspace(low, high, bends).tolist()
        xs += points
        ys += [size / point for point in points]
    return np.array(xs), np.array(ys)


def draw_plot(at: Stage, moment: Moment, box: Box) -> Iterator[Mark]:
    """The curves of one format or of both, over the axis that they share with the lanes."""
    relative = moment.phase == "relative"
    curves = [(teeth if relative else stairs)(fmt, at.line) for fmt in at.pair.both]
    y = (_relative_axis if relative else _gap_axis)(at, np.concatenate([ys for _, ys in curves]))
    yield from _scale(at, box, y, percent if relative else number)
    ends = []
    for index, (xs, ys) in enumerate(curves[: 1 + moment.since("beside")]):
        points = list(zip(at.line.at(xs).tolist(), _heights(box, y, ys.tolist()), strict=True))
        yield at.pen.path(f"{'ab'[index]}-curve", points, ROLES[index])
        ends.append(points[-1])
    if moment.phase == "gaps" and not at.line.log:
        yield from _steps(at, box, y)
    yield from _names(at, box, ends)


def _heights(box: Box, y: Axis, values: Sequence[float]) -> list[float]:
    """Where values of the y axis stand."""
    return [box.bottom - y.share(value) * box.height for value in values]


def _gap_axis(at: Stage, gaps: Array) -> Axis:
    """A scale for the gaps of both formats, of the same kind as the axis of the values."""
    low, high, title = float(gaps.min()), float(gaps.max()), "gap to the next value"
    if not at.line.log:
        return Axis(title, span=(0.0, 1.08 * high), ticks=(0.0, high / 8, high / 4, high / 2, high))
    powers = exponents(low, high)
    stride = -(-len(powers) // 4)
    ticks = tuple((2.0 ** powers[powers % stride == 0]).tolist())
    return Axis(title, span=(low / 1.5, high * 1.5), log=True, ticks=ticks)


def _relative_axis(at: Stage, shares: Array) -> Axis:
    """A log scale for the relative gaps of both formats."""
    low, high = float(shares.min()) / 1.25, min(float(shares.max()) * 1.25, 1.1)
    ticks = [tick for tick in DECADES if low <= tick <= high]
    if high / low > 40:
        ticks = [tick for tick in ticks if math.log10(tick) % 1 == 0]
    return Axis("gap ÷ value", span=(low, high), log=True, ticks=tuple(ticks))


def _scale(at: Stage, box: Box, y: Axis, words: Callable[[float], str]) -> Iterator[Mark]:
    """The title of the plot, its levels with their numbers, and its floor."""
    pen = at.pen
    yield pen.text("y-title", box.x, box.y - 8, y.title, "note")
    for text, height in zip(map(words, y.ticks), _heights(box, y, y.ticks), strict=True):
        yield pen.line(f"y-{text}", box.x, height, box.right, height, "grid")
        yield pen.text(f"y-{text}-n", box.x - pen.pick(3, 6), height, text, "note", anchor="end", middle=True)


def _steps(at: Stage, box: Box, y: Axis) -> Iterator[Mark]:
    """The gap on each step that has room for it."""
    pen, corners = at.pen, edges(at.pair.first, at.line).tolist()
    if len(corners) < 3:
        return
    for low, high in list(pairwise(corners))[: -MOST_LABELS - 1 : -1]:
        size = float(at.pair.first.gap(low))
        left, right, words = at.line.place(low), at.line.place(high), number(size)
        if pen.room(words) + 8 < right - left:
            height = _heights(box, y, [size])[0]
            yield pen.text(f"step-{size:g}", (left + right) / 2, height - 5, words, "hot strong", anchor="middle")


def _names(at: Stage, box: Box, ends: list[tuple[float, float]]) -> Iterator[Mark]:
    """The formats' names at the ends of their curves; apart from each other, and from the longer curve."""
    pen, wanted = at.pen, [y for _, y in ends]
    if len(ends) == 2 and abs(ends[0][0] - ends[1][0]) < pen.room("E4M3") + 10:
        wanted = spread(wanted, 1.2 * pen.size, box.y, box.bottom)
        ends = [(max(x for x, _ in ends), y) for y in wanted]
    elif len(ends) == 2:
        short = int(ends[1][0] < ends[0][0])
        wanted[short] += 0.9 * pen.size if wanted[short] >= wanted[1 - short] else -0.9 * pen.size
    for key, fmt, (x, _), y in zip("ab", at.pair.both, ends, wanted, strict=False):
        yield pen.text(f"{key}-end", x + 6, y, fmt.name, "label strong", middle=True)
