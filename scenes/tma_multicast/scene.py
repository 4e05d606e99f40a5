"""Multicast: tiles that several blocks of a cluster need are read from L2 once."""

from __future__ import annotations

from loom.draw import plain
from loom.scene import Choice, Column, Scene, Table, Toggle, Value

from .drawing import draw
from .model import CLUSTERS, PORTABLE, TILE_BYTES, State, reads, shape_of, steps
from .panel import kib, spoken


def say(state: State) -> str:
    return {"need": say_need, "alone": say_alone, "deliver": say_deliver, "compare": say_compare}[state.phase](state)


def say_need(state: State) -> str:
    rows, columns = state.shape
    if state.blocks == 1:
        return (
            f"One thread block runs on one SM, a core of the GPU. For its tile of the output it needs one tile of A "
            f"and one of B, {kib(1)} KiB each, from the L2 cache that all SMs share."
        )
    sharing = f"A column of {rows} needs the same tile of B"
    if columns > 1:
        sharing = f"A row of {columns} needs the same tile of A, a column of {rows} the same tile of B"
    return (
        f"A cluster is a group of thread blocks that run at once, each on its own SM, a core of the GPU. "
        f"These {state.blocks} compute neighbouring output tiles. {sharing}."
    )


def say_alone(state: State) -> str:
    step = "The output sums over an index k, some of it at a time."
    if state.blocks == 1:
        return f"{step} In every such step the block reads {state.without} tiles from L2, {kib(state.without)} KiB."
    again = state.without - sum(state.shape)
    repeats = f"{again} reads (dashed) fetch" if again > 1 else "One read (dashed) fetches"
    return (
        f"{step} If in such a step every block reads its own two tiles, L2 is read for {state.without} tiles, "
        f"{kib(state.without)} KiB. {repeats} what a neighbour fetches too."
    )


def say_deliver(state: State) -> str:
    rows, columns = state.shape
    if not state.multicast:
        differ = rows + columns
        kinds = f"only {differ} of them differ" if differ < state.without else "with one block, nothing is read twice"
        return (
            f"Each load fills the shared memory of one block, as if a mask of 16 bits named that block alone. "
            f"So L2 is read for {state.without} tiles: {kinds}."
        )
    if state.blocks == 1:
        return f"Alone, a block shares with nobody: its masks name only itself, and it reads {state.reads} tiles."
    slices = ["all of A₀" if columns == 1 else f"1/{columns} of A₀", f"1/{rows} of B₀"]
    gets = [f"{columns} block{'s' * (columns > 1)} for A₀", f"{rows} for B₀"]
    return (
        f"SM 0 asks for {' and '.join(slices)}; its neighbours ask for the rest. A mask of 16 bits names the blocks "
        f"that get a slice: {', '.join(gets)}. L2 is read for {state.reads} tiles, not {state.without}."
    )


def say_compare(state: State) -> str:
    best, limit = shape_of(CLUSTERS[-1]), f"Up to {PORTABLE} blocks are portable from GPU to GPU; 16 must be asked for."
    with_, without = reads(*best, True), reads(*best, False)
    if not state.multicast:
        return (
            f"Without multicast the {spoken(state.cluster)} cluster reads {kib(state.without)} KiB: two tiles for each "
            f"block, however many there are."
        )
    gain = f"reads {kib(state.reads)} KiB in place of {kib(state.without)}"
    if state.blocks == 1:
        return (
            f"One block saves nothing; {best[0] * best[1]} blocks read {plain(without / with_)}× fewer tiles. {limit}"
        )
    return f"The {spoken(state.cluster)} cluster {gain}, {plain(state.without / state.reads)}× fewer. {limit}"


def table(cluster: str, multicast: bool) -> Table:
    columns = (
        Column("cluster", "cluster"),
        Column("blocks", "blocks"),
        Column("tiles_without", "tiles without"),
        Column("tiles_with", "tiles with"),
        Column("bytes_with", "read with multicast", "B"),
        Column("times_fewer", "times fewer", digits=2),
    )
    rows = []
    for name in CLUSTERS:
        shape = shape_of(name)
        without, with_ = reads(*shape, False), reads(*shape, True)
        rows.append((spoken(name), shape[0] * shape[1], without, with_, with_ * TILE_BYTES, without / with_))
    return Table(columns, rows)


def values(cluster: str, multicast: bool) -> dict[str, Value]:
    rows, columns = shape_of(cluster)
    read, without = reads(rows, columns, multicast), reads(rows, columns, False)
    return {
        "reads": Value(read),
        "bytes": Value(read * TILE_BYTES, "B"),
        "times": Value(without / read, "×"),
        "without": Value(without),
        "blocks": Value(rows * columns),
        "a_shared": Value(columns),
        "b_shared": Value(rows),
    }


SCENE = Scene(
    title="Why should an SM fetch a tile that its neighbour has fetched?",
    summary="Blocks of a cluster that need the same tile let it be read from L2 once and delivered to all of them.",
    params=(
        Choice("cluster", "Cluster", {name: spoken(name) for name in CLUSTERS}, default="2x2"),
        Toggle("multicast", "Multicast", default=True),
    ),
    sentence="A cluster of {cluster} thread blocks, with multicast {multicast}.",
    steps=steps,
    draw=draw,
    say=say,
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
