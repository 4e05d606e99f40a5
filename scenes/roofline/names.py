"""Names beside dots and rings, where no line, dot or word is."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise

import numpy as np

from loom.draw import Mark, bounds

from .model import Chosen
from .stage import Stage

# What stands at a kernel's dot, the most telling first: where there is no room, a dot says its name when pointed at.
NAMES = {
    "gemv": "decode, gemv", "elementwise": "add", "prefill": "prefill", "gemm-4096": "4,096²", "gemm-512": "512²",
    "gemm-1024": "1,024²", "copy": "copy",
}  # fmt: skip
GLOW = 8  # units around a knob
APART = 3  # units between sides of products, which would be read as one number
Bounds = tuple[float, float, float, float]
Place = tuple[float, float, str]  # where words begin, end, or have their middle; their baseline; and which of these


def taken(marks: Iterable[Mark], slope: Sequence[tuple[float, float]]) -> list[Bounds]:
    """What names keep clear of: words, dots, lines other than the grid's, and the roof's slope, in short pieces."""
    found = []
    for mark in marks:
        left, top, right, bottom = bounds(mark)
        if mark.tag == "circle":
            rim = GLOW if mark.role == "grip" else 1
            found.append((left - rim, top - rim, right + rim, bottom + rim))
        elif mark.key != "slope" and not mark.role.startswith("grid"):
            found.append((left - 1, top, right + 1, bottom))
    for here, there in pairwise(slope):
        steps = round((there[0] - here[0]) / 4) + 2  # pieces of 4 units
        found += [(x - 2, y - 2, x + 2, y + 2) for x, y in np.linspace(here, there, steps).tolist()]
    return found


def beside(mark: Mark, places: Iterable[Place], clear_of: list[Bounds]) -> Iterator[Mark]:
    """A text at the first place where it is clear of all, if there is one; it is taken from then on."""
    for x, y, anchor in places:
        moved = mark._replace(shape={**mark.shape, "x": x, "y": y}, role=f"{mark.role} {anchor}".strip())
        left, top, right, bottom = bounds(moved)
        if left >= 0 and all(
            right <= one[0] or one[2] <= left or bottom - 1 <= one[1] or one[3] <= top + 1 for one in clear_of
        ):
            clear_of.append((left, top, right, bottom))
            yield moved
            return


def draw_names(stage: Stage, chosen: Chosen, clear_of: list[Bounds]) -> Iterator[Mark]:
    """The kernels' names; of products, the side of their matrices."""
    for kernel, words in NAMES.items():
        mark = stage.text(f"name-{kernel}", 0, 0, words, "note")
        for named in beside(mark, places(stage, chosen, kernel), clear_of):
            left, top, right, bottom = bounds(named)
            clear_of[-1] = (left - APART, top, right + APART, bottom)
            yield named


def places(stage: Stage, chosen: Chosen, kernel: str) -> Iterator[Place]:
    """Where a kernel's name may stand: under the slope, over it, and on either side of the ceiling."""
    one, size, apart = chosen.cases[kernel], stage.size, stage.pick(8, 10)
    x, y = stage.dot(one)
    if one.intensity < one.ridge:
        for right in (x + apart, x + apart + GLOW):
            yield right, min(y + 1.3 * size, stage.plot.bottom - 4), ""
        yield x - apart, y - 0.5 * size, "end"
        yield x + apart + GLOW, min(y + 2.4 * size, stage.plot.bottom - 4), ""
        yield x - apart, y - 1.5 * size, "end"
        return
    under, over, product = y + 1.5 * size, (y - 0.7 * size, y - 0.9 * size), kernel.startswith("gemm")
    left, right = ((x + 4, "end"), (x - 5, "end")), ((x - 4, ""), (x + 5, ""))
    for base in (*over, under) if product else (under, *over):
        # The dot of attention and that of a large product to its right are close to each other.
        for at, anchor in (*right, (x, "middle"), *left) if product else (*left, *right, (x, "middle")):
            yield at, base, anchor
