"""How far away data are: cycles from a load to its result, by where the data lie."""

from __future__ import annotations

from collections.abc import Iterator

from measurements.harness.effect import Effect, Place, Sample, Series
from measurements.harness.gpu import Gpu
from measurements.harness.machine import Machine


def predict(gpu: Gpu, series: str, at: Place) -> float | None:
    """A staircase: whatever fits a level costs that level's latency; L2's far half begins where the near one ends."""
    sheet = gpu.sheet
    if series in ("pages", "lines"):
        return sheet.l2_near_cycles  # they fit L2, and no step of the pages is known
    if series != "chase":
        return None  # what we know of shared memory and clusters was measured, not promised
    size = float(at["working_set"])
    levels = ((sheet.l1, sheet.l1_cycles), (gpu.l2 / 2, sheet.l2_near_cycles), (gpu.l2, sheet.l2_far_cycles))
    return next((cycles for holds, cycles in levels if size <= holds), sheet.hbm_cycles)


def measure(machine: Machine) -> Iterator[Sample]:
    """Shared memory first, then lines of L2 that everybody asks for, then more and more memory."""
    for program in ("shared.cu", "lines.cu", "memory.cu"):
        yield from machine.program(program)


EFFECT = Effect(
    title="Latency",
    question="How many cycles lie between a load and its result?",
    series=(
        Series("chase", "cycles from a load to its result", "cycles", ("working_set",), ("B",)),
        Series("pages", "the same past L1, one line of each page of 2 MiB", "cycles", ("pages",), ("pages",)),
        Series("lines", "the same past L1, over 64 lines that all SMs ask for", "cycles", ("sm",), ("1",)),
        Series("shared", "the same, in the block's own shared memory", "cycles", ("working_set",), ("B",)),
        Series("cluster", "the same, in a block's of the cluster", "cycles", ("blocks", "rank"), ("blocks", "1")),
    ),
    predicted_from="A staircase of L1, L2's halves and HBM, with the cycles that gpu-benches found on a GH200.",
    predict=predict,
    measure=measure,
)
