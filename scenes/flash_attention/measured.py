"""What an H100 did with both ways of attention: bytes of HBM by its counters, and time."""

from __future__ import annotations

from functools import cache

from loom.scene import Value

from .._silicon.results import Result, results
from .model import Case

PART = "H100"
HEADS, TOKENS, DIM = 16, 8192, 128  # of the layer that was measured, in which every query sees all keys
WAYS = {"stored": "materialised", "in tiles": "flash"}


@cache
def found() -> Result | None:
    """The result of the measurement, if there is one."""
    return results("attention").get(PART)


def moved(case: Case) -> dict[str, float]:
    """Bytes of HBM for one head in both ways, where they were counted."""
    result = found()
    if result is None or (case.tokens, case.dim, case.causal) != (TOKENS, DIM, False):
        return {}
    series = result.of("bytes", "B")
    counted = {name: series.where(method=method) for name, method in WAYS.items()}
    return {name: points[0].median / HEADS for name, points in counted.items() if points}


def values() -> dict[str, Value]:
    """What prose quotes: bytes of one head, time and memory of 16 heads, at 8,192 tokens."""
    result = found()
    if result is None:
        return {}
    bytes_of = moved(Case(TOKENS, DIM, 64 * 1024, False))
    times = {one: result.of("time", "s").one(method=one, tokens=TOKENS).median
             for one in ("materialised", "flash", "cudnn")}  # fmt: skip
    memory = {one: result.of("extra_memory", "B").one(method=one, tokens=TOKENS).median for one in WAYS.values()}
    return {
        **{f"measured_bytes_{WAYS[name]}": Value(size, "B") for name, size in bytes_of.items()},
        **{f"measured_time_{name}": Value(time, "s") for name, time in times.items()},
        **{f"measured_memory_{name}": Value(size, "B") for name, size in memory.items()},
        "measured_times": Value(times["materialised"] / times["cudnn"], "×"),
    }
