"""Width pairs: which of the two narrow numbers pays, weights or activations, and from which batch on."""

from __future__ import annotations

from loom.scene import Choice, Column, Range, Scene, Table, Value

from . import measured
from .drawing import draw
from .model import BATCHES, BITS, GPUS, PAIRS, Case, case_of
from .narration import PHASES

MEASURED = measured.values()
COLUMNS = (
    Column("pair", "pair"),
    Column("bytes", "moved", "MB", digits=1),
    Column("memory", "to move", "µs", digits=2),
    Column("multiply", "to multiply", "µs", digits=2),
    Column("speedup", "times as fast as W16A16", digits=2),
    Column("knee", "arithmetic limits from", "rows", digits=0),
    Column("error", "error of X·W", "%", digits=2),
    Column("measured", "measured, 8,192 rows", "TFLOP/s", digits=1),
)


def table(case: Case) -> Table:
    """All pairs, for the chosen batch."""
    rows = [(one.pair.name, one.bytes / 1e6, 1e6 * one.memory_time, 1e6 * one.arithmetic_time, one.speedup, one.knee,
             one.error, measured.rate(one)) for one in case.rivals]  # fmt: skip
    return Table(COLUMNS, rows)


def values(case: Case) -> dict[str, Value]:
    return {
        "bytes": Value(case.bytes, "B"),
        "weight_bits": Value(BITS[case.pair.weights], "bits"),
        "memory_time": Value(case.memory_time, "s"),
        "arithmetic_time": Value(case.arithmetic_time, "s"),
        "time": Value(case.time, "s"),
        "rate": Value(case.rate, "FLOP/s"),
        "peak": Value(case.peak, "FLOP/s"),
        "speedup": Value(case.speedup, "×", digits=2),
        "knee": Value(round(case.knee)),
        "error": Value(case.error, "%", digits=2),
        **MEASURED,
    }


SCENE = Scene(
    title="What do narrow numbers buy?",
    summary="Narrow weights move fewer bytes, which pays for small batches; only where activations are narrow, too, "
    "do the products themselves run faster, which pays for large ones.",
    params=(
        Choice("gpu", "GPU", tuple(GPUS)),
        Range("batch", "Rows of X", BATCHES, default=16, unit="rows"),
        Choice("pair", "Widths", tuple(PAIRS), default="W4A16"),
    ),
    sentence="Multiply {batch} as {pair} on a {gpu}.",
    solve=lambda gpu, batch, pair: case_of(gpu, pair, batch),
    steps=PHASES,
    draw=draw,
    table=table,
    values=values,
    opening=-1,
    key_steps=(-1,),
    sources=("hgx-platform", "cutlass-blackwell", "ocp-mx"),
    leaves_out="Peak rates, and every byte moved once: real kernels reach less of both. On an H100 cuBLAS gave large "
    "products three quarters of either peak or a little more. Rounding activations, widening weights and multiplying "
    "scales take time that is not counted; for W4A16 it can cost large batches more than they gain. Errors are of "
    "random bell curves in MX formats with scales rounded down: outliers make narrow activations worse, and methods "
    "such as GPTQ make narrow weights better.",
)
