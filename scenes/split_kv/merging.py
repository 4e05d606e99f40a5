"""The merge: a bar for each part, as tall as its output and as wide as its weight, and the level that they come to."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from itertools import accumulate

import numpy as np

from loom.draw import Axis, Box, Mark, Pen, Plot, dodge, fixed, memoized, percent, tidy
from loom.scene import Moment

from .model import EXACT, TOY_KEYS, VALUES, Case

TITLES = {1: "outputs of a toy’s parts", 2: "outputs, as wide as their weights"}


def draw_merge(pen: Pen, box: Box, moment: Moment) -> Iterator[Mark]:
    """First the outputs, then their weights, then the level of what they fill."""
    yield from draw_parts(pen, box, moment.result, 3 if moment.phase != "merge" else moment.beat + 1)


@memoized
def draw_parts(pen: Pen, box: Box, case: Case, shown: int) -> Iterator[Mark]:
    """The outputs and their mean, with 2 their weights, with 3 what they come to."""
    plot = Plot(pen, box, Axis("parts", span=(0, 1)), Axis("output", span=(0, float(VALUES.max()))), "merge")
    title = min(shown, 2)
    yield pen.text(f"merge-title-{title}", box.x, box.y - pen.pick(8, 12), TITLES[title], "note")
    yield pen.line("merge-floor", box.x, box.bottom, box.right, box.bottom, "axis")
    weights = case.merged[0].tolist() if shown > 1 else [1 / case.splits] * case.splits
    starts = accumulate(weights, initial=0.0)
    for at, ((_, one), start, weight, told) in enumerate(zip(case.parts, starts, weights, reads(case), strict=False)):
        (x, y), wide = plot.at(start, one), weight * box.width
        place = Box(tidy(x), round(y), tidy(max(wide - 1, 0.5)), box.bottom - round(y))
        yield pen.rect(f"part-{at}", place, "work soft", round=0, read=told if shown > 1 else "")
    yield from draw_ends(pen, plot, case, merged=shown > 2)


@lru_cache(maxsize=1)  # the steps of a case share it, at either width
def reads(case: Case) -> list[str]:
    """What is read off each part."""
    cuts = np.array_split(np.arange(TOY_KEYS), case.splits)
    return [
        f"keys {cut[0]}–{cut[-1]}: log-sum-exp {fixed(total, 1)}, output {fixed(one, 1)}, weight {percent(share)}"
        for cut, (total, one), share in zip(cuts, case.parts, (100 * case.merged[0]).tolist(), strict=True)
    ]


def draw_ends(pen: Pen, plot: Plot, case: Case, *, merged: bool) -> Iterator[Mark]:
    """The level of bars of one width, which is the plain mean; once they are merged, that of the weighed ones."""
    box, output = plot.box, case.merged[2]
    heights = [plot.at(0, value)[1] for value in (output, case.mean)]
    words = f"merged {fixed(output, 3)}", f"mean {fixed(case.mean, 3)}"
    roles, reads = ("work", "dropped"), (f"unsplit: {fixed(EXACT, 3)}", "no weights: wrong")
    places = dodge(heights, 1.3 * pen.size, box.y, box.bottom)
    for at, (y, text, role, read, place) in enumerate(zip(heights, words, roles, reads, places, strict=True)):
        if at or merged:
            yield pen.line(f"end-{at}", box.x, y, box.right, y, f"{role} dashed" if at else role, read=read)
            yield pen.text(f"end-{at}-words", box.right + 6, place, text, f"{role} strong", middle=True)
