"""Tiles on their way through a few buffers: when each is asked for, lands, and is computed on."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]
Times = NDArray[np.int64]

STAGES = (1, 2, 3, 4, 5)
LATENCIES = (200, 300, 400, 500, 600, 700, 800)  # cycles from asking to landing
COMPUTES = (100, 200, 400)  # cycles of arithmetic on one tile
TRANSFER = 100  # cycles for which one tile fills the memory pipe
WINDOW = 2400  # cycles that are shown
UNIT = 100  # cycles; everything happens at multiples of it
TILE = (128, 128, 64)  # rows of A, columns of B, and the depth that one stage holds of both
ELEMENT = 2  # bytes of a BF16 number
KB = 1024  # bytes; in these units the GPUs' limits are whole numbers
LIMITS = {"A100": 163, "H100": 227}  # KB of shared memory that one block may have


def period(stages: Array | Times | int, latency: int, transfer: int, compute: int) -> Array:
    """Cycles a tile in the steady state: the slowest of arithmetic, memory pipe and the buffers' round trip.

    Parameters
    ----------
    stages : ndarray, shape (n,), or int
        Buffers in shared memory, at least 1.
    latency, transfer, compute : int
        Of one tile [cycles]: from asking to landing, filling the memory pipe (a part of the latency), arithmetic.

    Returns
    -------
    ndarray, shape (n,)
        max(compute, transfer, (latency + compute) / stages) [cycles].

    References
    ----------
    .. [1] "Matmul to Flash Attention", Modular, 2024 (modular-mm2fa): multistage copies on Ampere.
    .. [2] "CUTLASS: Efficient GEMM in CUDA", NVIDIA (cutlass-efficient-gemm), section on pipelining.
    """
    if np.min(stages) < 1:
        raise ValueError(f"a pipeline has at least one stage, not {np.min(stages)}")
    if min(latency, transfer, compute) <= 0:
        raise ValueError(f"times are above 0 cycles, not {min(latency, transfer, compute)}")
    if transfer > latency:
        raise ValueError(f"a transfer of {transfer} cycles does not fit in a latency of {latency}")
    return np.maximum((latency + compute) / np.asarray(stages, dtype=float), max(compute, transfer))


def stage_bytes(rows: int = TILE[0], columns: int = TILE[1], depth: int = TILE[2], element: int = ELEMENT) -> int:
    """Shared memory of one stage [bytes]: a tile of A, rows × depth, and one of B, depth × columns."""
    return (rows + columns) * depth * element


def stages_that_fit(limit: int, stage: int) -> int:
    """How many stages of `stage` bytes one block can have within `limit` bytes."""
    return limit // stage


STAGE_KB = stage_bytes() // KB
FITS = {gpu: stages_that_fit(limit * KB, stage_bytes()) for gpu, limit in LIMITS.items()}


class Schedule(NamedTuple):
    """When things happen to each tile [cycles]. All arrays have the shape (tiles,)."""

    asked: Times  # its buffer is free, and the load begins
    landed: Times
    start: Times  # of the arithmetic
    end: Times  # the buffer is free again


@dataclass(frozen=True)
class Pipeline:
    """One choice of stages and times; `period` says which are refused."""

    stages: int
    latency: int
    transfer: int
    compute: int

    def __post_init__(self) -> None:
        period(self.stages, self.latency, self.transfer, self.compute)

    @cached_property
    def alone(self) -> Pipeline:
        """The same with one buffer: what the others are compared with."""
        return replace(self, stages=1)

    @property
    def trip(self) -> int:
        """The round trip of a buffer: filled, then read [cycles]."""
        return self.latency + self.compute

    @property
    def floor(self) -> int:
        """The period that no number of stages goes below [cycles]."""
        return max(self.compute, self.transfer)

    @property
    def needed(self) -> int:
        """The stages after which more do not help."""
        return -(-self.trip // self.floor)

    @cached_property
    def period(self) -> float:
        """Cycles a tile in the steady state."""
        return float(self.over(self.stages))

    def over(self, stages: Array | Times | int) -> Array:
        """The period that other numbers of stages would give [cycles]."""
        return period(stages, self.latency, self.transfer, self.compute)

    def stall(self, each: float = 0) -> float:
        """How much of the time the arithmetic waits, at this period or at another [%]."""
        return round(100 * (1 - self.compute / (each or self.period)), 9)  # 20% and not a hair beside it

    @property
    def bound(self) -> str:
        """What sets the period: "round trip", "compute" or "memory"; at a tie, what more stages would not change."""
        if self.trip > self.stages * self.floor:
            return "round trip"
        return "compute" if self.compute >= self.transfer else "memory"

    @cached_property
    def shown(self) -> Schedule:
        """The schedule of every tile that is asked for within the window."""
        whole = self.schedule(self.stages + WINDOW // self.floor)
        count = int((whole.asked < WINDOW).sum())
        return Schedule(*(times[:count] for times in whole))

    @cached_property
    def done(self) -> int:
        """Tiles computed on within the window."""
        return int((self.shown.end <= WINDOW).sum())

    def schedule(self, tiles: int) -> Schedule:
        """When each of the first `tiles` tiles is asked for, lands and is computed on.

        The arithmetic takes the tiles in turns of `stages`. A turn takes a round trip, or as long as
        `stages` tiles take at the floor, whichever is longer. Within a turn, tiles follow at the floor.
        A tile lands one latency after it was asked for, but not sooner than a transfer after the tile before.
        """
        index = np.arange(tiles)
        turn, place = np.divmod(index, self.stages)
        start = self.latency + turn * max(self.trip, self.stages * self.floor) + place * self.floor
        end = start + self.compute
        asked = np.concatenate((np.zeros(min(self.stages, tiles), dtype=np.int64), end))[:tiles]
        behind = index * self.transfer
        landed = np.maximum.accumulate(asked + self.latency - behind) + behind
        return Schedule(asked, landed, start, end)


def steady_span(pipeline: Pipeline) -> tuple[int, int, int]:
    """One period of the steady state, in the middle of the window: tiles, from, to [cycles].

    The round trip of the first buffer where that is the bound, one tile's turn where arithmetic or memory is.
    """
    times = pipeline.shown
    if pipeline.bound == "round trip":
        return pipeline.stages, int(times.end[0]), int(times.end[pipeline.stages])
    start = int(times.start[times.start >= pipeline.trip][0])
    return 1, start, start + pipeline.floor


def solve(stages: int, latency: int, compute: int) -> Pipeline:
    return Pipeline(stages, latency, TRANSFER, compute)
