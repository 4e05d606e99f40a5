"""Occupancy: blocks fill the resources of an SM until one of them runs out."""

from __future__ import annotations

from loom.draw import count, listed, number
from loom.scene import Choice, Column, Moment, Phase, Range, Scene, Table, Value

from .block import PORTION
from .drawing import draw
from .launch import FILE, SHARED, SLOTS, WARPS, Launch, solve
from .model import KIB, LANES, QUARTERS, REGISTERS, RESERVE, RESOURCES, WARP_SLOTS
from .stairs import REGISTERS as ASKED

THREADS = (32, 96, 128, 256, 384, 1024)
ASKED_SHARED = (0, 16, 32, 192)


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


def table(launch: Launch) -> Table:
    columns = (
        Column("resource", "resource"),
        Column("has", "has"),
        Column("one_block_takes", "one block takes"),
        Column("blocks_that_fit", "blocks that fit"),
        Column("left_over", "left over"),
    )
    names = [f"{name} (bytes)" if at == SHARED else name for at, name in enumerate(RESOURCES)]
    return Table(columns, list(zip(names, launch.has, launch.takes, launch.fits, launch.left, strict=True)))


def values(launch: Launch) -> dict[str, Value]:
    asked = launch.blocks * launch.threads * launch.registers  # without what rounding adds
    return {
        "blocks": Value(launch.blocks),
        "warps": Value(launch.resident),
        "occupancy": Value(launch.occupancy, "%"),
        "by_warps": Value(launch.fits[WARPS]),
        "by_registers": Value(launch.fits[FILE]),
        "by_shared": Value(launch.fits[SHARED]),
        "by_blocks": Value(launch.fits[SLOTS]),
        "registers_block": Value(launch.takes[FILE]),
        "shared_block": Value(launch.takes[SHARED], "bytes"),
        "wasted_registers": Value(100 - 100 * asked / REGISTERS, "%"),
        "unrounded": Value(launch.unrounded(launch.registers), "%"),
        "granted": Value(launch.granted),
        "warps_block": Value(launch.warps),
        "idle_warps": Value(WARP_SLOTS - launch.resident),
        "left_registers": Value(launch.left[FILE]),
        "last_registers": Value(launch.treads[launch.tread(launch.registers)][1]),
    }


SCENE = Scene(
    title="How many warps fit on an SM, and which resource runs out first?",
    summary="Blocks take warp slots, registers, shared memory and block slots of an SM, each rounded up. "
    "The resource that holds the fewest blocks decides how many warps there are.",
    params=(
        Choice("threads", "Threads in a block", {count: f"{count:,} threads" for count in THREADS}, default=256),
        Range("registers", "Registers per thread", ASKED, default=33),
        Choice("shared", "Shared memory of a block", {size: f"{size} KiB" for size in ASKED_SHARED}),
        Choice("gpu", "GPU", {"A100": "A100", "H100": "H100, H200 or B200"}, default="H100"),
    ),
    sentence="Launch blocks of {threads} with {shared} of shared memory on {gpu}.",
    solve=solve,
    steps=(
        Phase("needs", say_needs),
        Phase("alone", say_alone),
        Phase("together", say_together),
        Phase("stairs", say_stairs),
    ),
    draw=draw,
    table=table,
    values=values,
    opening=3,
    key_steps=(3, 4),
    sources=("cuda-occupancy-h", "cuda-cc-tables", "volkov-thesis"),
    leaves_out="Other things limit too: tensor memory (TMEM) on B200, and from Hopper on the named barriers of a "
    "block. What fits is counted as NVIDIA’s own calculator counts it; that warps are dealt to the quarters in turn "
    "is our drawing. The shared memory of an SM is cut from one pool with the L1 cache, and the driver is taken to "
    "choose the largest cut. A block that asks for more than 48 KiB must say so first. More occupancy is not always "
    "faster: independent instructions within one warp hide waiting too, and fast matrix kernels run at a low "
    "occupancy on purpose. A compiler that is held to fewer registers than a thread needs, or to the most of 255, "
    "keeps the rest in slower local memory: it spills.",
)
