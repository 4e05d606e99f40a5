"""Multicast: tiles that several blocks of a cluster need are read from L2 once."""

from __future__ import annotations

from loom.scene import Choice, Column, Scene, Table, Toggle, Value

from .drawing import draw
from .model import CLUSTERS, TILE_BYTES, Cluster, solve
from .narration import PHASES


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
    steps=PHASES,
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
