"""Places for the names of kernels: under all roofs, off every line, and apart from each other.

Boxes are arrays of shape (n, 4): left, top, right and bottom.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from .model import Chosen
from .narration import short
from .stage import Point, Stage, roofs_of

STEP, MOST = 4.0, 45  # how finely and how far down a place is looked for
AIR = 3.0

Floats, Flags = NDArray[np.float64], NDArray[np.bool_]


class Label(NamedTuple):
    """A name that hangs from a dot by a thread."""

    dot: Point
    x: float
    base: float
    anchor: str


def places(stage: Stage, chosen: Chosen) -> dict[str, Label]:
    """A place for each kernel's name but copy's: the chosen one's first, then from right to left."""
    dots = {kernel: stage.dot(case) for kernel, case in chosen.cases.items() if kernel != "copy"}
    order = sorted(dots, key=lambda kernel: (kernel != chosen.kernel, -dots[kernel][0]))
    found = [_candidates(stage, dots[kernel], short(kernel), kernel == chosen.kernel) for kernel in order]
    owner, boxes = np.repeat(range(len(order)), [len(one) for one in found]), np.concatenate(found)
    own = np.array([dots[kernel] for kernel in order])[owner]
    free = _free(stage, chosen, boxes, own, np.array(list(dots.values())))
    if chosen.kernel in dots:
        x, y = dots[chosen.kernel]
        free &= (owner == 0) | ~_crossing(np.array([[x, y, np.inf]]), boxes)[0]
    owner, boxes, own = owner[free], boxes[free], own[free]
    bases = boxes[:, 1] + 0.8 * stage.size
    across = _crossing(np.column_stack([own, bases]), boxes)
    agreed = _agree(owner, _touching(boxes, boxes) | across | across.T, np.ones(len(owner), bool), len(order))
    if agreed is None:
        raise ValueError(f"no room for the names of all kernels at {stage.width:g} ({chosen})")
    labels = {}
    for kernel, at in zip(order, agreed, strict=True):
        x, _ = dots[kernel]
        edge, anchor = (x + 5, "start") if boxes[at, 0] > x else (x - 5, "end")
        labels[kernel] = Label(dots[kernel], edge, float(bases[at]), anchor)
    return labels


def _candidates(stage: Stage, dot: Point, name: str, strong: bool) -> Floats:
    """Right and left of the thread, lower and lower, within the plot and its margin."""
    (x, y), room = dot, stage.room(name, strong=strong)
    tops = y + 4 + STEP * np.arange(MOST)
    tops = tops[tops + stage.size <= stage.plot.bottom - 2]
    lefts = [left for left in (x + 5, x - 5 - room) if stage.plot.x + 2 <= left and left + room <= stage.right]
    left, top = np.tile(lefts, len(tops)), np.repeat(tops, len(lefts))
    return np.column_stack([left, top, left + room, top + stage.size])


def _free(stage: Stage, chosen: Chosen, boxes: Floats, own: Floats, dots: Floats) -> Flags:
    """Which boxes are off all roofs, ridges, dots but their own, and names of GPUs."""
    roofs = roofs_of(stage, chosen.precision).values()
    names = np.array(list(stage.gpu_names(chosen.precision).values()))
    half, left = stage.size / 2, np.full(len(names), stage.margin)
    ends = np.column_stack([left, names - half, left + 40, names + half])
    points = np.concatenate([dots, [ridge for _, ridge, _ in roofs]])
    other = (points != own[:, None]).any(axis=2)
    taken = _touching(boxes, ends).any(axis=1)
    taken |= (_touching(boxes, np.column_stack([points - 4, points + 4])) & other).any(axis=1)
    for roof in roofs:  # it never falls from left to right: over a box it lies between its two ends
        taken |= (_height(roof, boxes[:, 0]) > boxes[:, 1] - 1) & (_height(roof, boxes[:, 2]) < boxes[:, 3] + 1)
    return ~taken


def _height(roof: list[Point], x: Floats) -> Floats:
    """How high on the stage a roof is over `x`: it rises in a straight line, then is level."""
    (left, low), (ridge, top), _ = roof
    return np.where(x >= ridge, top, low + (top - low) * (x - left) / (ridge - left))


def _touching(one: Floats, other: Floats) -> Flags:
    """Which boxes come closer to which others than a little air, shape (n, m)."""
    (left, top, right, bottom), others = one.T[:, :, None], other.T
    across = (left < others[2] + AIR) & (others[0] < right + AIR)
    return across & (top < others[3] + 1) & (others[1] < bottom + 1)


def _crossing(threads: Floats, boxes: Floats) -> Flags:
    """Which threads, at x from y down to a base, run through which boxes, shape (n, m)."""
    (x, y, base), (left, top, right, bottom) = threads.T[:, :, None], boxes.T
    return (left - AIR < x) & (x < right + AIR) & (y < bottom) & (base > top)


def _agree(owner: NDArray[np.int64], meets: Flags, allowed: Flags, names: int, name: int = 0) -> list[int] | None:
    """The first choice of a place for each name from this one on in which no two meet; None if there is none."""
    if name == names:
        return []
    for label in np.flatnonzero(allowed & (owner == name)).tolist():
        left = allowed & ~meets[label]
        if np.bincount(owner[left], minlength=names)[name + 1 :].all():
            rest = _agree(owner, meets, left, names, name + 1)
            if rest is not None:
                return [label, *rest]
    return None
