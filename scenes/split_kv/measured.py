"""What an H100 did with a kernel of ours that splits keys and values, and how that stands beside the model."""

from __future__ import annotations

from functools import cache

from loom.draw import count
from loom.scene import Value

from .._silicon.drawing import Dot
from .._silicon.results import Point, results
from .model import Case, kv_bytes
from .narration import micro

PART = "H100"  # the scene's GPU
MICRO = 1e6


@cache
def measured(sequences: int, keys: int) -> dict[int, Point]:
    """The time of a layer for every number of parts that was measured; one conversation was."""
    found = results("split_kv").get(PART)
    if found is None or sequences != 1:
        return {}
    return {int(point.at["splits"]): point for point in found.of("time", "s").where(keys=keys)}


def dots(case: Case, most: int) -> tuple[Dot, ...]:
    """For the curve [µs]."""
    return tuple(
        Dot(splits, MICRO * one.median, MICRO * one.min, MICRO * one.max,
            f"measured on an {PART}, {count(splits, 'part')}: {micro(one.median)}")
        for splits, one in measured(case.sequences, case.keys).items() if splits <= most
    )  # fmt: skip


def values() -> dict[str, Value]:
    """What prose quotes, of one conversation with 131,072 keys; nothing where nothing was measured."""
    found, size = measured(1, 131072), kv_bytes(1, 131072)
    if not found:
        return {}
    unsplit, split = found[1].median, found[16].median
    return {
        "measured_unsplit": Value(unsplit, "s"),
        "measured_16": Value(split, "s"),
        "measured_times": Value(unsplit / split, "×"),
        "measured_256": Value(found[256].median, "s"),
        "measured_one_sm": Value(size / unsplit / Case(1, 1, 131072).blocks, "B/s"),
        "measured_rate": Value(size / split, "B/s"),
    }
