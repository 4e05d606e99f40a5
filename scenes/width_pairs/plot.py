"""How many times as fast each pair of widths is over the batch, uncovered by a dot that goes through all batches."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache

import numpy as np

from loom.draw import Box, Mark, dodge, memoized, significant

from .._silicon.drawing import rings
from .measured import ROWS, dots
from .model import BATCHES, GPUS, PAIRS, Case, case_of
from .stage import Point, Stage, X, Y
from .story import View


@memoized
def axes(stage: Stage) -> Iterator[Mark]:
    """The scales."""
    box, size = stage.box, stage.size
    lines = []
    for tick in (1, 2, 4):
        y = stage.plot.at(1, tick)[1]
        lines.append([(box.x, y), (box.right, y)])
        yield stage.text(f"y{tick}", box.x - 6, y, f"{tick}×", "note", anchor="end", middle=True)
    for tick in (1, 64, 4096):
        x = stage.plot.at(tick, 0)[0]
        yield stage.text(f"x{tick}", x, box.bottom + 4 + size, significant(tick), "note", anchor="middle")
    yield stage.strokes("grid", lines, "grid")
    yield stage.line("base", box.x, box.bottom, box.right, box.bottom)
    yield stage.text("x-title", box.right, box.bottom + 8 + 2 * size, X.title, "note", anchor="end")
    yield stage.text("y-title", 0, box.y - stage.pick(7, 12), Y.title, "note")


@cache
def rail_of(stage: Stage, gpu: str, pair: str) -> list[Point]:
    """The place of a pair for every batch."""
    return [stage.at(case_of(gpu, pair, batch)) for batch in BATCHES]


@cache
def curve(stage: Stage, gpu: str, pair: str) -> list[Point]:
    """The same as a curve, whose corners are where memory stops being the limit, of the pair or of W16A16."""
    first, last = sorted(case_of(gpu, name, 1).knee for name in (pair, "W16A16"))
    between = np.geomspace(first, last, 5 if last > 1.3 * first else 2)
    batches = [1, 0.4 * first, *between, ROWS] if first < last else [1, ROWS]
    places = [stage.at(Case(GPUS[gpu], PAIRS[pair], batch)) for batch in batches]
    return [(round(x), y) for x, y in places]  # whole units, which are short to write


@memoized
def curves(stage: Stage, case: Case) -> Iterator[Mark]:
    """A curve for each pair with its name at its end, the chosen one on top."""
    ends = []
    for name in PAIRS:
        points = curve(stage, case.gpu.name, name)
        ends.append((points[-1][1], points[0][1], name))
        if name != case.pair.name:
            yield stage.path(f"ghost-{name}", points, "ghost")
    # Another mark than its ghost, which is painted under others: variants that differ in that can't share a file.
    chosen = curve(stage, case.gpu.name, case.pair.name)
    yield stage.path(f"chosen-{case.pair.name}", chosen, "work thick modelled")
    ends.sort()
    heights = dodge([y for y, *_ in ends], 1.2 * stage.size, stage.box.y, stage.box.bottom)
    for y, (*_, name) in zip(heights, ends, strict=True):
        role = "work strong" if name == case.pair.name else "label"
        yield stage.text(f"end-{name}", stage.box.right + 8, y, name, role, middle=True)


@memoized
def measured(stage: Stage, case: Case) -> Iterator[Mark]:
    """What a library reached in this format, and its name before the axis' own."""
    seen = dots(case)
    yield from rings(stage, stage.plot, "measured", seen)
    if seen:
        base = stage.box.bottom + 8 + 2 * stage.size
        yield stage.text("measured-words", 0, base, f"○ measured on an {case.gpu.name}", "note measured")


def cover(stage: Stage, now: View) -> Iterator[Mark]:
    """What hides the curves ahead of the dot."""
    if now.covered:
        x = rail_of(stage, now.bound.gpu.name, now.bound.pair.name)[BATCHES.index(now.covered)][0]
        box = stage.box
        yield stage.rect("future", Box(x, box.y, box.right + 5 - x, box.height), "cell steady", round=0)


def dot(stage: Stage, now: View) -> Iterator[Mark]:
    """The batch, dragged along the chosen curve; while the scene plays, it uncovers the curves as it passes."""
    box, rail = stage.box, rail_of(stage, now.bound.gpu.name, now.bound.pair.name)
    x, y = rail[BATCHES.index(now.bound.batch)]
    if now.rests:
        yield stage.line("down", x, y, x, box.bottom, "hot dashed")
        yield stage.knob("batch", x, y, "batch", rail, label="Rows of X")
        return
    yield stage.line("passing", x, box.y, x, box.bottom, "hot thin steady")
    yield stage.circle("probe", x, y, stage.pick(5, 6), "hot steady")
