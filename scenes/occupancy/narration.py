"""The four steps of a launch, and what is said in each."""

from __future__ import annotations

from loom.draw import count, listed, number
from loom.scene import Moment, Phase

from .block import PORTION
from .launch import FILE, SHARED, SLOTS, WARPS, Launch
from .model import KIB, LANES, QUARTERS, REGISTERS, RESERVE, RESOURCES, WARP_SLOTS


def say_needs(moment: Moment) -> str:
    launch = moment.result
    gets = f"gets {launch.granted}, because registers come {PORTION} at a time"
    if launch.granted == launch.registers:
        gets = f"gets just these, for {launch.granted} is a multiple of {PORTION}"
    asked = f"shared memory, {launch.shared} KiB here," if launch.shared else "shared memory, none here,"
    return (
        f"A block of {launch.threads:,} threads is {count(launch.warps, 'warp')} of {LANES} threads that run together. "
        f"A thread asks for {launch.registers} registers, its own fast storage, and {gets}. To the block’s {asked} "
        f"the system adds {RESERVE // KIB} KiB."
    )


def say_alone(moment: Moment) -> str:
    launch = moment.result
    by = [f"{RESOURCES[at]} for {launch.fits[at]}" for at in (WARPS, SHARED, SLOTS)]
    return (
        f"A streaming multiprocessor, or SM, has {QUARTERS} quarters. In each, the registers are enough for "
        f"{count(launch.quarter_warps, 'whole warp')}: {count(launch.fits[FILE], 'block')} in all. Taken alone, "
        f"{listed(by)}."
    )


def say_together(moment: Moment) -> str:
    launch = moment.result
    if launch.fails:
        return f"{' '.join(reasons(launch))} The launch fails with an error: no block runs, and the occupancy is 0%."
    hatched = " The hatched rest is too little for one more block."
    return (
        f"A block needs all four at once, so the smallest number decides: {runs_out(launch)} first, at "
        f"{count(launch.blocks, 'block')}. That is {launch.resident} of {count(WARP_SLOTS, 'warp')}, an occupancy of "
        f"{number(launch.occupancy)}%.{hatched if any(launch.left[at] for at in launch.binding) else ''}"
    )


def runs_out(launch: Launch) -> str:
    """What binds, and the verb: shared memory runs out, registers run out."""
    names = listed([RESOURCES[at] for at in launch.binding])
    return f"{names} {'runs' if launch.binding == (SHARED,) else 'run'} out"


def reasons(launch: Launch) -> list[str]:
    """Why not even one block fits."""
    found = []
    if not launch.fits[FILE]:
        room = count(QUARTERS * launch.quarter_warps, "such warp")
        found.append(
            f"One block has {count(launch.warps, 'warp')} and takes {launch.takes[FILE]:,} registers; the "
            f"{REGISTERS:,} of an SM are enough for {room}."
        )
    if not launch.fits[SHARED]:
        most = f"{launch.gpu.opt_in // KIB} KiB"
        found.append(
            f"One block asks for {launch.shared} KiB of shared memory; on {launch.gpu.name}, a block may have {most}."
        )
    return found


def say_stairs(moment: Moment) -> str:
    launch = moment.result
    steps, at = launch.treads, launch.tread(launch.registers)
    first, last, height = steps[at]
    if len(steps) == 1:
        why = "the block asks for too much shared memory" if launch.fails else f"{runs_out(launch)} before them"
        return f"Here, no number of registers per thread changes the {number(height)}%: {why}."
    span = f"With {first}" if first == last else f"With {first} to {last}"
    here = f"{span} registers per thread, the occupancy is {number(height)}%."
    beside = [f"with {steps[at - 1][1]}, it would be {number(steps[at - 1][2])}%"] if at else []
    if at + 1 < len(steps):
        start, _, lower = steps[at + 1]
        falls = f"it falls to {number(lower)}%" if lower else "a block no longer fits"
        beside.append(f"from {start} on, {falls}")
    both = "; ".join(beside)
    ghost = f"The dashed line rounds nothing: {number(launch.unrounded(launch.registers))}%."
    return (
        f"Registers come {PORTION} at a time and warps whole, so occupancy falls in steps. {here} "
        f"{both[0].upper()}{both[1:]}. {ghost}"
    )


PHASES = (
    Phase("needs", say_needs),
    Phase("alone", say_alone),
    Phase("together", say_together),
    Phase("stairs", say_stairs),
)
