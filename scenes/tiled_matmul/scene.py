"""Tiled matrix product: blocks of outputs that share what they load, against outputs that each load their own."""

from __future__ import annotations

from loom.draw import count
from loom.scene import Choice, Column, Scene, Table, Value

from . import measured
from .drawing import draw
from .model import BF16, FP32, TABLE_TILES, TILES, Product, mainloop_intensity, naive_loads, ridge, tiled_loads
from .narration import PHASES


def table(_: Product) -> Table:
    columns = (
        Column("tile", "tile"),
        Column("relative", "loads relative to naive", "%", digits=2),
        Column("intensity_bf16", "intensity in BF16", "FLOP/B", digits=2),
        Column("intensity_fp32", "intensity in FP32", "FLOP/B", digits=2),
        Column("measured", f"loads counted on an {measured.PART}", "%", digits=2),
    )
    return Table(columns, [_row(size) for size in TABLE_TILES])


def _row(size: int) -> tuple[float | str, ...]:
    largest = TABLE_TILES[-1]
    share = tiled_loads(largest, largest, largest, size, size) / naive_loads(largest, largest, largest)
    intensities = [float(mainloop_intensity(size, size, element)) for element in (BF16, FP32)]
    return (size, 100 * share, *intensities, measured.relative(size))


def values(product: Product) -> dict[str, Value]:
    return {
        "loads": Value(product.loads),
        "naive": Value(product.naive),
        "times": Value(product.times, "×"),
        "intensity": Value(product.intensity, "FLOP/B"),
        "full_intensity_128": Value(float(mainloop_intensity(128, 128, BF16)), "FLOP/B"),
        "full_intensity_256": Value(float(mainloop_intensity(256, 256, BF16)), "FLOP/B"),
        "one_output": Value(product.one_output),
        "ridge": Value(ridge(), "FLOP/B"),
        **measured.values(),
    }


SCENE = Scene(
    title="How can a product read less than it uses?",
    summary="Each output of a matrix product needs a row of A and a column of B. A block of outputs that shares them "
    "through shared memory loads every element fewer times: the larger the block, the fewer.",
    params=(
        Choice("rows", "Rows of a block", {side: count(side, "row") for side in TILES}, default=4),
        Choice("columns", "Columns of a block", {side: count(side, "column") for side in TILES}, default=4),
    ),
    sentence="Blocks of {rows} × {columns} share loads.",
    solve=Product,
    steps=PHASES,
    draw=draw,
    table=table,
    values=values,
    opening=3,
    key_steps=(-1,),
    sources=("roofline", "cutlass-efficient-gemm", "modular-bw2"),
    leaves_out="Real tiles are 128 × 128 and larger, and 32 or 64 of the k are staged at a time; how many does not "
    "change the loads. Matrices that the tiles do not fit leave ragged edges, whose threads idle. "
    "Reuse has more levels than shared memory: each thread keeps operands and sums in registers, and neighbouring "
    "blocks find each other’s tiles in the L2 cache. No tile of a single block reaches the ridge of the H100; "
    "L2 supplies the rest: on an H100, products in Triton of 4,096 rows and columns ran two to four times as fast as "
    "HBM alone would feed their tiles. What our own kernels loaded, in float, was counted there as well, and is the "
    "model’s to the digit; that did not make them fast, for they waited for other things. "
    "A naive kernel is not quite as poor as here, for caches catch some of its repeated loads. The intensity is that "
    "of the mainloop: writing C is left out.",
)  # fmt: skip
