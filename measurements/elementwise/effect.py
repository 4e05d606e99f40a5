"""What an element-wise kernel moves a second, by the size of its array and by what the caches hold."""

from __future__ import annotations

from collections.abc import Iterator

from measurements.harness.effect import Effect, Place, Sample, Series
from measurements.harness.gpu import Gpu
from measurements.harness.machine import Machine


def predict(gpu: Gpu, series: str, at: Place) -> float:
    """The roofline's slope: so little arithmetic for each byte runs at the bandwidth of memory, whatever the size."""
    return gpu.sheet.bandwidth


def measure(machine: Machine) -> Iterator[Sample]:
    """One program does it all."""
    yield from machine.program("elementwise.cu")


EFFECT = Effect(
    title="Element-wise work by size",
    question="From what size on does a memory-bound kernel run at the memory's bandwidth?",
    series=(Series("moved", "bytes read and written a second", "B/s", ("mode", "size"), ("name", "B")),),
    predicted_from="The data sheet's bandwidth, at every size.",
    predict=predict,
    measure=measure,
)
