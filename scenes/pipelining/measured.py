"""What tiles of 4 KB took on an H100, copied ahead into one to six buffers by a kernel of ours."""

from __future__ import annotations

from functools import cache

from loom.draw import count
from loom.scene import Value

from .._silicon.drawing import Dot
from .._silicon.results import Point, Result, results
from .model import period

PART = "H100"
CHAIN = 32  # multiply-adds of a tile that wait for each other: the shortest arithmetic that was measured
ONE, MOST = 1, 6  # buffers
TRANSFER = 1  # cycles: one block alone asks so little of memory that this never rules


@cache
def result() -> Result | None:
    return results("pipelining").get(PART)


def tiles() -> dict[int, Point]:
    """Cycles of a tile of one block alone, by the number of buffers; nothing where nothing was measured."""
    found = result()
    points = found.of("alone", "cycles").where(chain=CHAIN) if found else ()
    return {int(one.at["stages"]): one for one in points}


def compute() -> int:
    """What the arithmetic takes with all that belongs to it: a tile with many buffers [cycles]."""
    return round(tiles()[MOST].median)


def latency() -> int:
    """What a load takes: a tile with one buffer, less the arithmetic [cycles]."""
    return round(tiles()[ONE].median) - compute()


def expected(stages: int) -> float:
    """The formula with this GPU's own times [cycles]."""
    return float(period(stages, latency(), TRANSFER, compute()))


def dots() -> tuple[Dot, ...]:
    return tuple(
        Dot(stages, one.median, one.min, one.max,
            f"measured on an {PART}, {count(stages, 'buffer')}: {one.median:,.0f} cycles")
        for stages, one in tiles().items()
    )  # fmt: skip


def values() -> dict[str, Value]:
    """What prose quotes; nothing where nothing was measured."""
    if result() is None:
        return {}
    found = tiles()
    return {
        "measured_one": Value(found[1].median, "cycles", digits=4),
        "measured_two": Value(found[2].median, "cycles", digits=3),
        "measured_four": Value(found[4].median, "cycles", digits=3),
        "measured_compute": Value(compute(), "cycles"),
        "measured_latency": Value(latency(), "cycles"),
        "measured_counted_compute": Value(found[MOST].predicted or 0, "cycles"),
        "measured_worst": Value(max(one.median / expected(stages) for stages, one in found.items()), "×", digits=3),
    }
