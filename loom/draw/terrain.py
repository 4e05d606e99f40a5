"""A grid of numbers to places on the stage: what `field` and `contours` draw, computed with numpy."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from loom.draw.axis import Axis
from loom.draw.box import Box
from loom.draw.contour import Numbers, cell_rings, crossings, rings, simplified
from loom.draw.lines import sign
from loom.draw.marks import Point
from loom.expected import Mistaken

MOST = 200  # rows, and columns
STRONG = 0.25  # of a scale: this far from its middle a shade is strong enough for a light sign to be seen on it
MARGIN = 6  # stage units between a sign and the edge
SLACK = 0.35  # stage units by which an edge may be off; coordinates are rounded to a half


def grid(values: Sequence[Sequence[float]]) -> Numbers:
    """Rows of numbers as an array; Mistaken if they are no grid, or too large."""
    try:
        found = np.asarray(values, dtype=float)
    except ValueError as error:
        raise Mistaken(("the rows of a field are not equally long rows of numbers", "give it a grid")) from error
    if found.ndim != 2 or not all(2 <= side <= MOST for side in found.shape):
        size = " × ".join(map(str, found.shape)) or "one number"
        raise Mistaken((f"a field is of {size} numbers", f"give 2 to {MOST} rows of 2 to {MOST} numbers each"))
    return found


def measured(values: Numbers, shade: Axis) -> Numbers:
    """How high each number is on a scale, 0 to 1; where there is none, NaN."""
    known = ~np.isnan(values)
    found = np.full(values.shape, np.nan)
    found[known] = np.clip(np.array(shade.normalize_all(values[known].tolist())), 0, 1)
    return found


def is_whole(values: Numbers) -> bool:
    """Whether there is a number everywhere."""
    return not np.isnan(values).any()


def areas(values: Numbers, height: float, box: Box, cells: bool) -> list[list[Point]]:
    """Rings on the stage around the areas that reach `height`."""
    found = cell_rings(values >= height) if cells else rings(values, height)
    drawn = [_ring(_placed(line, values, box, cells)) for line in found]
    return [ring for ring in drawn if ring]


def lines(values: Numbers, height: float, box: Box) -> list[list[Point]]:
    """Lines on the stage along which a grid has a height, the longest first."""
    placed = [_placed(line, values, box, cells=False) for line in crossings(values, height)]
    placed.sort(key=lambda line: -float(np.hypot(*np.diff(line, axis=0).T).sum()))
    return [[(float(x), float(y)) for x, y in simplified(line, SLACK)] for line in placed]


def signs(heights: Numbers, box: Box, cells: bool, gap: float) -> list[list[Point]]:
    """A plus or a minus at places that lie at least `gap` apart, where the height is far from the middle.

    Each place always has its two strokes, so that the player can move them.
    """
    across, up = (_apart(count, side, cells, gap) for count, side in
                  zip(heights.shape[::-1], (box.width, box.height), strict=True))  # fmt: skip
    spots = np.array([(column, row) for row in up for column in across], dtype=int).reshape(-1, 2)
    shares = np.nan_to_num(heights[spots[:, 1], spots[:, 0]] - 0.5)
    places = _placed(spots + (0.5 if cells else 0.0), heights, box, cells)
    ways = np.where(abs(shares) >= STRONG, np.sign(shares), 0)
    return [stroke for (x, y), way in zip(places.tolist(), ways.tolist(), strict=True) for stroke in sign((x, y), way)]


def _apart(count: int, side: float, cells: bool, gap: float) -> list[int]:
    """The indices along a side of a grid at which signs stand: evenly spread, and not at the edge."""
    unit = max(side, 1) / (count if cells else count - 1)
    stride, margin = math.ceil(gap / unit), 0 if cells else math.ceil(MARGIN / unit)
    room = count - 1 - 2 * margin
    first = margin + room % stride // 2
    return [*range(first, count - margin, stride)]


def _placed(line: Numbers, values: Numbers, box: Box, cells: bool) -> Numbers:
    """Columns and rows to places on the stage: the first row is the lowest."""
    rows, columns = values.shape if cells else np.array(values.shape) - 1
    return np.stack([box.x + line[:, 0] / columns * box.width, box.bottom - line[:, 1] / rows * box.height], axis=-1)


def _ring(places: Numbers) -> list[Point]:
    """A ring, simplified and rounded; empty where it is too small to be seen."""
    far = int(np.hypot(*(places - places[0]).T).argmax())
    first, second = simplified(places[: far + 1], SLACK), simplified(places[far:], SLACK)
    ring = np.rint(2 * np.concatenate([first[:-1], second[:-1]])) / 2
    x, y = ring.T
    seen = abs(np.dot(x, np.roll(y, 1)) - np.dot(y, np.roll(x, 1))) / 2 > SLACK
    return [(float(x), float(y)) for x, y in ring] if seen else []
