"""Multicast: tiles that several blocks of a cluster need are read from L2 once."""

from __future__ import annotations

from loom.draw import count, plain
from loom.scene import Choice, Column, Moment, Phase, Scene, Table, Toggle, Value

from .drawing import draw
from .model import CLUSTERS, PORTABLE, TILE_BYTES, Cluster, kib, solve


def say_need(moment: Moment) -> str:
    one = moment.result
    if one.blocks == 1:
        return (
            f"One thread block runs on one SM, a core of the GPU. For its tile of the output it needs one tile of A "
            f"and one of B, {kib(1)} KiB each, from the L2 cache that all SMs share."
        )
    sharing = f"A column of {one.rows} needs the same tile of B"
    if one.columns > 1:
        sharing = f"A row of {one.columns} needs the same tile of A, a column of {one.rows} the same tile of B"
    return (
        f"A cluster is a group of thread blocks that run at once, each on its own SM, a core of the GPU. "
        f"These {one.blocks} compute neighbouring output tiles. {sharing}."
    )


def say_alone(moment: Moment) -> str:
    one, step = moment.result, "The output sums over an index k, some of it at a time."
    if one.blocks == 1:
        return f"{step} In every such step the block reads {one.without} tiles from L2, {kib(one.without)} KiB."
    again = one.without - one.least
    repeats = f"{again} reads (dashed) fetch" if again > 1 else "One read (dashed) fetches"
    return (
        f"{step} If in such a step every block reads its own two tiles, L2 is read for {one.without} tiles, "
        f"{kib(one.without)} KiB. {repeats} what a neighbour fetches too."
    )


def say_deliver(moment: Moment) -> str:
    one, rows, columns = moment.result, moment.result.rows, moment.result.columns
    if not one.multicast:
        kinds = f"only {one.least} of them differ" if one.blocks > 1 else "with one block, nothing is read twice"
        return (
            f"Each load fills the shared memory of one block, as if a mask of 16 bits named that block alone. "
            f"So L2 is read for {one.without} tiles: {kinds}."
        )
    if one.blocks == 1:
        return f"Alone, a block shares with nobody: its masks name only itself, and it reads {one.reads} tiles."
    slices = f"{'all' if columns == 1 else f'1/{columns}'} of A₀ and 1/{rows} of B₀"
    return (
        f"SM 0 asks for {slices}; its neighbours ask for the rest. A mask of 16 bits names the blocks "
        f"that get a slice: {count(columns, 'block')} for A₀, {rows} for B₀. L2 is read for {one.reads} tiles, "
        f"not {one.without}."
    )


def say_compare(moment: Moment) -> str:
    one, best = moment.result, solve(CLUSTERS[-1], True)
    limit = f"Up to {PORTABLE} blocks are portable from GPU to GPU; 16 must be asked for."
    if not one.multicast:
        return (
            f"Without multicast the {one.name} cluster reads {kib(one.without)} KiB: two tiles for each block, however "
            "many there are."
        )
    if one.blocks == 1:
        fewer = plain(best.without / best.least)
        return f"One block saves nothing; {best.blocks} blocks read {fewer}× fewer tiles. {limit}"
    return (
        f"The {one.name} cluster reads {kib(one.reads)} KiB in place of {kib(one.without)}, "
        f"{plain(one.without / one.reads)}× fewer. {limit}"
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
    every = [solve(name, True) for name in CLUSTERS]
    rows = [
        (one.name, one.blocks, one.without, one.least, one.least * TILE_BYTES, one.without / one.least) for one in every
    ]
    return Table(columns, rows)


def values(one: Cluster) -> dict[str, Value]:
    return {
        "reads": Value(one.reads),
        "bytes": Value(one.reads * TILE_BYTES, "B"),
        "times": Value(one.without / one.reads, "×"),
        "without": Value(one.without),
        "blocks": Value(one.blocks),
        "a_shared": Value(one.columns),
        "b_shared": Value(one.rows),
    }


SCENE = Scene(
    title="Why should an SM fetch a tile that its neighbour has fetched?",
    summary="Blocks of a cluster that need the same tile let it be read from L2 once and delivered to all of them.",
    params=(
        Choice("cluster", "Cluster", {name: solve(name, True).name for name in CLUSTERS}, default="2x2"),
        Toggle("multicast", "Multicast", default=True),
    ),
    sentence="A cluster of {cluster} thread blocks, with multicast {multicast}.",
    solve=solve,
    steps=(
        Phase("need", say_need),
        Phase("alone", say_alone),
        Phase("deliver", say_deliver),
        Phase("compare", say_compare),
    ),
    draw=draw,
    table=table,
    values=values,
    opening=3,
    key_steps=(1, -1),
    sources=("modular-bw3", "colfax-tma", "ptx-isa", "hopper-tuning", "blackwell-tuning"),
    leaves_out="One step along k, with tiles of 128 × 64 numbers in BF16. It counts reads of L2, not those that "
    "miss and go on to HBM, nor the time that is saved. Blocks of a cluster can also read each other's shared memory. "
    "All of them must be resident together, and a slot is overwritten only when every block that gets the slice is "
    "done with the old one: barriers, left out here, make them wait for each other. Blocks are numbered row by row; a "
    "kernel chooses the order, and the bits of the mask follow it.",
)
