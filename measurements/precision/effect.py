"""What the tensor cores give in each format, beside what the data sheet promises."""

from __future__ import annotations

from collections.abc import Iterator

from measurements.harness.effect import Effect, Place, Sample, Series
from measurements.harness.gpu import Gpu
from measurements.harness.machine import Machine


def predict(gpu: Gpu, series: str, at: Place) -> float | None:
    """The data sheet's dense peak: 16 bits run at one rate, 8 bits at another."""
    sheet = gpu.sheet
    peaks = {"fp32": sheet.fp32, "tf32": sheet.tf32, "bf16": sheet.bf16, "fp16": sheet.bf16}
    return peaks.get(str(at["format"]), sheet.fp8)


def measure(machine: Machine) -> Iterator[Sample]:
    """One program does it all."""
    yield from machine.program("rates.py")


EFFECT = Effect(
    title="Rates of number formats",
    question="How much faster are narrower numbers?",
    series=(Series("rate", "products of 8,192 rows and columns", "FLOP/s", ("format",), ("name",)),),
    predicted_from="The data sheet's dense peak of each format.",
    predict=predict,
    measure=measure,
    modules=("torch",),
)
