"""The three phases of the story, each with the sentence that it says."""

from __future__ import annotations

from loom.draw import count, listed, number
from loom.scene import Moment, Phase, evenly

from .launch import FILE, SHARED, Launch
from .machine import asked, say_machine
from .model import KIB, LANES, QUARTERS, REGISTER_UNIT, REGISTERS, RESERVE, RESOURCES, WARP_SLOTS
from .pace import LEAD, machine_beats, need_beats, stair_beats

PORTION = REGISTER_UNIT // LANES  # registers that a thread gets at a time


def say_needs(moment: Moment) -> str:
    launch = moment.result
    gets = f"and gets {launch.granted}, as they come {PORTION} at a time"
    if launch.granted == launch.registers:
        gets = "and gets just these"
    return (
        f"A block of {launch.threads:,} threads is {count(launch.warps, 'warp')}. Each thread asks for "
        f"{launch.registers} registers {gets}; {RESERVE // KIB} KB is added to its shared memory."
    )


def say_drop(moment: Moment) -> str:
    launch = moment.result
    if launch.fails:
        return f"{reasons(launch)[0]} The launch fails, and no block runs."
    return (
        f"Blocks come until one does not fit: {runs_out(*launch.binding)} first, at {count(launch.blocks, 'block')}. "
        f"That is {launch.resident} of {count(WARP_SLOTS, 'warp')}."
    )


def runs_out(*resources: int) -> str:
    """What binds, and the verb: shared memory runs out, registers run out."""
    names = listed([RESOURCES[at] for at in resources])
    return f"{names} {'runs' if resources == (SHARED,) else 'run'} out"


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
        most = f"{launch.gpu.opt_in // KIB} KB"
        found.append(
            f"One block asks for {launch.shared} KB of shared memory; on {launch.gpu.name}, a block may have {most}."
        )
    return found


def say_stairs(moment: Moment) -> str:
    launch = moment.result
    steps, at = launch.treads, launch.tread(launch.registers)
    first, last, height = steps[at]
    if len(steps) == 1:
        others = runs_out(*(at for at in launch.binding if at != FILE))
        return f"Here, no number of registers changes the {number(height)}%: {others} before them."
    span = f"{first}" if first == last else f"{first} to {last}"
    beside = [f"with {steps[at - 1][1]}, it would be {number(steps[at - 1][2])}%"] if at else []
    if at + 1 < len(steps):
        start, _, lower = steps[at + 1]
        beside.append(f"from {start} on, {number(lower)}%" if lower else f"from {start} on, none fits")
    both = "; ".join(beside)
    ghost = f"Without rounding (dashed): {number(launch.unrounded(launch.registers))}%."
    return f"{span} registers give {number(height)}%. {both[0].upper()}{both[1:]}. {ghost}"


def drops(moment: Moment) -> tuple[float, ...]:
    """The empty rows; a beat for each block that comes, one for that which does not fit, and one for the words."""
    beats = moment.result.blocks + 2
    return evenly(beats, min(8.0, 0.65 * beats), lead=LEAD)


def has_stairs(launch: Launch) -> tuple[int, ...]:
    """A block that asks for too much shared memory has no stairs to compare."""
    return (0,) if launch.fits[SHARED] else ()


PHASES = (
    Phase("needs", say_needs, beats=need_beats),
    Phase("drop", say_drop, beats=drops),
    Phase("stairs", say_stairs, has_stairs, stair_beats),
    Phase("machine", say_machine, asked, machine_beats),
)
