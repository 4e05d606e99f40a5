"""The cycles that an H100 of ours took, by how much data a thread went through."""

from __future__ import annotations

import math
from functools import cache
from itertools import pairwise

from loom.scene import Value

from .._gpus.memory import GPUS, KB, MB
from .._silicon.results import Point, results
from .model import FAR, HBM, L1, NEAR, Level, levels_of

PART = "H100"
NAMES = {L1: "l1", NEAR: "near", FAR: "far", HBM: "hbm"}
STILL = 1.1  # how much longer a load may take that is yet found in the same memory


@cache
def staircase() -> dict[int, Point]:
    """The cycles for every working set [B] that was measured; nothing where nobody measured."""
    found = results("latency").get(PART)
    points = found.of("chase", "cycles").points if found else ()
    return {int(point.at["working_set"]): point for point in points}


def nearest(gpu: str, size: float) -> tuple[int, float] | None:
    """The measured size that is nearest by ratio, and its cycles."""
    if gpu != PART or not staircase():
        return None
    best = min(staircase(), key=lambda one: abs(math.log(one / size)))
    return best, staircase()[best].median


def cycles(level: Level, inner: float) -> float | None:
    """Those of the size in the middle, by ratio, of all that are found there and not in the level before."""
    found = nearest(PART, math.sqrt(inner * level.holds))
    return found[1] if found and level.name in NAMES else None


@cache
def by_level() -> dict[str, float]:
    """The cycles of every level."""
    levels = levels_of(GPUS[PART])
    found = {after.name: cycles(after, before.holds) for before, after in pairwise(levels)}
    return {name: one for name, one in found.items() if one is not None}


def reach(name: str) -> int:
    """The largest data that were still found there [B]."""
    return max(size for size, point in staircase().items() if point.median < STILL * by_level()[name])


def values() -> dict[str, Value]:
    """What prose quotes."""
    found = results("latency").get(PART)
    if found is None:
        return {}
    named = {f"measured_{NAMES[name]}": Value(one, "cycles") for name, one in by_level().items()}
    return {
        **named,
        "measured_l1_reach": Value(reach(L1) / KB, "KB"),
        "measured_near_reach": Value(reach(NEAR) / MB, "MB"),
        "measured_shared": Value(found.of("shared", "cycles").points[0].median, "cycles"),
        "measured_neighbour": Value(found.of("cluster", "cycles").one(blocks=2, rank=1).median, "cycles"),
    }
