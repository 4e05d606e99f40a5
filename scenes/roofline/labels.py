"""Places for the names of kernels: under all roofs, off every line, and apart from each other."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

from loom.draw import Box, Pen

from .kernels import KERNELS
from .machines import GPUS
from .model import case
from .moments import State
from .stage import Point, Stage, height_at
from .words import short

STEP, MOST = 4.0, 45  # how finely and how far down a place is looked for
AIR = 3.0


@dataclass(frozen=True)
class Label:
    """A name that hangs from a dot by a thread."""

    dot: Point
    x: float
    base: float
    anchor: str
    box: Box


@dataclass(frozen=True)
class Crowd:
    """What a name keeps clear of."""

    roofs: tuple[list[Point], ...]
    boxes: tuple[Box, ...]  # dots, ridges, and the names of the GPUs
    wall: Point | None  # the line from the axis to the chosen dot


@lru_cache(maxsize=1024)
def places(width: float, name: str, precision: str, kernel: str) -> dict[str, Label]:
    """A place for each kernel's name but copy's: the chosen one's first, then from right to left."""
    stage, state = Stage(Pen(width)), State(name, precision, kernel, 0)
    dots = {one: stage.dot(case(name, precision, one)) for one in KERNELS if one != "copy"}
    roofs = tuple(stage.roof(state, one) for one in GPUS)
    free: dict[str, list[Label]] = {}
    for one in sorted(dots, key=lambda one: (one != kernel, -dots[one][0])):
        others = [place for place in (*dots.values(), *(roof[1] for roof in roofs)) if place != dots[one]]
        boxes = (*(Box(x - 4, y - 4, 8, 8) for x, y in others), *stage.gpu_boxes(state))
        crowd = Crowd(roofs, boxes, None if one == kernel else dots.get(kernel))
        wanted = _candidates(stage, one, dots[one], one == kernel)
        free[one] = [label for label in wanted if _is_free(label, crowd)]
    found = _agree(list(free.values()))
    if found is None:
        raise ValueError(f"no room for the names of all kernels at {width:g} ({name}, {precision}, {kernel})")
    return dict(zip(free, found, strict=True))


def _agree(free: list[list[Label]]) -> list[Label] | None:
    """The first choice of a place for each name in which no two meet; None if there is none."""
    if not free:
        return []
    if not all(free):
        return None
    for label in free[0]:
        rest = _agree([[one for one in labels if not _meet(one, label)] for labels in free[1:]])
        if rest is not None:
            return [label, *rest]
    return None


def _meet(one: Label, other: Label) -> bool:
    return touch(one.box, other.box) or crosses(one, other.box) or crosses(other, one.box)


def _candidates(stage: Stage, kernel: str, dot: Point, strong: bool) -> Iterator[Label]:
    """Right and left of the thread, lower and lower, within the plot and its margin."""
    pen, (x, y) = stage.pen, dot
    room = pen.room(short(kernel), strong=strong)
    for down in range(MOST):
        top = y + 4 + down * STEP
        if top + pen.size > stage.plot.box.bottom - 2:
            return
        for anchor, left in (("start", x + 5), ("end", x - 5 - room)):
            if stage.plot.box.x + 2 <= left and left + room <= stage.right:
                edge = left if anchor == "start" else left + room
                yield Label(dot, edge, top + 0.8 * pen.size, anchor, Box(left, top, room, pen.size))


def _is_free(label: Label, crowd: Crowd) -> bool:
    """Whether a name is off all lines, dots and other words."""
    box = label.box
    if any(meets_roof(box, roof) for roof in crowd.roofs) or any(touch(box, other) for other in crowd.boxes):
        return False
    if not crowd.wall:
        return True
    x, y = crowd.wall
    return not (box.x - AIR < x < box.right + AIR and box.bottom > y)


def meets_roof(box: Box, roof: list[Point]) -> bool:
    """A roof never falls from left to right: over the box's width it lies between its two ends."""
    return height_at(roof, box.x) > box.y - 1 and height_at(roof, box.right) < box.bottom + 1


def touch(one: Box, other: Box) -> bool:
    """Whether two boxes come closer than a little air."""
    across = one.x < other.right + AIR and other.x < one.right + AIR
    return across and one.y < other.bottom + 1 and other.y < one.bottom + 1


def crosses(label: Label, box: Box) -> bool:
    """Whether the thread of a label runs through a box."""
    x, y = label.dot
    return box.x - AIR < x < box.right + AIR and y < box.bottom and label.base > box.y
