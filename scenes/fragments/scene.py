"""Fragments: how a matrix instruction spreads its three matrices over the registers of a warp."""

from __future__ import annotations

from loom.scene import Choice, Column, Range, Scene, Table, Value

from .drawing import draw
from .model import FMAS, LANES, REGISTERS, WIDEST, Held, held
from .narration import NAMES, PHASES, entry


def table(chosen: Held) -> Table:
    """The registers of the lane, whichever of them is looked at."""
    columns = (Column("register", "register"), Column("matrix", "matrix"), Column("holds", "holds"))
    rows = [
        (name, NAMES[name[0]], " and ".join(entry(name[0], place) for place in held(chosen.lane, name)))
        for name in REGISTERS
    ]
    return Table(columns, rows)


def values(chosen: Held) -> dict[str, Value]:
    return {
        "fmas": Value(FMAS),
        "instructions": Value(FMAS // LANES),
        "row": Value(chosen.places[0][0]),
        "column": Value(chosen.places[0][1]),
        "own": Value(chosen.own),
        "needed": Value(chosen.needed),
        "wgmma_sums": Value(WIDEST // 2),
    }


SCENE = Scene(
    title="Which lane holds which number?",
    summary="A matrix instruction spreads A, B and the sums over the registers of a warp: each lane holds 8 numbers of "
    "A, 4 of B and 4 sums, in places that follow from its own number.",
    params=(
        Range("lane", "Lane", {lane: f"lane {lane}" for lane in range(LANES)}, default=5),
        Choice("register", "Register", {name: name for name in REGISTERS}, default="a1"),
    ),
    sentence="Look at register {register} of {lane}.",
    solve=Held,
    steps=PHASES,
    draw=draw,
    table=table,
    values=values,
    opening=3,
    key_steps=(3,),
    sources=("ptx-isa", "cutlass-mma-traits"),
    leaves_out="One shape of many, mma.m16n8k16 with 16-bit inputs and 32-bit sums: others spread their numbers in "
    "other patterns of the same kind, and narrower formats put more of them into a register. Rows of B lie along n "
    "here, and ldmatrix transposes them on the way; where they lie along k, it does not. That the pieces come one "
    "after the other is our drawing: ldmatrix asks for up to four at once. What the tensor core does inside is not "
    "published. wgmma can also take A from registers, and reads shared memory by descriptors, in a swizzled order that "
    "is not drawn.",
)
