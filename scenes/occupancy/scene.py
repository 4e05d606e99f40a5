"""Occupancy: blocks fill the resources of an SM until one of them runs out."""

from __future__ import annotations

from loom.scene import Choice, Column, Range, Scene, Table, Value

from . import measured
from .drawing import draw
from .launch import FILE, SHARED, SLOTS, WARPS, Launch, solve
from .model import REGISTERS, RESOURCES, WARP_SLOTS
from .narration import PHASES
from .stairs import REGISTERS as ASKED

THREADS = (128, 256, 384, 1024)
ASKED_SHARED = (0, 32, 192)


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
        **measured.values(),
    }


SCENE = Scene(
    title="How many warps fit on an SM?",
    summary="Blocks take warp slots, registers, shared memory and block slots of an SM, each rounded up. "
    "They come until one does not fit: the resource that runs out first decides how many warps there are.",
    params=(
        Choice("threads", "Threads in a block", {count: f"{count:,} threads" for count in THREADS}, default=256),
        Range("registers", "Registers per thread", ASKED, default=33),
        Choice("shared", "Shared memory of a block", {size: f"{size} KB" for size in ASKED_SHARED}),
        Choice(
            "gpu",
            "GPU",
            {"A100": "A100", "H100": "H100, H200 or B200"},
            default="H100",
            when={"shared": ASKED_SHARED[1:]},
        ),
    ),
    sentence="Blocks of {threads}, {shared} shared[, on {gpu}].",
    solve=solve,
    steps=PHASES,
    draw=draw,
    table=table,
    values=values,
    opening=2,
    key_steps=(2, 3),
    sources=("cuda-occupancy-h", "cuda-cc-tables", "volkov-thesis"),
    leaves_out="Other things limit too: tensor memory (TMEM) on B200, and from Hopper on the named barriers of a "
    "block. What fits is counted as NVIDIA’s own calculator counts it; that blocks come one by one and lie side by "
    "side is our drawing. The shared memory of an SM is cut from one pool with L1, and the driver is taken to choose "
    "the largest cut. A block that asks for more than 48 KB must say so first. More occupancy is not always faster: "
    "independent instructions within one warp hide waiting too, and fast matrix kernels run at a low occupancy on "
    "purpose. A compiler that is held to fewer registers than a thread needs, or to the most of 255, keeps the rest "
    "in slower local memory: it spills. What was measured lies below Little’s law, since memory answers later the more "
    "it is asked.",
)
