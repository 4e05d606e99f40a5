"""The merge: a bar for each part, as tall as its output and as wide as its weight, and the level that they come to."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from itertools import accumulate

import numpy as np

from loom.draw import Axis, Box, Mark, Pen, Plot, dodge, fixed, memoized, percent, tidy
from loom.scene import Moment

from .model import EXACT, TOY_KEYS, VALUES, Case

TITLES = (f"output of a toy’s {TOY_KEYS} keys", "outputs of a toy’s parts", "outputs, as wide as their weights")
WHOLE, PARTS, MEAN, WEIGHED, MERGED = range(5)  # what is shown


def draw_merge(pen: Pen, box: Box, moment: Moment) -> Iterator[Mark]:
    """First the whole, then the outputs of its parts, their weights, and the level of what they fill."""
    yield from draw_parts(pen, box, moment.result, shown(moment))


def shown(moment: Moment) -> int:
    """How far the toy has come."""
    if moment.result.splits == 1 or moment.past("split") < 1:
        return WHOLE
    if moment.phase == "split":
        return PARTS
    return min(MEAN + moment.beat, MERGED) if moment.phase == "merge" else MERGED


@memoized
def draw_parts(pen: Pen, box: Box, case: Case, stage: int) -> Iterator[Mark]:
    """The unsplit output; then the parts' outputs and their mean, their weights, and what they come to."""
    plot = Plot(pen, box, Axis("parts", span=(0, 1)), Axis("output", span=(0, float(VALUES.max()))), "merge")
    title = 0 if stage == WHOLE else 2 if stage >= WEIGHED else 1
    yield pen.text(f"merge-title-{title}", box.x, box.y - pen.pick(8, 12), TITLES[title], "note")
    yield pen.line("merge-floor", box.x, box.bottom, box.right, box.bottom, "axis")
    if stage == WHOLE:
        _, y = plot.at(0, EXACT)
        yield pen.rect("whole", Box(box.x, y, box.width, box.bottom - y), "work soft", round=0)
    else:
        yield from draw_bars(plot, case, weighed=stage >= WEIGHED)
    yield from draw_ends(pen, plot, case, stage)


def draw_bars(plot: Plot, case: Case, *, weighed: bool) -> Iterator[Mark]:
    """A bar for each part, as tall as its output, all of one width or as wide as their weights."""
    pen, box = plot.pen, plot.box
    weights = case.merged[0].tolist() if weighed else [1 / case.splits] * case.splits
    starts = accumulate(weights, initial=0.0)
    for at, ((_, one), start, weight, told) in enumerate(zip(case.parts, starts, weights, reads(case), strict=False)):
        (x, y), wide = plot.at(start, one), weight * box.width
        place = Box(tidy(x), round(y), tidy(max(wide - 1, 0.5)), box.bottom - round(y))
        yield pen.rect(f"part-{at}", place, "work soft", round=0, read=told if weighed else "")


@lru_cache(maxsize=1)  # the steps of a case share it, at either width
def reads(case: Case) -> list[str]:
    """What is read off each part."""
    cuts = np.array_split(np.arange(TOY_KEYS), case.splits)
    return [
        f"keys {cut[0]}–{cut[-1]}: log-sum-exp {fixed(total, 1)}, output {fixed(one, 1)}, weight {percent(share)}"
        for cut, (total, one), share in zip(cuts, case.parts, (100 * case.merged[0]).tolist(), strict=True)
    ]


def draw_ends(pen: Pen, plot: Plot, case: Case, stage: int) -> Iterator[Mark]:
    """The level of the unsplit output; that of bars of one width, which is the plain mean; that of the weighed ones."""
    box, output = plot.box, case.merged[2]
    heights = [plot.at(0, value)[1] for value in (output, case.mean)]
    first = f"merged {fixed(output, 3)}" if stage == MERGED else f"unsplit {fixed(EXACT, 3)}"
    words, roles = (first, f"mean {fixed(case.mean, 3)}"), ("work" if stage == MERGED else "ghost", "dropped dashed")
    reads = f"unsplit: {fixed(EXACT, 3)}", "no weights: wrong"
    places = dodge(heights, 1.3 * pen.size, box.y, box.bottom)
    for at, (y, text, role, read, place) in enumerate(zip(heights, words, roles, reads, places, strict=True)):
        if at == 0 or stage >= MEAN:
            tone = "note" if role == "ghost" else f"{role.split()[0]} strong"
            yield pen.line(f"end-{at}", box.x, y, box.right, y, role, read=read)
            yield pen.text(f"end-{at}-words", box.right + 6, place, text, tone, middle=True)
