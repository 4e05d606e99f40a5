"""Bank conflicts: a warp's 32 lanes ask 32 banks for words, and words in the same bank wait for each other."""

from __future__ import annotations

from loom.scene import Choice, Column, Range, Scene, Table, Value

from . import measured
from .drawing import draw
from .model import ACCESSES, COLUMN, COLUMNS, LAYOUTS, STRIDES, WIDTHS, Read, footprint, load_latency, request, solve
from .narration import PHASES

ACCESS_LABELS = dict(zip(ACCESSES, ("along a row", "down a column", "with a stride", "one word"), strict=True))


def table(result: Read) -> Table:
    columns = (
        Column("layout", "layout"),
        Column("degree", "degree of conflict d"),
        Column("passes", "passes"),
        Column("banks_used", "banks used"),
        Column("bytes_per_pass", "bytes in a pass", "B", digits=1),
        Column("footprint", "memory of the tile", "words"),
        Column("measured", f"measured on an {measured.PART}, a warp alone", "cycles", digits=1),
    )
    seen = measured.cycles(measured.ALONE) if result.piece == 1 else {}
    rows = [
        (name, read.degree, read.passes, read.banks_used, read.handed / read.passes, footprint(name),
         seen.get(read.degree, "–"))
        for name, read in result.rivals.items()
    ]  # fmt: skip
    return Table(columns, rows)


def values(result: Read) -> dict[str, Value]:
    read, taken = result.request, footprint(result.layout)
    narrow = request(result.layout, result.access, result.stride)  # the measurements are of 32-bit loads
    return {
        "degree": Value(read.degree),
        "passes": Value(read.passes),
        "cycles": Value(load_latency(narrow.degree), "cycles"),
        "words": Value(read.distinct),
        "footprint": Value(taken, "words"),
        "extra": Value(100 * (taken / footprint("plain") - 1), "%", digits=2),
        "banks_used": Value(read.banks_used),
        "groups": Value(read.groups),
        "bytes": Value(read.handed, "B"),
        "bytes_per_pass": Value(read.handed / read.passes, "B"),
        **measured.values(),
    }


SCENE = Scene(
    title="Why is a column slower than a row?",
    summary="A warp asks shared memory for 32 words. Words in different banks come at once, words in the same bank one "
    "after the other; padding or a swizzle spreads a column over all banks.",
    params=(
        Choice("layout", "Layout", LAYOUTS),
        Choice("access", "Access", ACCESS_LABELS, default="column"),
        Range("column", "Column", COLUMNS, default=COLUMN, when={"access": ("column",), "width": (32,)}),
        Range("stride", "Stride", STRIDES, default=2, unit="words", when={"access": ("stride",)}),
        Choice(
            "width",
            "Bits for each lane",
            {bits: f"{bits} bits" for bits in WIDTHS},
            when={"layout": ("plain", "swizzled"), "access": ("row", "column")},
        ),
    ),
    sentence="{layout} tile, {access}[, {width}].",
    solve=solve,
    steps=PHASES,
    draw=draw,
    table=table,
    values=values,
    opening=1,
    key_steps=(1, 4),
    sources=("cuda-guide", "cuda-best-practices", "abdelkhalik-ampere", "cute-swizzle-hpp"),
    leaves_out="One read by one warp. Words queue in the order of lanes; the order in real hardware is not "
    "documented. That 64-bit reads go by halves of a warp, and 128-bit reads by quarters, is how profilers count them "
    "and no guarantee. On an H100, 28 of 36 patterns and all 48 strides came out so; the other 8, wide reads of the "
    "same words by neighbours, took half the passes. Passes are the time that shared memory is busy. A warp that is "
    "alone also waits for the way there and back: its line was drawn through measurements of up to 8 passes on an "
    "A100 and continued, and the H100 lies on it to the cycle. Wider loads took it 1 to 3 cycles more. Padding to 33 "
    "words leaves rows at multiples of 4 bytes, where 16-byte loads, cp.async of 16 bytes and TMA cannot put them. "
    "Padding by 4 words keeps them aligned, but then 32-bit reads of a column take 4 passes. Libraries swizzle pieces "
    "of 16 bytes, as with 128 bits here: CuTe calls it Swizzle<3,4,3>, and TMA can write it by itself. Where such a "
    "column goes next, to registers or tensor cores, is not shown.",
)
