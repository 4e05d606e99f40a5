"""Bank conflicts: a warp's 32 lanes ask 32 banks for words, and words in the same bank wait for each other."""

from __future__ import annotations

from loom.scene import Choice, Column, Range, Scene, Table, Value

from .drawing import draw
from .model import ACCESSES, LAYOUTS, STRIDES, WIDTHS, footprint, is_aligned, load_latency, request
from .moments import steps
from .narration import say

ACCESS_LABELS = dict(zip(ACCESSES, ("along the rows", "down a column", "with a stride", "the same word"), strict=True))


def table(layout: str, access: str, stride: int, width: int) -> Table:
    columns = (
        Column("layout", "layout"),
        Column("degree", "degree of conflict d"),
        Column("passes", "passes"),
        Column("banks_used", "banks used"),
        Column("bytes_per_pass", "bytes in a pass", "B", digits=1),
        Column("footprint", "memory of the tile", "words"),
    )
    rows: list[tuple[float | str, ...]] = []
    for name in LAYOUTS:
        if is_aligned(name, width):
            read = request(name, access, stride, width)
            each = read.handed / read.passes
            rows.append((name, read.degree, read.passes, read.banks_used, each, footprint(name)))
    return Table(columns, rows)


def values(layout: str, access: str, stride: int, width: int) -> dict[str, Value]:
    read = request(layout, access, stride, width)
    narrow = request(layout, access, stride)  # the measurements are of 32-bit loads
    plain, taken = footprint("plain"), footprint(layout)
    return {
        "degree": Value(read.degree),
        "passes": Value(read.passes),
        "cycles": Value(load_latency(narrow.degree), "cycles"),
        "words": Value(read.distinct),
        "footprint": Value(taken, "words"),
        "extra": Value(100 * (taken / plain - 1), "%", digits=2),
        "banks_used": Value(read.banks_used),
        "groups": Value(read.groups),
        "bytes": Value(read.handed, "B"),
        "bytes_per_pass": Value(read.handed / read.passes, "B"),
    }


SCENE = Scene(
    title="Why does reading a column take 32 times as long as reading a row?",
    summary="A warp asks shared memory for 32 words. Words in different banks come at once, words in the same bank one "
    "after the other; padding or a swizzle spreads a column over all banks.",
    params=(
        Choice("layout", "Layout", LAYOUTS),
        Choice("access", "Access", ACCESS_LABELS, default="column"),
        Range("stride", "Stride", STRIDES, default=2, unit="words", when={"access": ("stride",)}),
        Choice(
            "width",
            "Bits for each lane",
            {bits: f"{bits} bits" for bits in WIDTHS},
            when={"layout": ("plain", "swizzled"), "access": ("row", "column")},
        ),
    ),
    sentence="In a {layout} tile, let the lanes read {access}, {width} each.",
    steps=steps,
    draw=draw,
    say=say,
    table=table,
    values=values,
    opening=3,
    key_steps=(3, -1),
    split=("access",),
    sources=("cuda-guide", "cuda-best-practices", "abdelkhalik-ampere", "cute-swizzle-hpp"),
    leaves_out="One read by one warp. Words queue in the order of lanes; the order in real hardware is not documented. "
    "That 64-bit reads go by halves of a warp, and 128-bit reads by quarters, is how profilers count them and no "
    "guarantee. Passes are the time that shared memory is busy. A warp that is alone also waits for the way there and "
    "back, so its load takes less than 32 times as long: the cycles of an A100 are a line through measurements of up "
    "to 8 passes, continued to 32. Padding to 33 words leaves rows at multiples of 4 bytes, where 16-byte loads, "
    "cp.async of 16 bytes and TMA cannot put them. Padding by 4 words keeps them aligned, but then 32-bit reads of a "
    "column take 4 passes. Libraries swizzle pieces of 16 bytes, as with 128 bits here: CuTe calls it Swizzle<3,4,3>, "
    "and TMA can write it by itself. Where such a column goes next, to registers or tensor cores, is not shown.",
)
