"""CuTe layouts: where the elements of a grid lie in memory, and which banks they meet there."""

from __future__ import annotations

from loom.scene import Choice, Column, Scene, Table, Value

from .banks import BANKS, longest_run
from .drawing import draw
from .model import LAYOUTS, POINTS, SIDE, SWIZZLES, Element, solve
from .narration import PHASES

KINDS = {
    "row": "row-major",
    "column": "column-major",
    "padded": "padded",
    "nested": "in pairs",
    "tiled": "tiled",
    "zipped": "zipped",
    "composition": "composed",
}


def table(element: Element) -> Table:
    columns = (Column("row", "row"), *(Column(f"c{column}", f"c{column}") for column in range(SIDE)))
    return Table(columns, [(row, *read.words) for row, read in enumerate(element.at.rows)])


def values(element: Element) -> dict[str, Value]:
    placed = element.at
    return {
        "offset": Value(element.offset),
        "bank": Value(element.bank),
        "size": Value(placed.layout.size),
        "cosize": Value(placed.span),
        "unused": Value(placed.span - placed.layout.size),
        "row_degree": Value(element.along.degree),
        "column_degree": Value(element.down.degree),
        "contiguous_row": Value(longest_run(element.along.words)),
        "banks": Value(BANKS),
    }


SCENE = Scene(
    title="What does a layout cost?",
    summary="A layout, Shape:Stride, places every coordinate of a grid at an offset in memory, "
    "by the inner product of coordinate and stride; the offset decides the bank, and a bank hands out a word a pass.",
    params=(
        Choice("layout", "Layout", {name: KINDS[name] for name in LAYOUTS}),
        Choice(
            "swizzle",
            "Swizzle",
            {name: f"XOR {bits[0]} bits" if bits else "no swizzle" for name, bits in SWIZZLES.items()},
            when={"layout": ("row",)},
        ),
        Choice("point", "Element", {point: f"({point.replace(',', ', ')})" for point in POINTS}, default="2,3"),
    ),
    sentence="Find {point} {layout}[, {swizzle}].",
    solve=solve,
    steps=PHASES,
    draw=draw,
    table=table,
    values=values,
    opening=2,
    key_steps=(1, -1),
    sources=("cute-paper", "cute-layout-doc", "cute-algebra-doc", "cute-swizzle-hpp", "pycute", "cuda-guide"),
    leaves_out="Eight banks, so that a conflict is easy to see: shared memory has 32, each 4 bytes wide, and the 32 "
    "threads of a warp read at once. Offsets count elements; here an element is one 4-byte word. Kernels that copy 16 "
    "bytes at a time need pieces of 16 bytes whole, which padding by one word would misalign: they use Swizzle<3,4,3> "
    "on byte offsets, for rows of 128 bytes. Tensors of more than two directions, thread-value layouts, which say "
    "which thread holds which elements, products and inverses are left out; today’s C++ no longer coalesces a "
    "blocked_product, though its tutorial still prints it so. CuTe knows most extents as static integers and refuses "
    "at compile time to compose what is no layout; our model raises an error.",
)
