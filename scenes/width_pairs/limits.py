"""What a pair gains in bytes alone, and in products alone: the two limits between which its curve will lie."""

from __future__ import annotations

import math
from collections.abc import Iterator
from functools import cache

import numpy as np

from loom.draw import Box, Mark, dodge

from .measured import ROWS
from .model import BATCHES, GPUS, PAIRS, Case
from .narration import times
from .plot import rail_of
from .stage import Point, Stage
from .story import View

KINDS = {"move": ("memory_time", "memory"), "multiply": ("arithmetic_time", "work")}  # and their colours


def gain(case: Case, kind: str, until: float = math.inf) -> float:
    """How many times a pair's time to move, or to multiply, goes into that of W16A16, as far as that has grown [1]."""
    usual = Case(case.gpu, PAIRS["W16A16"], case.batch)
    whole, own = (getattr(one, KINDS[kind][0]) for one in (usual, case))
    return min(until, whole) / own


@cache
def limit(stage: Stage, gpu: str, pair: str, kind: str) -> list[Point]:
    """The gain in one of the two, for every batch: that in products is always the same."""
    batches = np.geomspace(1, ROWS, 9 if kind == "move" else 2)
    places = [stage.plot.at(batch, gain(Case(GPUS[gpu], PAIRS[pair], batch), kind)) for batch in batches]
    return [(round(x), y) for x, y in places]  # whole units, which are short to write


def columns(stage: Stage, now: View) -> Iterator[Mark]:
    """The gains at the chosen batch, which grow as the longest bar outgrows the chosen one; then there is the dot."""
    case, pen = now.bound, stage
    x = rail_of(stage, case.gpu.name, case.pair.name)[BATCHES.index(case.batch)][0]
    wide = pen.pick(6, 9)
    for place, (kind, until) in enumerate((("move", now.moved), ("multiply", now.multiplied))):
        if now.racing == "move" and kind == "multiply":
            return
        grown, role = gain(case, kind, until), KINDS[kind][1]
        top = stage.plot.at(case.batch, grown)[1]
        told = f"{kind} alone: {times(gain(case, kind))} as fast as W16A16"
        box = Box(x + (place - 1) * wide, top, wide - 1, max(stage.box.bottom - top, 0.5))
        yield stage.rect(f"gain-{kind}", box, f"{role} steady", round=0, read=told)


def limits(stage: Stage, now: View, named: bool) -> Iterator[Mark]:
    """The gain in bytes alone for every batch once they have moved, and that in products once they have multiplied."""
    case, ends = now.bound, {}
    for kind, until in (("move", now.moved), ("multiply", now.multiplied)):
        if until == math.inf:
            points = limit(stage, case.gpu.name, case.pair.name, kind)
            ends[kind] = points[-1][1]
            yield stage.path(f"limit-{kind}", points, f"{KINDS[kind][1]} dashed")
    heights = dodge([*ends.values()], 1.2 * stage.size, stage.box.y, stage.box.bottom)
    for y, kind in zip(heights, ends if named else (), strict=False):  # always in one order: variants share files
        yield stage.text(f"limit-{kind}-name", stage.box.right + 8, y, kind, KINDS[kind][1], middle=True)
