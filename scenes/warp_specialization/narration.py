"""The story of a run: five moments, and what is said of each; the moment of a phase is the time shown [units]."""

from __future__ import annotations

from loom.scene import Moment, Phase

from .model import ISSUE, ISSUERS, PRODUCT, READ_OUT, TILES, WARP, WARPS


def _copied(moment: Moment) -> str:
    generation = moment.result.run.generation
    if generation == "Ampere":
        return (
            f"At {moment.at} tile 1 is in shared memory. All {WARPS * WARP} threads computed addresses for its "
            f"cp.async copies, which costs them {ISSUE} unit per tile."
        )
    others = "the warps that multiply" if generation == "Hopper" else "everyone else"
    return (
        f"At {moment.at} tile 1 is in shared memory. One thread asked the copy engine (TMA) for it and set a barrier "
        f"that says “full” when all bytes have landed; {others} spent nothing."
    )


def _multiplied(moment: Moment) -> str:
    words = {
        "Ampere": f"Each of {WARPS} warps of {WARP} threads loaded operands into its registers and issued its own "
        "mma.sync; the sums are in the registers of all warps.",
        "Hopper": f"The {ISSUERS['Hopper']} threads of warpgroup 1 ({WARPS // 2} warps) issued it together with wgmma, "
        "straight from shared memory, and stay bound to it (the line in their lane). The sums are in their registers, "
        "so they must write them out.",
        "Blackwell": "One thread launched it with tcgen05.mma. The sums are in tensor memory (TMEM), not in any "
        "thread’s registers, so other warps can write them out.",
    }
    return f"At {moment.at} the first product is complete. {words[moment.result.run.generation]}"


def _written(moment: Moment) -> str:
    run = moment.result.run
    start = int(run.epilogue[0])
    worked = run.worked(start, moment.at)
    words = {
        "Ampere": "All warps were busy with this epilogue, so nobody issued a product.",
        "Hopper": "Meanwhile warpgroup 2 multiplied tile 2: the groups play ping-pong.",
        "Blackwell": f"Only the first {READ_OUT} unit of it read TMEM; then that accumulator was free for tile 3.",
    }
    return (
        f"The epilogue, from {start} to {moment.at}, converts and stores tile 1. The tensor cores worked for "
        f"{worked:g} of these {moment.at - start} units. {words[run.generation]}"
    )


def _steady(moment: Moment) -> str:
    run = moment.result.run
    period = f"{(run.product[4] - run.product[2]) / 2:g}"
    line = f"By {moment.at} a rhythm has set in: one tile every {period} units, {PRODUCT} of them a product. "
    if run.steady == 1:
        return line + "The tensor cores have no gap left."
    if run.generation == "Ampere":
        return line + "The hatched rest goes to issuing copies and to the epilogue, by the same warps."
    return line + "The hatched gaps are there because both groups are still writing out."


def _end(moment: Moment) -> str:
    run = moment.result.run
    ends = ", ".join(f"{other.generation} at {other.total}" for other in moment.result.runs if other is not run)
    idle = run.total - TILES * PRODUCT
    return (
        f"{run.generation} has written its last tile at {moment.at} ({ends}). Of {run.total} units the tensor cores "
        f"worked {TILES * PRODUCT}, or {run.busy:.0%}, and stood idle for {idle}."
    )


STORY = (
    Phase("copied", _copied, lambda compared: (int(compared.run.landed[0]),)),
    Phase("multiplied", _multiplied, lambda compared: (int(compared.run.multiplied[0]),)),
    Phase("written", _written, lambda compared: (int(compared.run.done[0]),)),
    Phase("steady", _steady, lambda compared: (int(compared.run.done[3]),)),
    Phase("end", _end, lambda compared: (compared.run.total,)),
)
