"""The cycles that GPUs of ours took, by how much data a thread went through."""

from __future__ import annotations

import math
from functools import cache
from itertools import pairwise

from loom.scene import Value

from .._gpus.memory import KB, MB
from .._silicon.drawing import Dot
from .._silicon.results import Point, results
from .model import FAR, HBM, L1, MACHINES, NEAR, SIZES, Level, levels_of, spelled

PART = "H100"  # whose numbers prose quotes where the chosen GPU was not measured
NAMES = {L1: "l1", NEAR: "near", FAR: "far", HBM: "hbm"}
STILL = 1.1  # how much longer a load may take that is yet found in the same memory


@cache
def staircase(part: str) -> dict[int, Point]:
    """The cycles for every working set [B] that was measured; nothing where nobody measured."""
    found = results("latency").get(part)
    points = found.of("chase", "cycles").points if found else ()
    return {int(point.at["working_set"]): point for point in points}


def nearest(part: str, size: float) -> tuple[int, float] | None:
    """The measured size that is nearest by ratio, and its cycles."""
    seen = staircase(part)
    if not seen:
        return None
    best = min(seen, key=lambda one: abs(math.log(one / size)))
    return best, seen[best].median


def cycles(part: str, level: Level, inner: float) -> float | None:
    """Those of the size in the middle, by ratio, of all that are found there and not in the level before."""
    found = nearest(part, math.sqrt(inner * level.holds))
    return found[1] if found and level.name in NAMES else None


@cache
def by_level(part: str) -> dict[str, float]:
    """The cycles of every level."""
    levels = levels_of(MACHINES[part])
    found = {after.name: cycles(part, after, before.holds) for before, after in pairwise(levels)}
    return {name: one for name, one in found.items() if one is not None}


def reach(part: str, name: str) -> int:
    """The largest data that were still found there [B]."""
    return max(size for size, point in staircase(part).items() if point.median < STILL * by_level(part)[name])


def dots(part: str, steps: int) -> tuple[Dot, ...]:
    """The staircase on the ruler [B, cycles], so many steps to an octave at most."""
    return tuple(
        Dot(size, one.median, one.min, one.max,
            f"{spelled(size)}, measured on an {part}: {one.median:.0f} cycles")
        for size, one in staircase(part).items()
        if size <= SIZES[-1] and (size * steps) % (1 << (size.bit_length() - 1)) == 0
    )  # fmt: skip


def neighbour(part: str) -> Dot | None:
    """Through the shared memory of other blocks of a cluster, from the nearest to the farthest."""
    found = results("latency").get(part)
    if found is None:
        return None
    points = found.of("cluster", "cycles").points
    others = sorted(one.median for one in points if one.at["rank"] != 0)
    told = f"shared memory of another block, measured on an {part}: {others[0]:.0f} to {others[-1]:.0f} cycles"
    return Dot(24 * KB, others[len(others) // 2], others[0], others[-1], told)  # 3,072 addresses were gone through


def values(gpu: str) -> dict[str, Value]:
    """What prose quotes: of this GPU if it was measured, or of an H100."""
    part = gpu if staircase(gpu) else PART
    found = results("latency").get(part)
    if found is None:
        return {}
    named = {f"measured_{NAMES[name]}": Value(one, "cycles") for name, one in by_level(part).items()}
    return {
        **named,
        "measured_l1_reach": Value(reach(part, L1) / KB, "KB"),
        "measured_near_reach": Value(reach(part, NEAR) / MB, "MB"),
        "measured_shared": Value(found.of("shared", "cycles").points[0].median, "cycles"),
        "measured_neighbour": Value(found.of("cluster", "cycles").one(blocks=2, rank=1).median, "cycles"),
    }
