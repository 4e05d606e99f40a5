"""Experts: rows shared out evenly or not, in one grouped product or padded to the fullest expert."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from measurements.experts.routing import OUT, WIDTH, loads, rows_run
from measurements.harness.effect import Effect, Place, Sample, Series
from measurements.harness.gpu import Gpu
from measurements.harness.machine import Machine

MANY, FEW, EXPERTS, BF16 = 8192, 512, 64, 2


def shortest(gpu: Gpu, rows: NDArray[np.int64], method: str) -> float:
    """The multiplications of all rows that are run, or the bytes of their experts' weights and of their own [s]."""
    run = rows_run(rows, method)
    busy = len(rows) if method == "padded" else np.count_nonzero(rows)
    moved = run if method == "padded" else rows.sum()
    size = BF16 * (busy * WIDTH * OUT + moved * (WIDTH + OUT))
    return float(max(2 * run * WIDTH * OUT / gpu.sheet.bf16, size / gpu.sheet.bandwidth))


def predict(gpu: Gpu, series: str, at: Place) -> float | None:
    """Padding costs multiplications, and every busy expert's weights have to come."""
    if series == "few_rows":
        return shortest(gpu, loads(FEW, int(at["experts"]), str(at["routing"])), "grouped")
    rows, method = loads(MANY, EXPERTS, str(at["routing"])), str(at["method"])
    if series == "rows_run":
        return rows_run(rows, method) / MANY
    return 2 * MANY * WIDTH * OUT / shortest(gpu, rows, method)


def measure(machine: Machine) -> Iterator[Sample]:
    """One program does it all."""
    yield from machine.program("products.py")


EFFECT = Effect(
    title="Experts and their rows",
    question="What do skew and padding cost?",
    series=(
        Series("speed", "8,192 rows over 64 experts, wanted multiplications", "FLOP/s", ("method", "routing"),
               ("name", "name")),
        Series("rows_run", "rows multiplied for each that was wanted", "1", ("method", "routing"), ("name", "name")),
        Series("few_rows", "512 rows, grouped", "s", ("experts", "routing"), ("experts", "name")),
    ),
    predicted_from=(
        "The data sheet's BF16 peak over all rows that are run, tiles of 128 filled up, or its bandwidth over the rows "
        "and the busy experts' weights, whichever takes longer."
    ),
    predict=predict,
    measure=measure,
    modules=("torch", "triton"),
)  # fmt: skip
