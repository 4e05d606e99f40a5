"""Warp specialization: who issues, who waits and where the sums live, on three generations."""

from __future__ import annotations

from loom.scene import Choice, Column, Scene, Table, Value

from .drawing import draw
from .model import (
    COPY,
    EPILOGUES,
    GENERATIONS,
    ISSUE,
    ISSUERS,
    PRODUCT,
    READ_OUT,
    STAGES,
    TILES,
    WARP,
    WARPS,
    schedule,
)
from .states import State, steps


def say(state: State) -> str:
    """Two or three sentences about this moment."""
    return {"copied": _copied, "multiplied": _multiplied, "written": _written, "steady": _steady, "end": _end}[
        state.moment
    ](state)


def _copied(state: State) -> str:
    if state.run.generation == "Ampere":
        return (
            f"At {state.now} tile 1 is in shared memory. All {WARPS * WARP} threads computed addresses for its "
            f"cp.async copies, which costs them {ISSUE} unit per tile."
        )
    others = "the warps that multiply" if state.run.generation == "Hopper" else "everyone else"
    return (
        f"At {state.now} tile 1 is in shared memory. One thread asked the copy engine (TMA) for it and set a barrier "
        f"that says “full” when all bytes have landed; {others} spent nothing."
    )


def _multiplied(state: State) -> str:
    words = {
        "Ampere": f"Each of {WARPS} warps of {WARP} threads loaded operands into its registers and issued its own "
        "mma.sync; the sums are in the registers of all warps.",
        "Hopper": f"The {ISSUERS['Hopper']} threads of warpgroup 1 ({WARPS // 2} warps) issued it together with wgmma, "
        "straight from shared memory, and stay bound to it (the line in their lane). The sums are in their registers, "
        "so they must write them out.",
        "Blackwell": "One thread launched it with tcgen05.mma. The sums are in tensor memory (TMEM), not in any "
        "thread’s registers, so other warps can write them out.",
    }
    return f"At {state.now} the first product is complete. {words[state.run.generation]}"


def _written(state: State) -> str:
    run = state.run
    start = int(run.epilogue[0])
    worked = run.worked(start, state.now)
    words = {
        "Ampere": "All warps were busy with this epilogue, so nobody issued a product.",
        "Hopper": "Meanwhile warpgroup 2 multiplied tile 2: the groups play ping-pong.",
        "Blackwell": f"Only the first {READ_OUT} unit of it read TMEM; then that accumulator was free for tile 3.",
    }
    return (
        f"The epilogue, from {start} to {state.now}, converts and stores tile 1. The tensor cores worked for "
        f"{worked:g} of these {state.now - start} units. {words[run.generation]}"
    )


def _steady(state: State) -> str:
    run = state.run
    period = f"{(run.product[4] - run.product[2]) / 2:g}"
    line = f"By {state.now} a rhythm has set in: one tile every {period} units, {PRODUCT} of them a product. "
    if run.steady == 1:
        return line + "The tensor cores have no gap left."
    if run.generation == "Ampere":
        return line + "The hatched rest goes to issuing copies and to the epilogue, by the same warps."
    return line + "The hatched gaps are there because both groups are still writing out."


def _end(state: State) -> str:
    run = state.run
    ends = ", ".join(f"{other.generation} at {other.total}" for other in state.runs if other is not run)
    idle = run.total - TILES * PRODUCT
    return (
        f"{run.generation} has written its last tile at {state.now} ({ends}). Of {run.total} units the tensor cores "
        f"worked {TILES * PRODUCT}, or {run.busy:.0%}, and stood idle for {idle}."
    )


def table(generation: str, epilogue: str) -> Table:
    run = schedule(generation, EPILOGUES[epilogue])
    names = ("copy starts", "product starts", "epilogue starts", "done")
    columns = (Column("tile", "tile"), *(Column(name.replace(" ", "_"), name, "units") for name in names))
    times = zip(run.copy, run.product, run.epilogue, run.done, strict=True)
    return Table(columns, [(tile, *map(int, row)) for tile, row in enumerate(times, 1)])


def values(generation: str, epilogue: str) -> dict[str, Value]:
    run = schedule(generation, EPILOGUES[epilogue])
    return {
        "busy": Value(100 * run.busy, "%", digits=2),
        "steady": Value(100 * run.steady, "%"),
        "cycles": Value(run.total, "units"),
        "waits": Value(run.total - TILES * PRODUCT, "units"),
        "issuers": Value(ISSUERS[generation], "threads"),
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
    steps=steps,
    draw=draw,
    say=say,
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
