"""One token out of a row of logits: what choosing it takes, beside what moving the logits takes."""

from __future__ import annotations

from collections.abc import Iterator

from measurements.harness.effect import Effect, Place, Sample, Series
from measurements.harness.gpu import Gpu
from measurements.harness.machine import Machine

VOCABULARY, FLOAT = 128_256, 4  # of Llama 3; bytes of a logit
BATCHES = (1, 8, 64, 256)
K, P = 50, 0.9
UNSURE = ("top-k", "top-p")  # whose first draw may be one that is not allowed


def predict(gpu: Gpu, series: str, at: Place) -> float | None:
    """Every logit is read once, whatever is done with it; how often by-hand draws again is a matter of the logits."""
    if series == "passes":
        return None if at["method"] in UNSURE else 1
    return float(at["batch"]) * VOCABULARY * FLOAT / gpu.sheet.bandwidth


def measure(machine: Machine) -> Iterator[Sample]:
    """By hand, then by PyTorch."""
    yield from machine.program("sampling.cu")
    yield from machine.program("library.py")


EFFECT = Effect(
    title="Choosing a token",
    question="What does choosing a token cost, beside reading its logits?",
    series=(
        Series("time", "choosing a token of each row, 128,256 logits in float32", "s", ("by", "method", "batch"),
               ("name", "name", "rows")),
        Series("passes", "how often a row is read by hand, over 256 rows", "1", ("method",), ("name",)),
    ),
    predicted_from="All logits once, at the data sheet's bandwidth.",
    predict=predict,
    measure=measure,
    modules=("torch",),
)  # fmt: skip
