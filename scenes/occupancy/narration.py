"""What is said of each step, computed from its state."""

from __future__ import annotations

from loom.draw import count

from .block import PORTION
from .launch import ALONE, FILE, NEEDS, SHARED, SLOTS, TOGETHER, WARPS, Launch, State
from .model import LANES, QUARTERS, REGISTERS, RESERVE, RESOURCES, WARP_SLOTS
from .words import kib, listed, percent


def say(state: State) -> str:
    return {NEEDS: say_needs, ALONE: say_alone, TOGETHER: say_together}.get(state.step, say_stairs)(state.launch)


def say_needs(launch: Launch) -> str:
    gets = f"gets {launch.granted}, because registers come {PORTION} at a time"
    if launch.granted == launch.registers:
        gets = f"gets just these, for {launch.granted} is a multiple of {PORTION}"
    asked = f"shared memory, {launch.shared} KiB here," if launch.shared else "shared memory, none here,"
    return (
        f"A block of {launch.threads:,} threads is {count(launch.warps, 'warp')} of {LANES} threads that run together. "
        f"A thread asks for {launch.registers} registers, its own fast storage, and {gets}. To the block’s {asked} "
        f"the system adds {kib(RESERVE)} KiB."
    )


def say_alone(launch: Launch) -> str:
    by = [f"{RESOURCES[at]} for {launch.fits[at]}" for at in (WARPS, SHARED, SLOTS)]
    return (
        f"A streaming multiprocessor, or SM, has {QUARTERS} quarters. In each, the registers are enough for "
        f"{count(launch.quarter_warps, 'whole warp')}: {count(launch.fits[FILE], 'block')} in all. Taken alone, "
        f"{listed(by)}."
    )


def say_together(launch: Launch) -> str:
    if launch.fails:
        return f"{' '.join(reasons(launch))} The launch fails with an error: no block runs, and the occupancy is 0%."
    plural = launch.binding != (SHARED,)
    return (
        f"A block needs all four at once, so the smallest number decides: {listed(launch.binding_names)} "
        f"{'run' if plural else 'runs'} out first, at {count(launch.blocks, 'block')}. That is {launch.resident} of "
        f"{count(WARP_SLOTS, 'warp')}, an occupancy of {percent(launch.occupancy)}.{too_little(launch)}"
    )


def too_little(launch: Launch) -> str:
    """What the hatching is."""
    if not any(launch.left[at] for at in launch.binding):
        return ""
    return " The hatched rest is too little for one more block."


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
        most = f"{kib(launch.gpu.opt_in)} KiB"
        found.append(
            f"One block asks for {launch.shared} KiB of shared memory; on {launch.gpu.name}, a block may have {most}."
        )
    return found


def say_stairs(launch: Launch) -> str:
    steps, at = launch.treads, launch.tread
    if len(steps) == 1:
        plural = launch.binding != (SHARED,)
        why = f"{listed(launch.binding_names)} {'run' if plural else 'runs'} out before them"
        if launch.fails:
            why = "the block asks for too much shared memory"
        return f"Here, no number of registers per thread changes the {percent(steps[at][2])}: {why}."
    first, last, height = steps[at]
    span = f"With {first}" if first == last else f"With {first} to {last}"
    here = f"{span} registers per thread, the occupancy is {percent(height)}."
    above = f"With {steps[at - 1][1]}, it would be {percent(steps[at - 1][2])}" if at else ""
    below = ""
    if at + 1 < len(steps):
        start, _, lower = steps[at + 1]
        below = f"from {start} on, {'a block no longer fits' if not lower else f'it falls to {percent(lower)}'}"
    both = "; ".join(part for part in (above, below) if part)
    both = f" {both[:1].upper()}{both[1:]}." if both else ""
    ghost = f" The dashed line rounds nothing: {percent(launch.unrounded())}."
    return f"Registers come {PORTION} at a time and warps whole, so occupancy falls in steps. {here}{both}{ghost}"
