"""A product X·W with numbers of several widths: what moves, how fast it multiplies, and what rounding costs.

.. [1] Williams, Waterman, Patterson, "Roofline", CACM 52(4), 2009, doi:10.1145/1498765.1498785.
.. [2] Open Compute Project, Microscaling Formats v1.0, 2023, section 6.3: 32 numbers share a byte.
.. [3] NVIDIA, CUTLASS, blackwell_functionality.md: products of mixed widths run at the rate of 8 bits.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache, cached_property

import numpy as np
from numpy.typing import NDArray

from .._formats.blocks import MX_BLOCK, mx
from .._formats.floats import rounded

Array = NDArray[np.float64]

SIDE = 8192  # W is SIDE × SIDE, X is batch × SIDE
GIGA, TERA = 10**9, 10**12
BATCHES = (1, 2, 3, 4, 6, 8, 12, 16, 24, 32, 48, 64, 96, 128, 192, 256, 384, 512, 768, 1024, 1536, 2048, 3072, 4096)
RATES = ("FP4", "FP8", "BF16")  # from the narrowest up
BITS = {"BF16": 16.0, "FP8": 8 + 8 / MX_BLOCK, "FP4": 4 + 8 / MX_BLOCK}  # of a number, its part of a scale counted [2]
OUTPUT = 2  # bytes of a result, which is BF16


@dataclass(frozen=True)
class Gpu:
    """Dense rates and bandwidth."""

    name: str
    bandwidth: float  # [B/s], of the HBM
    rates: Mapping[str, float]  # [FLOP/s]; without a narrow one, numbers are widened to the next

    def computes_in(self, width: str) -> str:
        """The width itself, or the next wider one that this GPU multiplies."""
        return next(one for one in RATES[RATES.index(width) :] if one in self.rates)


# The HGX sheet's dense rates, and for the H100 bus width × clock and the white paper's peaks.
GPUS = {
    "B200": Gpu("B200", 7700 * GIGA, {"BF16": 2250 * TERA, "FP8": 4500 * TERA, "FP4": 9000 * TERA}),
    "H100": Gpu("H100", 3352 * GIGA, {"BF16": 989.4 * TERA, "FP8": 1978.9 * TERA}),
}


@dataclass(frozen=True)
class Pair:
    """How wide weights and activations are; their product has the rate of the wider of the two."""

    name: str
    weights: str
    activations: str

    @property
    def wider(self) -> str:
        return max(self.weights, self.activations, key=RATES.index)


PAIRS = {
    pair.name: pair
    for pair in (
        Pair("W16A16", "BF16", "BF16"),
        Pair("W4A16", "FP4", "BF16"),
        Pair("W8A8", "FP8", "FP8"),
        Pair("W4A8", "FP4", "FP8"),
        Pair("W4A4", "FP4", "FP4"),
    )
}


@dataclass(frozen=True, eq=False)  # `case_of` gives the same one for the same parameters
class Case:
    """One pair on a GPU, for a batch of rows."""

    gpu: Gpu
    pair: Pair
    batch: int

    @property
    def weight_bytes(self) -> float:
        """Of W, read once [B]."""
        return SIDE * SIDE * BITS[self.pair.weights] / 8

    @property
    def bytes(self) -> float:
        """Of W, X and the result, each moved once [B]."""
        return self.weight_bytes + self.batch * self.row_bytes

    @property
    def row_bytes(self) -> float:
        """Of one row of X and one of the result [B]."""
        return SIDE * (BITS[self.pair.activations] / 8 + OUTPUT)

    @property
    def flops(self) -> float:
        return 2.0 * self.batch * SIDE * SIDE

    @cached_property
    def computes_in(self) -> str:
        """The numbers that the tensor cores multiply."""
        return self.gpu.computes_in(self.pair.wider)

    @property
    def peak(self) -> float:
        """Their rate [FLOP/s]."""
        return self.gpu.rates[self.computes_in]

    @cached_property
    def memory_time(self) -> float:
        """[s]"""
        return self.bytes / self.gpu.bandwidth

    @cached_property
    def arithmetic_time(self) -> float:
        """[s]"""
        return self.flops / self.peak

    @cached_property
    def time(self) -> float:
        """The longer of the two, which run side by side [1] [s]."""
        return max(self.memory_time, self.arithmetic_time)

    @property
    def rate(self) -> float:
        """[FLOP/s]"""
        return self.flops / self.time

    @property
    def speedup(self) -> float:
        """How many times as fast as 16 by 16 bits for the same batch [1]."""
        return case_of(self.gpu.name, "W16A16", self.batch).time / self.time

    @property
    def memory_bound(self) -> bool:
        return self.memory_time > self.arithmetic_time

    @property
    def knee(self) -> float:
        """The batch from which arithmetic takes longer than the bytes [1]."""
        each = 2.0 * SIDE * SIDE / self.peak - self.row_bytes / self.gpu.bandwidth
        return self.weight_bytes / self.gpu.bandwidth / each

    @cached_property
    def rivals(self) -> list[Case]:
        """All pairs, for the same batch."""
        return [case_of(self.gpu.name, name, self.batch) for name in PAIRS]

    @property
    def error(self) -> float:
        """RMS of the product's error over RMS of the product [%], for random numbers."""
        return error_of(self.pair.weights, self.pair.activations)


@cache
def case_of(gpu: str, pair: str, batch: int) -> Case:
    """The case of these parameters."""
    return Case(GPUS[gpu], PAIRS[pair], batch)


def stored(rows: Array, width: str) -> Array:
    """What is left of rows [1], shape (m, k): BF16, or MXFP8 (E4M3) and MXFP4 in blocks of 32 along the row [2]."""
    if width == "BF16":
        return np.asarray(rounded(rows, "BF16"))
    return np.asarray(mx(rows.reshape(-1, MX_BLOCK), {"FP8": "E4M3", "FP4": "E2M1"}[width]).decoded.reshape(rows.shape))


@cache
def samples() -> tuple[Array, Array]:
    """X and W turned over, both in rows along the sum [1]: standard normal, shape (64, 1024)."""
    dice = np.random.RandomState(11)  # numpy keeps this stream as it is for good
    return dice.standard_normal((64, 1024)), dice.standard_normal((64, 1024))


@cache
def error_of(weights: str, activations: str) -> float:
    """What rounding takes from a product of random numbers, RMS over RMS [%]; sums are exact."""
    x, w = samples()
    exact, found = x @ w.T, stored(x, activations) @ stored(w, weights).T
    return 100 * float(np.sqrt(np.mean((found - exact) ** 2) / np.mean(exact**2)))
