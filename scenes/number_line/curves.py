"""Under the numbers: the gaps between them, or each gap divided by its number."""

from __future__ import annotations

import math
from collections.abc import Iterator
from functools import lru_cache
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from loom.draw import Axis, Box, Mark, bounds, dodge, memoized
from loom.scene import Moment

from .model import Format
from .stage import Stage
from .words import number, percent

ROLES = ("series-1", "series-2")
STEP = 3.0  # steps narrower than this are drawn as one slope
AWAY = (0, *(side * away for away in range(3, 49, 3) for side in (-1, 1)))  # units up or down, for names
DECADES = (0.0001, 0.001, 0.01, 0.1, 1.0)

Points = list[tuple[float, float]]  # values, with gaps or gaps ÷ values


def edges(at: Stage, fmt: Format, narrowest: float) -> list[float]:
    """Powers of two in the window, from the first that is so wide, and where the format or the window ends."""
    top = min(fmt.largest, at.pair.window)
    found, low = [top], 2.0 ** (math.ceil(math.log2(top)) - 1)
    while low >= fmt.smallest_normal and low * at.scale >= narrowest and (low > 1 or not fmt.integer):
        found.insert(0, low)
        low /= 2
    return found


def stairs(at: Stage, fmt: Format) -> Points:
    """The gaps of a format; of an integer that has no number in the window there are none."""
    if fmt.smallest >= at.pair.window:
        return []
    corners = edges(at, fmt, STEP)
    points = [(0.0, float(fmt.gap(corners[0] if fmt.integer else 0.0)))]
    if not fmt.integer and corners[0] > 2 * fmt.smallest_normal:
        points.append((corners[0], float(fmt.gap(corners[0] / 2))))
    elif not fmt.integer:
        points.append((corners[0], float(fmt.gap(0.0))))
    elif len(corners) == 1:  # from 1 to below 2 there is no power of two to begin at
        points.append((corners[0], points[0][1]))
    for low, high in pairwise(corners):
        points += [(low, float(fmt.gap(low))), (high, float(fmt.gap(low)))]
    return points


def teeth(at: Stage, fmt: Format) -> Points:
    """The gaps divided by their numbers, on the bent ruler: each stretch of equal gaps is a straight line down."""
    top, start = min(fmt.largest, at.pair.window), max(fmt.smallest, at.low)
    if start >= top:
        return []
    corners, power = [start], max(fmt.smallest_normal, at.low)
    while power < top and not fmt.integer:
        corners += [power] if power > start else []
        power *= 2
    return [(value, float(fmt.gap(low)) / value) for low, high in pairwise([*corners, top]) for value in (low, high)]


@lru_cache(maxsize=4)  # drawn beat by beat
def curves_of(at: Stage, relative: bool) -> list[Points]:
    """The gaps of both formats, or the gaps divided by their numbers."""
    return [(teeth if relative else stairs)(at, fmt) for fmt in at.pair.both]


def draw_curves(at: Stage, moment: Moment) -> Iterator[Mark]:
    """The curves of one format or of both, over the axis that they share with the numbers."""
    relative, shown = moment.phase == "relative", 1 + moment.since("second")
    yield from _scale(at, relative)
    if relative and moment.progress < 1:  # until the ruler is bent
        return
    for index, places in enumerate(places_of(at, relative)[:shown]):
        if places:
            key = f"{'ab'[index]}-{'share' if relative else 'gap'}"
            drawn = 1.0 if index else moment.past("first")
            yield at.pen.path(key, places, ROLES[index] + " steady" * (drawn < 1), drawn=drawn)
    yield from _names(at, relative, shown)


@lru_cache(maxsize=4)  # drawn beat by beat
def places_of(at: Stage, relative: bool) -> list[Points]:
    """The curves on the stage."""
    y = _axis(at, relative)
    return [[(at.x(value), _height(at.plot, y, size)) for value, size in points] for points in curves_of(at, relative)]


def _axis(at: Stage, relative: bool) -> Axis:
    return _relative_axis(at) if relative else _gap_axis(curves_of(at, relative))


