"""Throughput against occupancy: a copy, and chains of multiply-adds, each with one and with four of a thread."""

from __future__ import annotations

from collections.abc import Iterator

from measurements.harness.effect import Effect, Place, Sample, Series
from measurements.harness.gpu import Gpu
from measurements.harness.machine import Machine

LANES = 32
LOAD = 16  # bytes
CHAIN = 4  # cycles from a multiply-add to the next one that needs it


def predict(gpu: Gpu, series: str, at: Place) -> float | None:
    """What is in flight over its latency, up to the peak; a copy writes as much as it reads."""
    threads = gpu.sms * LANES * float(at["warps"])
    if series == "copy":
        flying = threads * LOAD * float(at["loads"])
        return min(gpu.sheet.bandwidth, 2 * flying / gpu.sheet.latency)
    return min(gpu.sheet.fp32, 2 * threads * float(at["chains"]) / CHAIN * gpu.sheet.clock)


def measure(machine: Machine) -> Iterator[Sample]:
    """One program does it all."""
    yield from machine.program("occupancy.cu")


EFFECT = Effect(
    title="Throughput against occupancy",
    question="How much occupancy is enough?",
    series=(
        Series("copy", "bytes read and written", "B/s", ("warps", "loads"), ("warps", "loads")),
        Series("multiply_add", "multiply-adds", "FLOP/s", ("warps", "chains"), ("warps", "instructions")),
    ),
    predicted_from="Little's law: what the warps of an SM have in flight over its latency, up to the data sheet's "
    "bandwidth or rate; 4 cycles from a multiply-add to the next of its chain.",
    predict=predict,
    measure=measure,
)
