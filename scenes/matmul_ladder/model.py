"""A published series of matrix products on one B200: eight kernels, their speeds, and what each changed."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]

SIDE = 4096  # rows and columns of all three matrices, BF16 (Part 2, introduction)
CUBLAS = 1763.0  # [TFLOP/s] NVIDIA's library on the same product (Part 1, "Data types and casting")
PEAK = 2250.0  # [TFLOP/s] dense BF16 peak of a B200 (Part 1, the same paragraph)
# What the posts say in words, beside what their own figures give.
SAID_TIMES = 28  # kernel 2 over kernel 1 (Part 2, kernel 2)
SAID_SLOWER = 0.7  # [%] kernel 4 under kernel 3 (Part 2, kernel 4); the two figures say faster
SAID_MORE = 64.0  # [TFLOP/s] kernel 7 over kernel 6 (Part 3, kernel 7)
SAID_OF_CUBLAS = 100.6  # [%] kernel 8 (Part 4)
OUTPUT_TILE = 64  # rows and columns of a block's tile in kernel 2 (Part 2, "Shared memory")
STAGES = 5  # of kernel 6's ring of tiles (Part 3, kernel 6)


@dataclass(frozen=True)
class Rung:
    """One kernel of the series. `speed` in TFLOP/s with `decimals` as published; `part` is the post that has it."""

    name: str
    change: str
    speed: float
    part: int
    decimals: int = 0

    @property
    def shown(self) -> str:
        """The speed with the digits of its source."""
        return f"{self.speed:,.{self.decimals}f}"


RUNGS = (
    Rung("four lines of code", "one thread for each number of the result", 5.0, 1),  # "5 TFLOPs"
    Rung("TMA and tensor cores", "tiles copied by TMA, multiplied by tcgen05", 155.0, 2, 1),  # kernel 2
    Rung("128-byte swizzle", "tiles without bank conflicts, one copy instead of eight", 288.3, 2, 1),  # kernel 3
    Rung("output stored by TMA", "output packed in shared memory, stored by TMA", 293.6, 2, 1),  # kernel 4
    Rung("pairs of SMs, multicast", "two SMs share one multiplication, tiles go to several SMs", 360.2, 3, 1),  # 5
    Rung("five stages, warp roles", "copies and multiplications overlap", 1429.0, 3),  # kernel 6
    Rung("two output buffers", "output stored while the next part is moved", 1429.0 + SAID_MORE, 3),  # kernel 7
    Rung("blocks that stay", "blocks fetch tile after tile (cluster launch control)", 1772.0, 4),  # kernel 8
)
SPEEDS: Array = np.array([rung.speed for rung in RUNGS])


def factors(speeds: Array) -> Array:
    """Each rung's speed over that of the rung before.

    Parameters
    ----------
    speeds : ndarray, shape (n,)
        Speeds of the rungs, in order [TFLOP/s].

    Returns
    -------
    ndarray, shape (n - 1,)
        speeds[i + 1] / speeds[i]; their product is the last over the first.

    References
    ----------
    .. [1] Taha, Liu, Wang, Dakkak, "Matrix Multiplication on Blackwell", parts 1 to 4, 2025:
       modular-bw1, modular-bw2, modular-bw3, modular-bw4.
    """
    if not (np.isfinite(speeds) & (speeds > 0)).all():
        raise ValueError(f"speeds are positive numbers of TFLOP/s, not {speeds.tolist()}")
    return speeds[1:] / speeds[:-1]


def share(speed: float | Array, whole: float) -> float | Array:
    """`speed` in percent of `whole`, both in TFLOP/s: the peak, or cuBLAS."""
    return 100 * speed / whole


def two_digits(factor: float) -> float:
    """`factor` with two significant digits: the first rung is published as a whole number, 5."""
    return float(f"{factor:.1e}")


@dataclass(frozen=True)
class Climb:
    """A climb from the rung `base`, counted from 1, to the last. Nothing is worked out but factors."""

    base: int

    def __post_init__(self) -> None:
        if not 1 <= self.base < len(RUNGS):
            raise ValueError(f"a climb begins at rung 1 to {len(RUNGS) - 1}, not {self.base}")

    def factor(self, rung: int) -> float:
        """The speed of a rung, counted from 1, over that of the first of the climb."""
        return RUNGS[rung - 1].speed / RUNGS[self.base - 1].speed
