"""One kind of weights: its rounding, its products, and the bytes that it takes; and one row of it, picked."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

import numpy as np

from .data import ACTIVATIONS, COLUMNS, ROWS, matrix_of, sample_of
from .model import Array, Fidelity, Operations, Whole, absmean, fidelity, operations, partial_sums, ternary
from .packing import BLOCK, bits_per_weight, digits_of, packed, tq1_0, tq2_0

BINS, REACH = 49, 3.5  # of the histogram: w / γ from −REACH to REACH
WEIGHT_BITS = 16  # [bit] of a BF16 weight
DENSE = ROWS * COLUMNS  # multiplications, and as many additions, of the dense product


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
