"""What keeps an SM's schedulers busy: chains of multiply-adds, and rounds of a load and some multiply-adds."""

from __future__ import annotations

import math
from collections.abc import Iterator

from measurements.harness.effect import Effect, Place, Sample, Series
from measurements.harness.gpu import Gpu
from measurements.harness.machine import Machine

SCHEDULERS = 4
LANES = 32
CHAIN = 4  # cycles from a multiply-add to the next one that needs it


def predict(gpu: Gpu, series: str, at: Place) -> float | None:
    """Each scheduler issues an instruction a cycle if one of its warps has one that waits for nothing.

    Warps are dealt to the schedulers in turn, and the one with the most warps ends last.
    """
    warps = float(at["warps"])
    if series == "round":
        issue = float(at["instructions"])
        return max(gpu.sheet.l2_near_cycles + issue, warps * issue / SCHEDULERS)
    chains = float(at["chains"])
    return 2 * LANES * warps * chains / max(math.ceil(warps / SCHEDULERS) * chains, CHAIN)


def measure(machine: Machine) -> Iterator[Sample]:
    """One program does it all."""
    yield from machine.program("warp_scheduler.cu")


CHAINS = (("warps", "chains"), ("warps", "instructions"))
EFFECT = Effect(
    title="What keeps the schedulers busy",
    question="How many warps, with how many independent instructions each, does an SM need?",
    series=(
        Series("chains", "multiply-adds of an SM, a factor in the instruction", "FLOP/cycle", *CHAINS),
        Series("registers", "multiply-adds of an SM, all three operands in registers", "FLOP/cycle", *CHAINS),
        Series(
            "round",
            "a load from L2 and the multiply-adds that need it, four chains of them",
            "cycles",
            ("instructions", "warps"),
            ("instructions", "warps"),
        ),
    ),
    predicted_from="Four schedulers, warps dealt to them in turn: each issues an instruction a cycle, and 4 cycles go "
    "by from a multiply-add to the next of its chain; for rounds the latency L of the near L2 and max(L + n, W n / 4).",
    predict=predict,
    measure=measure,
)
