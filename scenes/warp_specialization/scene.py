"""Warp specialization: who issues, who waits and where the sums live, on three generations."""

from __future__ import annotations

from loom.scene import Choice, Column, Scene, Table, Value

from .drawing import draw
from .model import COPY, EPILOGUES, GENERATIONS, ISSUE, ISSUERS, PRODUCT, READ_OUT, STAGES, TILES, Compared, compare
from .narration import STORY

TIMES = ("copy starts", "product starts", "epilogue starts", "done")
COLUMNS = (Column("tile", "tile"), *(Column(name.replace(" ", "_"), name, "units") for name in TIMES))


def table(compared: Compared) -> Table:
    run = compared.run
    times = zip(run.copy, run.product, run.epilogue, run.done, strict=True)
    return Table(COLUMNS, [(tile, *map(int, row)) for tile, row in enumerate(times, 1)])


def values(compared: Compared) -> dict[str, Value]:
    run = compared.run
    return {
        "busy": Value(100 * run.busy, "%", digits=2),
        "steady": Value(100 * run.steady, "%"),
        "cycles": Value(run.total, "units"),
        "waits": Value(run.total - TILES * PRODUCT, "units"),
        "issuers": Value(ISSUERS[run.generation], "threads"),
        "period": Value(float(run.product[4] - run.product[2]) / 2, "units"),
    }


SCENE = Scene(
    title="Who issues, who waits, and where do the sums live?",
    summary="Six tiles are copied, multiplied and written out by warps that do everything (Ampere), by warpgroups "
    "that take turns (Hopper), or by one launching thread with accumulators in tensor memory (Blackwell).",
    params=(
        Choice("generation", "Generation", GENERATIONS, default="Hopper"),
        Choice("epilogue", "Epilogue", tuple(EPILOGUES), default="long"),
    ),
    sentence="Run six tiles on {generation}, with a {epilogue} epilogue.",
    solve=compare,
    steps=STORY,
    draw=draw,
    table=table,
    values=values,
    opening=4,
    key_steps=(1, -1),
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
    f"{EPILOGUES['short']} or {EPILOGUES['long']} of which reading TMEM is {READ_OUT}, issuing copies with cp.async "
    f"{ISSUE}, everything else nothing. They are the same on all three, to show only what the arrangement does; real "
    "tensor cores double their rate per SM and cycle with each generation, so that overlap matters more. "
    "Shared memory holds "
    f"{STAGES} tiles and each tile is one copy and one product, not a loop of many. An Ampere SM can also hold two "
    "blocks that fill each other’s gaps. Left out: setmaxnreg, which moves registers from producer to consumers on "
    "Hopper; operands of wgmma and tcgen05.mma that come from registers or TMEM; clusters, multicast and products "
    "over two SMs. Many Blackwell kernels use one warpgroup for the epilogue, not two.",
)
