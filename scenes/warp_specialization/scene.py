"""Warp specialization: who issues, who waits and where the sums live, on three generations."""

from __future__ import annotations

from loom.scene import Column, Range, Scene, Table, Value

from .drawing import draw
from .model import COPY, EPILOGUES, ISSUE, ISSUERS, PRODUCT, READ_OUT, STAGES, Compared, compare
from .narration import STORY, period

TIMES = ("copy starts", "product starts", "epilogue starts", "done")
COLUMNS = (
    Column("generation", "generation"),
    Column("tile", "tile"),
    *(Column(name.replace(" ", "_"), name, "units") for name in TIMES),
)


def table(compared: Compared) -> Table:
    rows = []
    for run in compared.runs:
        times = zip(run.copy, run.product, run.epilogue, run.done, strict=True)
        rows += [(run.generation, tile, *map(int, row)) for tile, row in enumerate(times, 1)]
    return Table(COLUMNS, rows)


def values(compared: Compared) -> dict[str, Value]:
    """For each generation, by its name in small letters: what the run comes to."""
    found = {}
    for run in compared.runs:
        name = run.generation.lower()
        found |= {
            f"busy_{name}": Value(100 * run.steady, "%", digits=2),
            f"period_{name}": Value(period(run.product), "units"),
            f"cycles_{name}": Value(run.total, "units"),
            f"whole_{name}": Value(100 * run.busy, "%", digits=2),
            f"issuers_{name}": Value(ISSUERS[run.generation], "threads"),
        }
    return found


SCENE = Scene(
    title="Who keeps the tensor cores busy?",
    summary="Six tiles are copied, multiplied and written out on three generations of GPUs side by side: by warps that "
    "do everything (Ampere), by warpgroups that take turns (Hopper), and by one launching thread with sums in tensor "
    "memory (Blackwell).",
    params=(Range("epilogue", "Writing a tile takes", EPILOGUES, default=6, unit="units"),),
    solve=compare,
    steps=STORY,
    draw=draw,
    table=table,
    values=values,
    opening=-1,
    key_steps=(3, -1),
    sources=(
        "ptx-isa",
        "fa3",
        "fa4",
        "modular-bw2",
        "colfax-tmem",
        "colfax-wgmma",
        "hopper-tuning",
        "blackwell-tuning",
    ),
    leaves_out=f"A toy in invented time units: a copy takes {COPY}, a product {PRODUCT}, an epilogue "
    f"{EPILOGUES[0]} to {EPILOGUES[-1]}, of which reading TMEM is {READ_OUT}, issuing copies with cp.async "
    f"{ISSUE}, everything else nothing. They are the same on all three, to show only what the arrangement does; real "
    "tensor cores double their rate per SM and cycle with each generation, so that overlap matters more. "
    "Shared memory holds "
    f"{STAGES} tiles and each tile is one copy and one product, not a loop of many. An Ampere SM can also hold two "
    "blocks that fill each other’s gaps. Left out: setmaxnreg, which moves registers from producer to consumers on "
    "Hopper; operands of wgmma and tcgen05.mma that come from registers or TMEM; clusters, multicast and products "
    "over two SMs. Many Blackwell kernels use one warpgroup for the epilogue, not two.",
)
