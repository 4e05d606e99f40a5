"""How many bytes must be under way for memory to give what it can."""

from __future__ import annotations

from collections.abc import Iterator

from measurements.harness.effect import Effect, Place, Sample, Series
from measurements.harness.gpu import Gpu
from measurements.harness.machine import Machine


def predict(gpu: Gpu, series: str, at: Place) -> float:
    """Little's law: what is in flight over the latency of an idle memory, until the data sheet's bandwidth is met."""
    return min(gpu.sheet.bandwidth, float(at["in_flight"]) * gpu.sms / gpu.sheet.latency)


def measure(machine: Machine) -> Iterator[Sample]:
    """One program does it all."""
    yield from machine.program("littles_law.cu")


EFFECT = Effect(
    title="Bytes in flight",
    question="How much must be under way for memory to give what it can?",
    series=(
        Series(
            "read", "bytes read a second", "B/s",
            ("in_flight", "warps", "loads", "width"), ("B", "warps", "loads", "B"),
        ),
    ),
    predicted_from="Little's law, with the data sheet's bandwidth and the latency that gpu-benches found on a GH200.",
    predict=predict,
    measure=measure,
)  # fmt: skip
