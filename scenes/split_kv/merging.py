"""The merge: each part's output, as large as its weight, what they come to, and what their mean would be."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from math import sqrt

import numpy as np

from loom.draw import Axis, Box, Mark, Pen, Plot, dodge, fixed, memoized, percent
from loom.scene import Moment

from .model import EXACT, TOY_KEYS, VALUES, Case

LARGEST = 15  # units: the radius of a part that has all the weight


def draw_merge(pen: Pen, box: Box, moment: Moment) -> Iterator[Mark]:
    """First the outputs, then their weights, then where they meet."""
    yield from draw_parts(pen, box, moment.result, 3 if moment.phase != "merge" else moment.beat + 1)


@memoized
def draw_parts(pen: Pen, box: Box, case: Case, shown: int) -> Iterator[Mark]:
    """The outputs, with 2 their weights, with 3 what they come to."""
    plot = Plot(pen, box, Axis("parts", span=(0, case.splits)),
                Axis("output", span=(float(VALUES.min()), float(VALUES.max()))), "merge")  # fmt: skip
    yield pen.text("merge-title", box.x, box.y - pen.pick(8, 12), "outputs of the parts, by weight", "note")
    yield pen.line("merge-floor", box.x, box.bottom, box.right, box.bottom, "axis")
    if shown > 2:
        yield from draw_ends(pen, plot, case)
    for at, ((_, one), weight, told) in enumerate(zip(case.parts, case.merged[0].tolist(), reads(case), strict=True)):
        radius = max(LARGEST * sqrt(weight), 1.5) if shown > 1 else 3.0
        yield pen.circle(f"part-{at}", *plot.at(at + 0.5, one), radius, "work soft", read=told)


@lru_cache(maxsize=1)  # the steps of a case share it, at either width
def reads(case: Case) -> list[str]:
    """What is read off each part."""
    cuts = np.array_split(np.arange(TOY_KEYS), case.splits)
    return [
        f"keys {cut[0]}–{cut[-1]}: log-sum-exp {fixed(total)}, output {fixed(one)}, weight {percent(100 * weight)}"
        for cut, (total, one), weight in zip(cuts, case.parts, case.merged[0].tolist(), strict=True)
    ]


def draw_ends(pen: Pen, plot: Plot, case: Case) -> Iterator[Mark]:
    """The merged output and the plain mean of the parts' outputs, as lines across."""
    box, output = plot.box, case.merged[2]
    heights = [plot.at(0, value)[1] for value in (output, case.mean)]
    words = f"merged {fixed(output, 3)}", f"mean {fixed(case.mean, 3)}"
    roles, reads = ("work", "dropped"), (f"unsplit: {fixed(EXACT, 3)}", "no weights: wrong")
    places = dodge(heights, 1.3 * pen.size, box.y, box.bottom)
    for at, (y, text, role, read, place) in enumerate(zip(heights, words, roles, reads, places, strict=True)):
        yield pen.line(f"end-{at}", box.x, y, box.right, y, f"{role} dashed" if at else role, read=read)
        yield pen.text(f"end-{at}-words", box.right + 6, place, text, f"{role} strong", middle=True)
