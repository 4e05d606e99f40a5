"""What reads from shared memory took on an H100: of a warp alone, and of 32 warps that read all the time."""

from __future__ import annotations

from functools import cache

from loom.draw import count
from loom.scene import Value

from .._silicon.drawing import Dot
from .._silicon.results import Result, results
from .model import WORD

PART = "H100"
DEGREES = (1, 2, 4, 8, 16, 32)  # of conflict: a stride of so many words has it
ALONE, BUSY = "stride_latency", "stride_cycles"  # the cycles of a load until it returns, and from one to the next
WHO = {ALONE: "one warp alone", BUSY: "32 warps"}


@cache
def result() -> Result | None:
    return results("bank_conflicts").get(PART)


def cycles(series: str) -> dict[int, float]:
    """Of a load, by the degree of its conflict; nothing where nothing was measured."""
    found = result()
    return {degree: found.of(series, "cycles").one(stride=degree).median for degree in DEGREES} if found else {}


def dots(series: str) -> tuple[Dot, ...]:
    return tuple(
        Dot(degree, taken, taken, taken,
            f"measured on an {PART}, {WHO[series]}, {count(degree, 'pass', 'passes')}: {taken:.1f} cycles")
        for degree, taken in cycles(series).items()
    )  # fmt: skip


def values() -> dict[str, Value]:
    """What prose quotes; nothing where nothing was measured."""
    found = result()
    if found is None:
        return {}
    alone, busy, lone = cycles(ALONE), cycles(BUSY), cycles("stride_alone")
    patterns = found.of("pattern_wavefronts", "wavefronts").points
    counted = found.of("stride_wavefronts", "wavefronts").points
    wide = found.of("pattern_wavefronts", "wavefronts").one(pattern="one word for all", bytes=4 * WORD)
    return {
        "measured_row": Value(alone[1], "cycles", digits=2),
        "measured_two_way": Value(alone[2], "cycles", digits=2),
        "measured_column": Value(alone[32], "cycles", digits=2),
        "measured_busy_column": Value(busy[32], "cycles", digits=2),
        "measured_lone_row": Value(lone[1], "cycles", digits=2),
        "measured_lone_two_way": Value(lone[2], "cycles", digits=2),
        "measured_strides": Value(len(counted)),
        "measured_strides_as_said": Value(sum(one.median == one.predicted for one in counted)),
        "measured_patterns": Value(len(patterns)),
        "measured_patterns_as_said": Value(sum(one.median == one.predicted for one in patterns)),
        "measured_one_wide_word": Value(wide.median),
    }
