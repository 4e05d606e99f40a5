"""Coalescing: the bytes that 32 lanes ask for, and the whole sectors that memory moves for them."""

from __future__ import annotations

from collections.abc import Sequence

from loom.draw import count
from loom.scene import Choice, Column, Range, Scene, Table, Value

from . import measured
from .drawing import draw
from .model import LANES, OFFSETS, STRIDES, Case, Load, saturating_stride, solve
from .narration import PHASES

LOADS = {
    "strided": "4 bytes a thread, strided",
    "shuffled": "4 bytes a thread, shuffled",
    "random": "4 bytes a thread, anywhere",
    "wide": "16 bytes a thread",
}


def table(case: Case) -> Table:
    columns = (
        Column("stride", "stride, or pattern"),
        Column("sectors", "sectors of 32 B"),
        Column("lines", "lines of 128 B"),
        Column("moved", "moved", "B"),
        Column("useful", "useful", "B"),
        Column("efficiency", "efficiency", "%", digits=1),
        Column("measured", f"rate on an {measured.PART}, of that at stride 1", "%", digits=1),
    )
    loads = {load.stride: load for load in case.curve}
    if case.load.pattern != "strided":
        loads = {case.load.pattern: case.load, **loads}
    rows = [
        (name, len(load.sectors), len(load.lines), load.moved, load.useful, load.efficiency,
         _measured(load))
        for name, load in loads.items()
    ]  # fmt: skip
    return Table(columns, rows)


def _measured(load: Load) -> float | str:
    """The share that a table shows."""
    found = measured.share(load)
    return "–" if found is None else found


def values(case: Case) -> dict[str, Value]:
    load = case.load
    return {
        "sectors": Value(len(load.sectors)),
        "lines": Value(len(load.lines)),
        "moved": Value(load.moved, "B"),
        "useful": Value(load.useful, "B"),
        "unused": Value(load.moved - load.useful, "B"),
        "efficiency": Value(load.efficiency, "%"),
        "lanes": Value(LANES),
        "best": Value(load.best),
        "saturates": Value(saturating_stride(load.element)),
        **measured.values(),
    }


def words(numbers: Sequence[int]) -> dict[int, str]:
    """How many numbers of 4 bytes, and how that reads."""
    return {number: count(number, "number") for number in numbers}


SCENE = Scene(
    title="What does a stride cost?",
    summary="32 threads ask for 4 bytes each, memory hands over whole sectors of 32 bytes, "
    "and the stride from thread to thread decides how many of those bytes are waste.",
    params=(
        Choice("pattern", "Load", LOADS),
        Range("offset", "Offset", words(OFFSETS), default=0, when={"pattern": ("strided", "shuffled")}),
        Range("stride", "Stride", words(STRIDES), default=4, when={"pattern": ("strided",)}),
    ),
    sentence="Load {pattern}.",
    solve=solve,
    steps=PHASES,
    draw=draw,
    table=table,
    values=values,
    opening=-1,
    key_steps=(2, 3),
    sources=("cuda-best-practices", "mt4g", "gpu-glossary"),
    leaves_out="One load of one warp, with no cache before it. On a GPU the warps around it soften the loss: a sector "
    "that one warp half used may still lie in L1 or L2 when its neighbour wants the other half. "
    "NVIDIA measured a copy on a V100 with every warp misaligned, five sectors for four, and lost about 10% of the "
    "speed, not the 20% of the count here; on an H100 we lost 1% or 14%, as neighbours ran together or apart. "
    "The rings are the bytes that a kernel of ours got and wanted in a second, from HBM, over those at stride 1. Up to "
    "a stride of 8 they are what sectors say. Beyond it they fall on, as far as 16: L2 fetches sectors from HBM in "
    "pairs, unless the program asks for one at a time, and then the rings bend at 8. Why they still sink a little "
    "further on, we don’t know. Writes are not shown, and with data in L1 strides that touch equally many sectors can "
    "take different times, longest at powers of two.",
)
