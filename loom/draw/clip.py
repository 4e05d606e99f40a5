"""Clipping: lines and shapes are cut at the edge of a box; no point is moved to the edge."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise

from loom.draw.box import Box
from loom.draw.marks import Point


def contains(box: Box, x: float, y: float) -> bool:
    """Whether a place lies in the box or on its edge."""
    return box.x <= x <= box.right and box.y <= y <= box.bottom


def cut_line(points: Sequence[Point], box: Box) -> list[list[Point]]:
    """The pieces of a line that lie within a box."""
    if _within(points, box):
        return [list(points)]
    pieces: list[list[Point]] = []
    for start, end in pairwise(points):
        part = _part(start, end, box)
        if part is None:
            continue
        if pieces and pieces[-1][-1] == part[0] == start:
            pieces[-1].append(part[1])
        else:
            pieces.append([*part])
    return pieces


def cut_shape(points: Sequence[Point], box: Box) -> list[Point]:
    """The part of a closed shape that lies within a box, by Sutherland and Hodgman: one edge after the other."""
    if _within(points, box):
        return list(points)
    found = list(points)
    for axis, edge, sign in ((0, box.x, 1), (0, box.right, -1), (1, box.y, 1), (1, box.bottom, -1)):
        found = [*_kept_side(found, axis, edge, sign)]
    return found


def _within(points: Sequence[Point], box: Box) -> bool:
    """Whether nothing needs cutting. Points that are not finite are kept: the mark is refused later."""
    known = all(math.isfinite(number) for point in points for number in point)
    return not known or all(contains(box, x, y) for x, y in points)


def _part(start: Point, end: Point, box: Box) -> tuple[Point, Point] | None:
    """The part of a segment within a box, by Liang and Barsky: the parameters at which it enters and leaves."""
    enter, leave = 0.0, 1.0
    (x, y), across, down = start, end[0] - start[0], end[1] - start[1]
    for step, room in ((-across, x - box.x), (across, box.right - x), (-down, y - box.y), (down, box.bottom - y)):
        if step == 0 and room < 0:
            return None
        if step < 0:
            enter = max(enter, room / step)
        elif step > 0:
            leave = min(leave, room / step)
    if enter >= leave:  # a segment that only touches the edge would be drawn as a dot
        return None
    first = start if enter == 0 else (x + enter * across, y + enter * down)
    return first, end if leave == 1 else (x + leave * across, y + leave * down)


def _kept_side(points: Sequence[Point], axis: int, edge: float, sign: int) -> Iterator[Point]:
    """The points of a closed shape after clipping it at one edge."""
    inside: Callable[[Point], bool] = lambda point: sign * (point[axis] - edge) >= 0  # noqa: E731
    for before, here in zip([*points[-1:], *points[:-1]], points, strict=True):
        if inside(before) != inside(here):
            share = (edge - before[axis]) / (here[axis] - before[axis])
            yield before[0] + share * (here[0] - before[0]), before[1] + share * (here[1] - before[1])
        if inside(here):
            yield here
