"""The four steps: the cluster, its reads block by block, the chosen way, and all clusters compared."""

from __future__ import annotations

from loom.draw import count, plain
from loom.scene import Moment, Phase

from .model import CLUSTERS, PORTABLE, kib, solve


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


PHASES = (
    Phase("need", say_need),
    Phase("alone", say_alone),
    Phase("deliver", say_deliver),
    Phase("compare", say_compare),
)
