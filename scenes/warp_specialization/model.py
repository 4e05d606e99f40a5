"""A row of tiles through copy, product and epilogue, as three generations of GPUs divide the work: an event model."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Times = NDArray[np.int64]

GENERATIONS = ("Ampere", "Hopper", "Blackwell")
EPILOGUES = tuple(range(1, 8))  # [units]
TILES = 6
COPY, PRODUCT = 3, 4  # [units] a tile's operands into shared memory; its product on the tensor cores
ISSUE = 1  # [units] all warps issuing the copies of one tile with cp.async; one TMA instruction counts as nothing
READ_OUT = 1  # [units] the first part of a Blackwell epilogue: the sums go from tensor memory to registers
STAGES = 2  # tiles that shared memory holds, and accumulators that exist on Hopper and Blackwell
WARP = 32  # threads
WARPS = 8  # warps that multiply or write out, in two warpgroups of four
ISSUERS = {"Ampere": WARPS * WARP, "Hopper": WARPS // 2 * WARP, "Blackwell": 1}  # threads issuing one tile's product


@dataclass(frozen=True, eq=False)  # arrays have no single truth value to compare by
class Schedule:
    """When each tile is copied, multiplied and written out: arrays of shape (tiles,) [units]."""

    generation: str
    copy: Times  # starts; each lasts COPY
    product: Times  # starts; each lasts PRODUCT
    epilogue: Times  # starts
    done: Times  # the tile is written
    free: Times  # its accumulator may be overwritten

    @property
    def landed(self) -> Times:
        """When each tile's operands are in shared memory."""
        return self.copy + COPY

    @property
    def multiplied(self) -> Times:
        """When each tile's product is complete."""
        return self.product + PRODUCT

    @property
    def total(self) -> int:
        """When the last tile is written [units]."""
        return int(self.done.max())

    def worked(self, start: float, end: float) -> float:
        """The time within `start` to `end` in which the tensor cores multiply [units]."""
        return float((np.minimum(self.multiplied, end) - np.maximum(self.product, start)).clip(0).sum())

    @property
    def busy(self) -> float:
        """Share of the whole run in which the tensor cores multiply."""
        return self.worked(0, self.total) / self.total

    @property
    def steady(self) -> float:
        """The same share over two tiles in the middle of the run, from the start of one product to another's."""
        first, second = float(self.product[2]), float(self.product[4])
        return self.worked(first, second) / (second - first)


@dataclass(frozen=True)
class Compared:
    """The same run on all generations."""

    epilogue: int
    runs: tuple[Schedule, ...]

    @property
    def ends(self) -> tuple[int, ...]:
        """When the chapters of the story end: copied, multiplied, written on the oldest, all written on the newer."""
        slow, *newer = self.runs
        return int(slow.landed[0]), int(slow.multiplied[0]), int(slow.done[0]), max(run.total for run in newer)


def compare(epilogue: int) -> Compared:
    """All generations side by side; writing a tile out takes `epilogue` [units]."""
    return Compared(epilogue, tuple(schedule(name, epilogue) for name in GENERATIONS))


def schedule(generation: str, epilogue: int, tiles: int = TILES) -> Schedule:
    """When each of `tiles` output tiles is copied, multiplied and written out, as early as the arrangement allows.

    Parameters
    ----------
    generation : str
        "Ampere": all warps issue copies, multiply and write out, one after another. "Hopper": one thread issues TMA
        copies; two warpgroups take turns with products, each keeps its sums in registers and writes them out.
        "Blackwell": one thread launches products into two accumulators in tensor memory; two warpgroups write out.
    epilogue : int
        Time to write one tile out [units], at least `READ_OUT`.
    tiles : int
        Number of tiles, at least 1. Raises ValueError for fewer, as for the others where they are out of range.

    References
    ----------
    .. [1] Shah et al., "FlashAttention-3", 2024, arXiv:2407.08608, section 3.1 (producer, consumers, ping-pong).
    .. [2] NVIDIA, PTX ISA, sections on cp.async, wgmma and tcgen05.
    """
    if generation not in GENERATIONS:
        raise ValueError(f"generation is one of {GENERATIONS}, not {generation!r}")
    if tiles < 1 or epilogue < READ_OUT:
        raise ValueError(f"needs a tile and an epilogue of {READ_OUT} or more, not {tiles} and {epilogue}")
    columns = _one_crew(epilogue, tiles) if generation == "Ampere" else _two_crews(generation, epilogue, tiles)
    return Schedule(generation, *(np.array(column, dtype=np.int64) for column in columns))


Columns = tuple[list[int], list[int], list[int], list[int], list[int]]


def _one_crew(epilogue: int, tiles: int) -> Columns:
    """Ampere: one program for all warps. It issues copies, waits, multiplies, refills the stage, writes out."""
    copy: list[int] = []
    product: list[int] = []
    starts: list[int] = []
    now = 0
    for step in range(-min(STAGES, tiles), tiles):  # before the first product only copies are issued
        if step >= 0:
            product.append(max(now, copy[step] + COPY))
            now = product[step] + PRODUCT
        if len(copy) < tiles:
            now += ISSUE
            copy.append(max(now, copy[-1] + COPY if copy else 0))
        if step >= 0:
            starts.append(now)
            now += epilogue
    done = [start + epilogue for start in starts]
    return copy, product, starts, done, done


def _two_crews(generation: str, epilogue: int, tiles: int) -> Columns:
    """Hopper and Blackwell: copies, products and epilogues wait for each other only through barriers."""
    columns: Columns = ([], [], [], [], [])
    copy, product, starts, done, free = columns
    for tile in range(tiles):
        before, turn = tile - 1, tile - STAGES  # the last tile; the last one in this stage, accumulator, warpgroup
        emptied = product[turn] + PRODUCT if turn >= 0 else 0
        copy.append(max(emptied, copy[before] + COPY if tile else 0))
        cores = product[before] + PRODUCT if tile else 0
        product.append(max(copy[tile] + COPY, cores, free[turn] if turn >= 0 else 0))
        starts.append(max(product[tile] + PRODUCT, done[turn] if turn >= 0 else 0))
        done.append(starts[tile] + epilogue)
        free.append(starts[tile] + READ_OUT if generation == "Blackwell" else done[tile])
    return columns
