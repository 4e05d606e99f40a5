"""Multicast: tiles that several blocks of a cluster need are read from L2 once."""

from __future__ import annotations

from loom.draw import count
from loom.scene import Choice, Column, Moment, Phase, Scene, Table, Value

from . import measured
from .drawing import draw
from .model import CLUSTERS, PORTABLE, SIDES, TILE_BYTES, Cluster, kib
from .tally import counting
from .travel import beats


def say_alone(moment: Moment) -> str:
    one = moment.result
    if one.blocks == 1:
        return (
            f"One thread block runs on one SM. For its tile of the output it reads a tile of A and one of B, {kib(1)} "
            "KB each, from the L2 cache that all SMs share."
        )
    again = one.without - one.least
    repeats = f"{again} of them fetch" if again > 1 else "One of them fetches"
    return (
        f"{count(one.blocks, 'block')}, each on its own SM, read a tile of A and one of B: {one.without} reads of L2. "
        f"{repeats} what a neighbour has fetched."
    )


def say_together(moment: Moment) -> str:
    one = moment.result
    if one.blocks == 1:
        return f"Alone, a block shares with nobody: {count(one.least, 'read')} either way."
    limit = "" if one.blocks <= PORTABLE else f" More than {PORTABLE} blocks must be asked for."
    return (
        "In a cluster a mask names the blocks that get a tile: it leaves L2 once, and splits on its way. "
        f"{one.least} reads, not {one.without}.{limit}"
    )


def say_machine(_: Moment) -> str:
    *_, (most, again) = counted = [*measured.alone().items()]
    merged = dict(counted)[measured.MERGED]
    return (
        f"On an {measured.PART} without a mask, L2 was read {merged:.2f} times for {measured.MERGED} blocks that asked "
        f"at once, {again:.2f} times for {most}: it merges what is on its way. With a mask it is once, always."
    )


def table(_: Cluster) -> Table:
    columns = (
        Column("cluster", "cluster"),
        Column("blocks", "blocks"),
        Column("tiles_without", "tiles without"),
        Column("tiles_with", "tiles with"),
        Column("bytes_with", "read with multicast", "B"),
        Column("times_fewer", "times fewer", digits=2),
    )
    every = [Cluster(*sides) for sides in CLUSTERS]
    rows = [
        (one.name, one.blocks, one.without, one.least, one.least * TILE_BYTES, one.without / one.least) for one in every
    ]
    return Table(columns, rows)


def values(one: Cluster) -> dict[str, Value]:
    return {
        "reads": Value(one.least),
        "bytes": Value(one.least * TILE_BYTES, "B"),
        "times": Value(one.without / one.least, "×"),
        "without": Value(one.without),
        "blocks": Value(one.blocks),
        "a_shared": Value(one.columns),
        "b_shared": Value(one.rows),
        **measured.values(),
    }


SCENE = Scene(
    title="Why read one tile many times?",
    summary="Blocks of a cluster that need the same tile let it be read from L2 once and delivered to all of them.",
    params=(
        Choice("rows", "Rows", {side: count(side, "row") for side in SIDES}, default=2),
        Choice("columns", "Columns", {side: count(side, "column") for side in SIDES}, default=2),
    ),
    sentence="Form a cluster of {rows} × {columns}.",
    solve=Cluster,
    steps=(
        Phase("alone", say_alone, beats=beats),
        Phase("together", say_together, beats=beats),
        Phase("machine", say_machine, lambda _: (0,) if measured.alone() else (), counting),
    ),
    draw=draw,
    table=table,
    values=values,
    opening=2,
    key_steps=(1, 2),
    sources=("modular-bw3", "colfax-tma", "ptx-isa", "hopper-tuning", "blackwell-tuning"),
    leaves_out="One step along k, with tiles of 128 × 64 numbers in BF16. It counts reads of L2, not those that "
    "miss and go on to HBM, nor the time that is saved; tiles set off together, not in turns. Each block asks for a "
    "slice of every tile that it shares, so one read of a tile is several of slices. Blocks of a cluster can also read "
    "each other’s shared memory. All must be resident together, and a slot is overwritten only when every block that "
    "gets the slice is done with the old one: barriers, left out here, make them wait. Blocks are numbered row by row; "
    "a kernel chooses the order, and the bits of the mask follow it. Those of the H100 all wanted one tile, and "
    "waited for each other before the next.",
)
