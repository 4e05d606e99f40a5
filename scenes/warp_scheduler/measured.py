"""What an H100's schedulers issued: rounds of a load and multiply-adds, and chains of multiply-adds alone."""

from __future__ import annotations

from functools import cache

from loom.draw import count
from loom.scene import Value

from .._silicon.drawing import Dot
from .._silicon.results import Result, results
from .model import slots_used

PART = "H100"
SCHEDULERS = 4  # of an SM: warps are dealt to them in turn
ROUND = 64  # multiply-adds after a load
SOFT = 6  # warps of a scheduler at the corner of the rounds


@cache
def result() -> Result | None:
    return results("warp_scheduler").get(PART)


def rounds() -> dict[int, float]:
    """Cycles of a round, a load from L2 and 64 multiply-adds, by the warps of a scheduler."""
    found = result()
    points = found.of("round", "cycles").where(instructions=ROUND) if found else ()
    return {int(one.at["warps"]) // SCHEDULERS: one.median for one in points}


def latency() -> int:
    """How long this GPU's load takes beside nothing else: one warp's round less its multiply-adds [cycles]."""
    return round(rounds()[1]) - ROUND


def used() -> dict[int, float]:
    """Percent of the issue slots that multiply-adds of such rounds take."""
    return {warps: 100 * warps * ROUND / cycles for warps, cycles in rounds().items()}


def expected(warps: int) -> float:
    """What the model says of such rounds with this GPU's latency [%]."""
    return 100 * float(slots_used(warps, ROUND, latency()))


def dots(shares: dict[int, float]) -> tuple[Dot, ...]:
    return tuple(
        Dot(warps, share, share, share, f"measured on an {PART}, {count(warps, 'warp')}: {share:.0f}% of the slots")
        for warps, share in shares.items()
    )


def values() -> dict[str, Value]:
    """What prose quotes; nothing where nothing was measured."""
    found = result()
    if found is None:
        return {}
    chains = found.of("chains", "FLOP/cycle")
    registers = found.of("registers", "FLOP/cycle").where(chains=1)
    return {
        "measured_latency": Value(latency(), "cycles"),
        "measured_corner": Value(used()[SOFT], "%", digits=2),
        "measured_corner_expected": Value(expected(SOFT), "%", digits=2),
        "measured_full": Value(used()[16], "%", digits=2),
        "measured_one_warp": Value(chains.one(warps=1, chains=1).median, digits=3),
        "measured_four_warps": Value(chains.one(warps=4, chains=4).median, digits=3),
        "measured_five_warps": Value(chains.one(warps=5, chains=4).median, digits=3),
        "measured_sixteen_warps": Value(chains.one(warps=16, chains=1).median, digits=3),
        "measured_from_registers": Value(max(one.median for one in registers), digits=3),
    }
