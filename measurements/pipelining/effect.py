"""Copies ahead of arithmetic: cycles for a tile, by buffers and by the arithmetic on each tile."""

from __future__ import annotations

from collections.abc import Iterator

from measurements.harness.effect import Effect, Place, Sample, Series
from measurements.harness.gpu import Gpu
from measurements.harness.machine import Machine

TILE = 4096  # bytes
CHAIN = 4  # cycles of a multiply-add that the next one waits for
SHARED = 23  # cycles of a load from shared memory


def predict(gpu: Gpu, series: str, at: Place) -> float | None:
    """max(C, T, (L + C) / S): arithmetic, the memory pipe's share, a buffer's round trip."""
    compute = CHAIN * float(at["chain"]) + SHARED
    if series == "arithmetic":
        return compute
    transfer = TILE * gpu.sms / gpu.sheet.bandwidth * gpu.sheet.clock if series == "shared" else 0.0
    return max(compute, transfer, (gpu.sheet.hbm_cycles + compute) / float(at["stages"]))


def measure(machine: Machine) -> Iterator[Sample]:
    """One program does it all."""
    yield from machine.program("pipelining.cu")


PLACES = (("stages", "chain"), ("stages", "instructions"))
EFFECT = Effect(
    title="Copies ahead of arithmetic",
    question="How many tiles have to be on their way?",
    series=(
        Series("alone", "cycles for a tile of 4 KB, one block on the GPU", "cycles", *PLACES),
        Series("shared", "cycles for a tile of 4 KB, a block on every SM", "cycles", *PLACES),
        Series("arithmetic", "cycles for a tile that need not be copied", "cycles", ("chain",), ("instructions",)),
    ),
    predicted_from="max(C, T, (L + C) / S) with C of 4 cycles for each multiply-add of the chain and 23 for reading "
    "shared memory, the latency L of memory, and T, an SM's share of the data sheet's bandwidth.",
    predict=predict,
    measure=measure,
)
