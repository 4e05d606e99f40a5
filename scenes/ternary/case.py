"""Three kinds of weights: a small matrix of each and a large sample, their rounding, products and bytes."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

import numpy as np

from .model import Array, Fidelity, Operations, Whole, absmean, fidelity, operations, partial_sums, ternary
from .packing import BLOCK, bits_per_weight, digits_of, packed, tq1_0, tq2_0

BELL, HEAVY, TRAINED = KINDS = ("bell", "heavy", "trained")
ROWS, COLUMNS = 6, 10
SAMPLE = 2**20  # weights, for the statistics
SPREAD = 0.08  # of nearly ternary weights around −1, 0 and 1
# Seeds of matrices that are like their sample: by zeros, by SQNR, and by the error of the product.
SEEDS = {BELL: 729, HEAVY: 1287, TRAINED: 159}
# 8-bit activations, none negative as after a ReLU: so an addition always goes up. The largest is 127, as in BitNet.
ACTIVATIONS = np.array([34, 81, 12, 127, 57, 46, 93, 22, 68, 105])
BINS, REACH = 49, 3.5  # of the histogram: w / γ from −REACH to REACH
WEIGHT_BITS = 16  # [bit] of a BF16 weight
DENSE = ROWS * COLUMNS  # multiplications, and as many additions, of the dense product


def weights_of(kind: str, shape: tuple[int, ...], seed: int) -> Array:
    """Made-up weights with a root mean square of about 1 [1], of the given shape.

    "bell" is Gaussian, "heavy" has the heavier tails of Laplace's distribution, "trained" is a mixture of three narrow
    bells, equally likely, around −1, 0 and 1 times √1.5. Raises ValueError for another kind.
    """
    rng = np.random.default_rng(seed)
    if kind == BELL:
        return rng.standard_normal(shape)
    if kind == HEAVY:
        return rng.laplace(0, 0.5**0.5, shape)
    if kind == TRAINED:
        middles = rng.integers(-1, 2, shape)
        return np.asarray(1.5**0.5 * (middles + SPREAD * rng.standard_normal(shape)))
    raise ValueError(f"unknown kind of weights '{kind}', expected one of {', '.join(KINDS)}")


def matrix_of(kind: str) -> Array:
    """The drawn matrix, shape (6, 10), to two decimals so that what is shown adds up."""
    return weights_of(kind, (ROWS, COLUMNS), SEEDS[kind]).round(2) + 0.0


def sample_of(kind: str) -> Array:
    """A million weights of the same kind, shape (SAMPLE,)."""
    return weights_of(kind, (SAMPLE,), SEEDS[kind] + 1)


@dataclass(frozen=True, eq=False)  # arrays have no single truth value to compare by
class Case:
    """One kind of weights: a small matrix, and what a million of them come to."""

    kind: str
    weights: Array  # [1], shape (rows, columns), as are the next three
    trits: Whole
    sums: Whole  # partial sums of the ternary product
    exact: Array  # partial sums of the product with the weights as they are
    gamma: float
    outputs: Array  # the ternary product times γ, shape (rows,)
    error: float  # RMS of the outputs' errors over the RMS of the exact outputs [%]
    operations: Operations  # of the whole matrix times the activations
    numbers: Whole  # each row as two numbers of base 3, shape (rows, 2)
    fidelity: Fidelity  # of a million weights
    shares: list[float]  # how many of them become −1, 0 and 1 [%]
    histogram: Array  # their share in each bin of w / γ; what lies beyond the ends is left out
    packed: float  # five weights in a byte, and a scale for 256 [bit per weight]
    two_bit: float  # two bits each, and a scale for 256 [bit per weight]


@cache  # the rows that can be picked share it
def case_of(kind: str) -> Case:
    """The case of this kind of weights."""
    weights, sample = matrix_of(kind), sample_of(kind)
    gamma, large = absmean(weights), fidelity(sample)
    trits, rounded = ternary(weights, gamma), ternary(sample, large.gamma)
    sums, exact = partial_sums(trits, ACTIVATIONS), np.cumsum(weights * ACTIVATIONS, axis=1)
    outputs, wanted = gamma * sums[:, -1], exact[:, -1]
    error = 100 * float(np.sqrt(np.mean((outputs - wanted) ** 2) / np.mean(wanted**2)))
    shares = [100 * float((rounded == value).mean()) for value in (-1, 0, 1)]
    counts, _ = np.histogram(sample / large.gamma, BINS, (-REACH, REACH))
    sizes = [bits_per_weight(pack(rounded[:BLOCK], gamma)) for pack in (tq1_0, tq2_0)]
    return Case(kind, weights, trits, sums, exact, gamma, outputs, error, operations(trits), packed(trits), large,
                shares, counts / sample.size, *sizes)  # fmt: skip


@dataclass(frozen=True, eq=False)
class Picked:
    """A row of the matrix."""

    case: Case
    row: int  # from 1
    weights: Array  # [1], shape (columns,), as are the next two
    trits: Whole
    digits: Whole  # of base 3
    numbers: list[int]  # the row as two numbers of base 3
    operations: Operations
    sum: int  # the ternary product before it is scaled
    output: float
    exact: float


def picked(data: str, row: int) -> Picked:
    """A row, counted from 1, of the matrix of a kind."""
    case, at = case_of(data), row - 1
    trits, results = case.trits[at], (int(case.sums[at, -1]), float(case.outputs[at]), float(case.exact[at, -1]))
    return Picked(case, row, case.weights[at], trits, digits_of(trits), case.numbers[at].tolist(), operations(trits),
                  *results)  # fmt: skip