def _height(box: Box, y: Axis, value: float) -> float:
    return box.bottom - y.normalize(value) * box.height


def _gap_axis(curves: list[Points]) -> Axis:
    """From 0 to the largest gap in the window."""
    top = max(size for points in curves for _, size in points) if any(curves) else 1.0
    return Axis("gap to the next number", span=(0.0, 1.1 * top), ticks=(0.0, top / 2, top))


def _relative_axis(at: Stage) -> Axis:
    """A log scale for both formats, wherever the window ends."""
    low = min(fmt.relative_extent[0] for fmt in at.pair.both)
    return Axis("gap ÷ number", span=(low / 1.5, 1.1), log=True, ticks=tuple(tick for tick in DECADES if tick >= low))


@memoized
def _scale(at: Stage, relative: bool) -> Iterator[Mark]:
    """The title of the plot, and its levels with their numbers."""
    pen, box, y, words = at.pen, at.plot, _axis(at, relative), percent if relative else number
    yield pen.text("y-title", box.x, box.y - 10, y.title, "note")
    for tick in y.ticks:
        text, height = words(tick), _height(box, y, tick)
        yield pen.line(f"y-{text}", box.x, height, box.right, height, "grid")
        yield pen.text(f"y-{text}-n", box.x - 6, height, text, "note", anchor="end", middle=True)


@memoized
def _names(at: Stage, relative: bool, shown: int) -> Iterator[Mark]:
    """The formats' names at the ends of their curves, apart from each other: on a phone over them, or under them."""
    pen, box = at.pen, at.plot
    ends = [(index, places) for index, places in enumerate(places_of(at, relative)[:shown]) if places]
    lasts = [line[-1] for _, line in ends]
    left = [pen.narrow and x > box.x + box.width / 2 for x, _ in lasts]
    names = [at.pair.both[index].name for index, _ in ends]
    spans = [
        _span(line, pen.text_width(name, strong=True) if back else 0)
        for (_, line), name, back in zip(ends, names, left, strict=True)
    ]
    tops = [top for top, _ in spans]
    upper = tops.index(min(tops)) if tops else 0  # one of them, where both end in one place
    wanted = [top - 9 if at == upper else foot + 10 for at, (top, foot) in enumerate(spans)]
    heights = dodge(
        wanted if pen.narrow else [y for _, y in lasts],
        1.2 * pen.size, box.y + pen.pick(0, 6), box.bottom - pen.pick(-6, 4),
    )  # fmt: skip
    taken = np.concatenate([_dense(line) for _, line in ends]) if ends else np.zeros((0, 2))
    for (index, _), (x, _), name, back, y in zip(ends, lasts, names, left, heights, strict=True):
        place, anchor = (x, "end") if back else (x + 6, "start")
        for away in AWAY:  # as near as no curve strikes the name through
            found = pen.text(f"{'ab'[index]}-end", place, y + away, name, "label strong", anchor=anchor, middle=True)
            low, high = np.array(bounds(found)).reshape(2, 2) + np.array(((-1, 1.5), (1, -1.5)))
            if not ((low < taken) & (taken < high)).all(axis=1).any():
                break
        taken = np.concatenate([taken, np.linspace(low, high, 9)])
        yield found


def _dense(line: Points) -> NDArray[np.float64]:
    """Places along a line, near enough to each other that none of its stretches is overlooked."""
    corners = np.array(line)
    along = np.concatenate([[0.0], np.hypot(*np.diff(corners, axis=0).T).cumsum()])
    at = np.union1d(along, np.arange(0.0, along[-1], 3.0))
    return np.stack([np.interp(at, along, column) for column in corners.T], axis=1)


def _span(line: Points, width: float) -> tuple[float, float]:
    """The highest and the lowest place of the last part of a line, of some width."""
    last = line[-1][0] - width
    (x0, y0), (x1, y1) = next((pair for pair in pairwise(line) if pair[1][0] > last), (line[0], line[-1]))
    begin = y0 + (last - x0) / (x1 - x0) * (y1 - y0) if x0 < last else y0
    ys = [begin, *(y for x, y in line if x > last), line[-1][1]]
    return min(ys), max(ys)
