"""What a Hopper tensor core (wgmma) makes of products and an accumulator: the sum of one instruction, to the bit.

Products keep the exponent that their factors' exponents add up to: 1.5 · 1.5 = 2.25 counts as 2.25 · 2^0. They and the
accumulator are cut toward zero at some fraction bits of the greatest exponent among them, added exactly, and the sum
is cut toward zero again, at fraction bits of its own exponent. Nothing is rounded, and the order does not matter.

.. [1] Zhao et al., "Insights into DeepSeek-V3", 2025, arXiv:2505.09343, section 3.1: 13 fraction bits.
.. [2] Xie et al., "MMA-Sim: Bit-Accurate Reference Model of Tensor Cores and Matrix Cores", 2025, arXiv:2511.10909.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

Numbers = NDArray[np.float64]
Exponents = NDArray[np.int64]

LEAST = -126  # exponent of the accumulator's subnormals, which is a float32
NONE = -10_000  # exponent of a zero, which no other is aligned to


class Adder(NamedTuple):
    """How one instruction adds."""

    terms: int  # products of one sum
    aligned: int  # fraction bits that are kept of the addends
    kept: int  # fraction bits that are kept of the sum


FP8 = Adder(32, 13, 13)  # E4M3 and E5M2
HALF = Adder(16, 25, 23)  # FP16 and BF16


def exponents(values: ArrayLike, least: int = LEAST) -> Exponents:
    """The exponent of each value, floor(log2 |v|) but at least `least`, where the subnormals begin; `NONE` for 0."""
    numbers = np.asarray(values, dtype=np.float64)
    found = np.maximum((numbers.view(np.int64) >> 52 & 0x7FF) - 1023, least)  # the field of an exponent; frexp is slow
    return np.where(numbers == 0, NONE, found)


def product_exponents(a: ArrayLike, b: ArrayLike, least: int) -> Exponents:
    """The exponents that products count as: those of their factors added up; `NONE` where one of them is 0."""
    powers = exponents(a, least) + exponents(b, least)
    return np.where(powers < NONE // 2, NONE, powers)


def cut(values: ArrayLike, exponent: ArrayLike, bits: int) -> Numbers:
    """The values cut toward zero to `bits` fraction bits of 2^exponent."""
    step = np.ldexp(1.0, np.asarray(exponent, dtype=np.int64) - bits)  # a power of two: dividing by it is exact
    return np.asarray(np.trunc(np.asarray(values, dtype=np.float64) / step) * step)


def alignment(powers: ArrayLike, accumulator: ArrayLike) -> Exponents:
    """The exponent that all are aligned to: the greatest of the products', shape (..., terms), and the accumulator's.

    0 where there is nothing but zeros.
    """
    top = np.maximum(np.max(powers, axis=-1, initial=NONE), exponents(accumulator))
    return np.where(top == NONE, 0, top)


def kept(total: ArrayLike, adder: Adder = FP8) -> Numbers:
    """What is kept of an exact sum: it is cut to fraction bits of its own exponent."""
    own = exponents(total)
    return cut(total, np.where(own == NONE, 0, own), adder.kept)


def multiply_add(
    a: ArrayLike, b: ArrayLike, accumulator: ArrayLike, smallest_normal: float, adder: Adder = FP8
) -> Numbers:
    """What one instruction gives for Σ a·b + accumulator [1].

    Parameters
    ----------
    a, b : array_like, shape (..., terms)
        Factors, values of one format.
    accumulator : array_like, shape (...)
        Values of float32; with more axes in front, each of these accumulators is added to.
    smallest_normal : float
        Of the factors' format: subnormals have its exponent, and keep their leading zeros.
    adder : Adder
        `FP8` or `HALF`.
    """
    a, b, accumulator = (np.asarray(part, dtype=np.float64) for part in (a, b, accumulator))
    least = int(exponents(smallest_normal))
    top = alignment(product_exponents(a, b, least), accumulator)
    parts = cut(a * b, top[..., None], adder.aligned)
    return kept(parts.sum(axis=-1) + cut(accumulator, top, adder.aligned), adder)


def dot(a: ArrayLike, b: ArrayLike, smallest_normal: float, promote: int = 0, adder: Adder = FP8) -> Numbers:
    """Dot products of any length, an instruction after the other.

    Parameters
    ----------
    a, b : array_like, shape (..., length)
        Factors; the length is a multiple of `adder.terms`.
    smallest_normal : float
        As for `multiply_add`.
    promote : int
        Terms after which a sum is added to a float32 total and starts at 0 again; 0 is never.
    """
    a, b = np.broadcast_arrays(np.asarray(a, dtype=np.float64), np.asarray(b, dtype=np.float64))
    totals, sums = np.zeros(a.shape[:-1], dtype=np.float32), np.zeros(a.shape[:-1])
    for start in range(0, a.shape[-1], adder.terms):
        now = (..., slice(start, start + adder.terms))
        sums = multiply_add(a[now], b[now], sums, smallest_normal, adder)
        if promote and (start + adder.terms) % promote == 0:
            totals, sums = totals + sums.astype(np.float32), np.zeros_like(sums)
    return np.asarray(totals + sums.astype(np.float32), dtype=np.float64)
