"""The time of a grid by its blocks: SMs take them in waves."""

from __future__ import annotations

import math
from collections.abc import Iterator

from measurements.harness.effect import Effect, Place, Sample, Series
from measurements.harness.gpu import Gpu
from measurements.harness.machine import Machine

FMAS, FMA_CYCLES = 10_000, 4  # in a block's chain; from one to the next, on every GPU since Volta


def predict(gpu: Gpu, series: str, at: Place) -> float:
    """As many waves as it takes, each as long as one block: a chain of FMAs at the highest clock."""
    waves = math.ceil(float(at["blocks"]) / (gpu.sms * float(at["on_sm"])))
    return waves * FMAS * FMA_CYCLES / gpu.sheet.clock


def measure(machine: Machine) -> Iterator[Sample]:
    """One program does it all."""
    yield from machine.program("waves.cu", FMAS)


EFFECT = Effect(
    title="Waves of blocks",
    question="What does one block more than the SMs can hold cost?",
    series=(Series("time", "time of the grid", "s", ("on_sm", "blocks"), ("blocks", "blocks")),),
    predicted_from="Waves, rounded up, of a block's 10,000 dependent FMAs at 4 cycles each and the highest clock.",
    predict=predict,
    measure=measure,
)
