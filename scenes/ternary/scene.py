"""Ternary weights: a matrix becomes −1, 0 and 1, its product additions and subtractions, and five weights a byte."""

from __future__ import annotations

from loom.scene import Choice, Column, Range, Scene, Table, Value

from .case import BELL, DENSE, HEAVY, ROWS, SAMPLE, TRAINED, WEIGHT_BITS, Picked, picked
from .drawing import draw
from .model import BITS, operations
from .narration import STORY
from .packing import stored

PRODUCT = 4  # the step of the product
COLUMNS = (
    Column("row", "row"),
    Column("additions", "additions"),
    Column("subtractions", "subtractions"),
    Column("zeros", "zeros"),
    Column("sum", "sum"),
    Column("output", "γ × sum", digits=1),
    Column("exact", "exact", digits=1),
    Column("numbers", "numbers of base 3"),
    Column("bytes", "bytes in TQ1_0"),
)


def table(pick: Picked) -> Table:
    """One row for each row of the matrix, whichever is pick."""
    case = pick.case
    rows: list[tuple[float | str, ...]] = []
    for at, (trits, numbers) in enumerate(zip(case.trits, case.numbers, strict=True)):
        written = [", ".join(map(str, pair.tolist())) for pair in (numbers, stored(numbers))]
        results = int(case.sums[at, -1]), float(case.outputs[at]), float(case.exact[at, -1])
        rows.append((at + 1, *operations(trits), *results, *written))
    return Table(COLUMNS, rows)


def values(pick: Picked) -> dict[str, Value]:
    case, large = pick.case, pick.case.fidelity
    plus, minus, nothing = case.operations
    return {
        "gamma": Value(case.gamma),
        "zeros": Value(large.zeros, "%"),
        "sqnr": Value(large.sqnr, "dB"),
        "error": Value(large.error, "%"),
        "fitted": Value(large.fitted, "dB"),
        "short": Value(large.best / large.gamma, "×"),
        "sample": Value(SAMPLE),
        "additions": Value(plus),
        "subtractions": Value(minus),
        "nothing": Value(nothing),
        "multiplications": Value(DENSE),
        "scalings": Value(ROWS),
        "row_additions": Value(pick.operations.additions),
        "row_subtractions": Value(pick.operations.subtractions),
        "sum": Value(pick.sum),
        "output": Value(pick.output),
        "exact": Value(pick.exact),
        "output_error": Value(case.error, "%"),
        "bits": Value(BITS, "bits", digits=4),
        "packed": Value(case.packed, "bits", digits=5),
        "two_bit": Value(case.two_bit, "bits", digits=5),
        "times": Value(WEIGHT_BITS / case.packed, "×"),
    }


SCENE = Scene(
    title="What do weights of −1, 0, 1 save?",
    summary="Divided by their mean magnitude and rounded, weights become −1, 0 or 1. A product with them only adds and "
    "subtracts activations, with one multiplication for each output, and five weights fit in a byte.",
    params=(
        Choice(
            "data", "Weights", {BELL: "a bell curve", HEAVY: "a heavy-tailed curve", TRAINED: "a nearly ternary mix"}
        ),
        Range("row", "Row", tuple(range(1, ROWS + 1))),
    ),
    sentence="Round weights from {data}.",
    solve=picked,
    steps=STORY,
    draw=draw,
    table=table,
    values=values,
    opening=PRODUCT,
    key_steps=(PRODUCT,),
    sources=("bitnet-b158", "bitnet", "ggml"),
    leaves_out="Activations are whole numbers here; a real model rounds each token’s to 8-bit integers, whose scale "
    "joins γ in the multiplication at the end. The nearly ternary weights are made up. GGUF’s TQ1_0 has them in "
    "another order, and its scale is a block’s largest weight, not γ. GPUs have no ternary units: "
    "their kernels unpack such weights and multiply.",
)
