"""How many blocks, and so how many warps, fit on one SM, and which of its resources runs out first."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

Counts = NDArray[np.int64]

KIB = 1024
LANES = 32  # threads in a warp
QUARTERS = 4  # sub-partitions of an SM, each with a scheduler of its own
WARP_SLOTS = 64
REGISTERS = 65_536  # of 32 bits
BLOCK_SLOTS = 32
MOST_THREADS, MOST_REGISTERS = 1024, 255  # of a block, of a thread
REGISTER_UNIT = 256  # registers are handed to a warp in these portions: 8 for each of its threads
SHARED_UNIT = 128  # [B]
RESERVE = 1 * KIB  # shared memory that the system takes for each block [B]
RESOURCES = ("warp slots", "registers", "shared memory", "block slots")


@dataclass(frozen=True)
class Gpu:
    """What differs between the SMs shown: their shared memory.

    `shared` is that of an SM, `opt_in` the most that one block may ask for [B].
    """

    name: str
    shared: int
    opt_in: int


A100 = Gpu("A100", 164 * KIB, 163 * KIB)  # compute capability 8.0
H100 = Gpu("H100", 228 * KIB, 227 * KIB)  # 9.0; the limits of H200 and B200 (10.0) are the same
GPUS = {gpu.name: gpu for gpu in (A100, H100)}


def rounded_up(number: ArrayLike, unit: int) -> Counts:
    """The least multiple of `unit` that is no less than `number`."""
    return -(-np.asarray(number, dtype=np.int64) // unit) * unit


def warp_registers(registers: ArrayLike) -> Counts:
    """Registers that one warp takes, whose threads ask for 1 to 255 each: a multiple of 256.

    References
    ----------
    .. [1] NVIDIA, `cuda_occupancy.h`, cuda-occupancy-h: register allocation unit and granularity.
    """
    asked = np.asarray(registers)
    if (asked < 1).any() or (asked > MOST_REGISTERS).any():
        raise ValueError(f"a thread has 1 to {MOST_REGISTERS} registers, not {registers!r}")
    return rounded_up(asked * LANES, REGISTER_UNIT)


def block_warps(threads: ArrayLike) -> Counts:
    """Warps of a block: its 1 to 1,024 threads in groups of 32, the last of which may be incomplete."""
    asked = np.asarray(threads)
    if (asked < 1).any() or (asked > MOST_THREADS).any():
        raise ValueError(f"a block has 1 to {MOST_THREADS:,} threads, not {threads!r}")
    return rounded_up(asked, LANES) // LANES


def block_shared(shared: ArrayLike) -> Counts:
    """Shared memory that one block takes [B]: what it asks for and 1 KiB of reserve, in portions of 128 B."""
    if (np.asarray(shared) < 0).any():
        raise ValueError(f"a block asks for 0 bytes of shared memory or more, not {shared!r}")
    return rounded_up(np.asarray(shared) + RESERVE, SHARED_UNIT)


def blocks_by(threads: ArrayLike, registers: ArrayLike, shared: ArrayLike, gpu: Gpu = H100) -> Counts:
    """Blocks that each resource of an SM would hold if it were the only one.

    Parameters
    ----------
    threads : array_like of int
        Threads of a block, 1 to 1,024.
    registers : array_like of int
        Registers of a thread, 1 to 255.
    shared : array_like of int
        Shared memory of a block, static and dynamic [B].
    gpu : Gpu
        The machine.

    Returns
    -------
    ndarray, shape (4, ...)
        Blocks by warp slots, registers, shared memory and block slots, in the order of `RESOURCES`. Registers are
        handed out in each sub-partition to whole warps. 0 means that not even one block fits: the launch fails.

    References
    ----------
    .. [1] NVIDIA, `cuda_occupancy.h`, cuda-occupancy-h.
    .. [2] NVIDIA, "CUDA Programming Guide", cuda-cc-tables, tables 30 to 32.
    """
    warps = block_warps(threads)
    by_registers = QUARTERS * (REGISTERS // QUARTERS // warp_registers(registers)) // warps
    by_shared = np.where(np.asarray(shared) > gpu.opt_in, 0, gpu.shared // block_shared(shared))
    limits = np.broadcast_arrays(WARP_SLOTS // warps, by_registers, by_shared, BLOCK_SLOTS)
    return np.stack(limits).astype(np.int64)


def occupancy(threads: ArrayLike, registers: ArrayLike, shared: ArrayLike, gpu: Gpu = H100) -> NDArray[np.float64]:
    """Warps that are on the SM as a share of its warp slots, 0 to 1; parameters as for `blocks_by`."""
    blocks = blocks_by(threads, registers, shared, gpu).min(axis=0)
    return np.asarray(blocks * block_warps(threads) / WARP_SLOTS, dtype=float)


def unrounded(threads: ArrayLike, registers: ArrayLike, shared: ArrayLike, gpu: Gpu = H100) -> NDArray[np.float64]:
    """The occupancy, 0 to 1, if nothing were rounded: single registers and bytes, and blocks that could be cut.

    It is the ceiling of `occupancy`, and like it 0 where a block asks for more shared memory than it may have.
    Parameters as for `blocks_by`.
    """
    warps, asked = block_warps(threads), np.asarray(shared)
    by_registers = REGISTERS / (LANES * np.asarray(registers))
    by_shared = np.where(asked > gpu.opt_in, 0, gpu.shared / (asked + RESERVE) * warps)
    most = np.minimum(np.minimum(by_registers, by_shared), np.minimum(WARP_SLOTS, BLOCK_SLOTS * warps))
    return np.asarray(most / WARP_SLOTS, dtype=float)


def dealt(blocks: int, warps: int) -> Counts:
    """Warps that each block has in each sub-partition when warps are dealt to them in turn, shape (blocks, 4)."""
    places = np.arange(blocks * warps, dtype=np.int64) % QUARTERS
    hands = places.reshape(blocks, warps) if blocks else np.empty((0, warps), dtype=np.int64)
    return np.stack([(hands == quarter).sum(axis=1) for quarter in range(QUARTERS)], axis=1)


def treads(threads: int, shared: int, gpu: Gpu, low: int, high: int) -> list[tuple[int, int, float]]:
    """The staircase of occupancy over registers per thread, each value of `low` to `high` looked at.

    Every tread is the first and last number of registers with one occupancy, and that occupancy, 0 to 1.
    """
    counts = np.arange(low, high + 1)
    heights = occupancy(threads, counts, shared, gpu)
    starts = np.flatnonzero(np.diff(heights, prepend=-1.0))
    ends = np.append(starts[1:], len(counts)) - 1
    return [(int(counts[a]), int(counts[b]), float(heights[a])) for a, b in zip(starts, ends, strict=True)]
