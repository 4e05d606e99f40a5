"""What an H100 copied, and how fast it multiplied, with a number of warps on each SM."""

from __future__ import annotations

from functools import cache

from loom.draw import count, number
from loom.scene import Value

from .._silicon.drawing import Dot
from .._silicon.results import Point, Result, results
from .model import WARP_SLOTS

PART = "H100"
GIGA, TERA = 1e9, 1e12
FEW, ENOUGH = 12, 32  # warps from which on four loads and one load of each thread give all that they give
SHOWN = (4, 8, 12, 16, 24, 32, 48, 64)  # warps whose rings are drawn


@cache
def result() -> Result | None:
    return results("occupancy").get(PART)


def copied(loads: int) -> dict[int, Point]:
    """Bytes a second, by the warps of an SM whose threads have so many loads of 16 bytes on their way."""
    found = result()
    points = found.of("copy", "B/s").where(loads=loads) if found else ()
    return {int(one.at["warps"]): one for one in points}


def multiplied(chains: int) -> dict[int, float]:
    """FLOP a second, by warps whose threads have so many chains of multiply-adds."""
    found = result()
    points = found.of("multiply_add", "FLOP/s").where(chains=chains) if found else ()
    return {int(one.at["warps"]): one.median for one in points}


def peak() -> float:
    """What the data sheet says of memory [B/s]: no prediction goes beyond it."""
    return max(one.predicted or 0 for one in copied(4).values())


def slope() -> float:
    """What a warp with one load of each thread should copy by Little's law [B/s]."""
    least = min(copied(1))
    return (copied(1)[least].predicted or 0) / least


def occupancy(warps: float) -> float:
    """Percent."""
    return 100 * warps / WARP_SLOTS


def dots(loads: int) -> tuple[Dot, ...]:
    """Over the occupancy [%, GB/s]."""
    flying = count(loads, "load")
    return tuple(
        Dot(occupancy(warps), one.median / GIGA, one.min / GIGA, one.max / GIGA,
            f"measured on an {PART} at {number(occupancy(warps))}%, {flying}: {one.median / GIGA:,.0f} GB/s")
        for warps, one in copied(loads).items() if warps in SHOWN
    )  # fmt: skip


def values() -> dict[str, Value]:
    """What prose quotes; nothing where nothing was measured."""
    if result() is None:
        return {}
    one, four, chain = copied(1), copied(4), multiplied(1)
    return {
        "measured_few": Value(occupancy(FEW), "%", digits=2),
        "measured_few_copied": Value(four[FEW].median / GIGA, "GB/s"),
        "measured_full_copied": Value(four[WARP_SLOTS].median / GIGA, "GB/s"),
        "measured_few_one_load": Value(one[FEW].median / GIGA, "GB/s"),
        "measured_half_one_load": Value(one[ENOUGH].median / GIGA, "GB/s"),
        "measured_least": Value(occupancy(4), "%", digits=2),
        "measured_least_multiplied": Value(multiplied(4)[4] / TERA, "TFLOP/s"),
        "measured_sixteen_multiplied": Value(chain[16] / TERA, "TFLOP/s"),
        "measured_twenty_multiplied": Value(chain[20] / TERA, "TFLOP/s"),
        "measured_full_multiplied": Value(multiplied(4)[WARP_SLOTS] / TERA, "TFLOP/s"),
    }
