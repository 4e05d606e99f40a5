"""Contours of a grid of numbers, by marching squares: open lines, and closed rings around areas."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

Numbers = NDArray[np.float64]
Mask = NDArray[np.bool_]
OUTSIDE = -1e9  # lower than any number: the padding around a grid, and the places without a number
# For each case of marching squares, the sides that a line crosses, from one to the other, higher ground on its right.
# A case is the sum of the corners that reach the height: 1 top left, 2 top right, 4 bottom right, 8 bottom left.
# 5 and 10 are saddles.
TOP, RIGHT, BOTTOM, LEFT = range(4)
CROSSED = {
    1: [(TOP, LEFT)], 2: [(RIGHT, TOP)], 3: [(RIGHT, LEFT)], 4: [(BOTTOM, RIGHT)], 6: [(BOTTOM, TOP)],
    7: [(BOTTOM, LEFT)], 8: [(LEFT, BOTTOM)], 9: [(TOP, BOTTOM)], 11: [(RIGHT, BOTTOM)], 12: [(LEFT, RIGHT)],
    13: [(TOP, RIGHT)], 14: [(LEFT, TOP)],
}  # fmt: skip
# Saddles: apart where the mean of the corners lies below the height, joined where it reaches it.
APART = {5: [(TOP, LEFT), (BOTTOM, RIGHT)], 10: [(RIGHT, TOP), (LEFT, BOTTOM)]}
JOINED = {5: [(TOP, RIGHT), (BOTTOM, LEFT)], 10: [(LEFT, TOP), (RIGHT, BOTTOM)]}


def rings(values: Numbers, height: float) -> list[Numbers]:
    """Closed lines around the areas that reach `height`, each as columns and rows; holes run the other way.

    Between two numbers the height is interpolated linearly. NaN stands for a missing number.
    """
    padded = np.pad(np.where(np.isnan(values), OUTSIDE, values), 1, constant_values=OUTSIDE)
    most = np.array(values.shape)[::-1] - 1
    return [np.clip(line - 1, 0, most) for line in crossings(padded, height)]


def cell_rings(mask: Mask) -> list[Numbers]:
    """Closed lines round the cells of a grid that are chosen, along their sides: cell (0, 0) is from 0 to 1."""
    inside = np.pad(mask, 1)
    wide = mask.shape[1] + 1  # corners in a row
    after: dict[int, list[int]] = {}
    sides = (  # the sides between a chosen cell and one that is not: start and end corner, the chosen cell on the right
        (inside[:-1, 1:-1] < inside[1:, 1:-1], 0, 1),
        (inside[:-1, 1:-1] > inside[1:, 1:-1], 1, 0),
        (inside[1:-1, :-1] > inside[1:-1, 1:], 0, wide),
        (inside[1:-1, :-1] < inside[1:-1, 1:], wide, 0),
    )
    for side, start, end in sides:
        for row, column in np.argwhere(side).tolist():
            corner = row * wide + column
            after.setdefault(corner + start, []).append(corner + end)
    return [_turns(np.array([(at % wide, at // wide) for at in chain], dtype=float)) for chain in _chains(after)]


def simplified(line: Numbers, slack: float) -> Numbers:
    """A line without the points that deviate from it by no more than `slack`, by Douglas and Peucker."""
    kept = np.zeros(len(line), dtype=bool)
    kept[[0, -1]] = True
    todo = [(0, len(line) - 1)]
    while todo:
        first, last = todo.pop()
        if last - first < 2:
            continue
        inner, way = line[first + 1 : last] - line[first], line[last] - line[first]
        share = np.clip(inner @ way / max(float(way @ way), 1e-300), 0, 1)
        away = np.hypot(*(inner - share[:, None] * way).T)
        farthest = int(away.argmax())
        if away[farthest] > slack:
            middle = first + 1 + farthest
            kept[middle] = True
            todo += [(first, middle), (middle, last)]
    return line[kept]


def crossings(values: Numbers, height: float) -> list[Numbers]:
    """Lines along which a grid has a height, each as columns and rows; closed ones end where they begin.

    A line also ends where the grid has no number.
    """
    rows, columns = values.shape
    high = values >= height
    kinds = high[:-1, :-1] + 2 * high[:-1, 1:] + 4 * high[1:, 1:] + 8 * high[1:, :-1]
    sums = values[:-1, :-1] + values[:-1, 1:] + values[1:, 1:] + values[1:, :-1]
    kinds, middles = np.where(np.isnan(sums), 0, kinds), sums / 4 >= height
    vertical = rows * columns  # crossings are numbered: those on rows first, then those on columns
    offsets = {TOP: 0, BOTTOM: columns, LEFT: vertical, RIGHT: vertical + 1}
    starts, ends = [], []
    corners = np.arange(rows * columns).reshape(rows, columns)[:-1, :-1]
    for kind in range(1, 15):
        for way, chosen in _ways(kind, kinds == kind, middles):
            for start, end in way:
                starts += (corners[chosen] + offsets[start]).tolist()
                ends += (corners[chosen] + offsets[end]).tolist()
    if not starts:
        return []
    after = {start: [end] for start, end in zip(starts, ends, strict=True)}
    places = _places(values, height)
    return [places[chain] for chain in _chains(after)]


def _ways(kind: int, squares: Mask, middles: Mask) -> list[tuple[list[tuple[int, int]], Mask]]:
    """The lines of one case, and the squares in which they are drawn; a saddle gives two such pairs."""
    if kind in CROSSED:
        return [(CROSSED[kind], squares)]
    return [(JOINED[kind], squares & middles), (APART[kind], squares & ~middles)]


def _places(values: Numbers, height: float) -> Numbers:
    """The place of every possible crossing as column and row; only the actual ones are used."""
    rows, columns = values.shape
    along, down = np.zeros((rows, columns)), np.zeros((rows, columns))
    with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
        along[:, :-1] = (height - values[:, :-1]) / (values[:, 1:] - values[:, :-1])
        down[:-1] = (height - values[:-1]) / (values[1:] - values[:-1])
    across, below = np.meshgrid(np.arange(columns), np.arange(rows))
    on_rows = np.stack([across + along, below.astype(float)], axis=-1)
    on_columns = np.stack([across.astype(float), below + down], axis=-1)
    return np.concatenate([on_rows.reshape(-1, 2), on_columns.reshape(-1, 2)])


def _chains(after: dict[int, list[int]]) -> Iterator[list[int]]:
    """Single steps joined into chains: first those that have a start, then the closed ones."""
    ends = {end for following in after.values() for end in following}
    starts = [start for start in after if start not in ends]
    for first in [*starts, *after]:
        while after.get(first):
            chain = [first]
            while after.get(chain[-1]):
                chain.append(after[chain[-1]].pop())
                if chain[-1] == first:
                    break
            yield chain


def _turns(line: Numbers) -> Numbers:
    """A closed line along the sides of cells, by its corners alone."""
    steps = np.diff(line, axis=0)
    before = np.roll(steps, 1, axis=0)
    corners = line[:-1][(steps != before).any(axis=1)]
    return np.concatenate([corners, corners[:1]])
