"""What the steps show: one kind of weights, its rounding, its products, and the bytes that it takes."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache, cached_property

import numpy as np

from .data import ACTIVATIONS, COLUMNS, ROWS, matrix_of, sample_of
from .model import Array, Fidelity, Operations, Whole, absmean, fidelity, operations, partial_sums, ternary
from .packing import BLOCK, bits_per_weight, digits_of, packed, tq1_0, tq2_0

STEPS = WEIGHTS, GAMMA, ROUNDED, PRODUCT, SCALED, PACKED = range(1, 7)
BINS, REACH = 49, 3.5  # of the histogram: w / γ from −REACH to REACH
WEIGHT_BITS = 16  # [bit] of a BF16 weight


@dataclass(frozen=True)
class Case:
    """One kind of weights."""

    kind: str

    @cached_property
    def weights(self) -> Array:
        return matrix_of(self.kind)

    @cached_property
    def gamma(self) -> float:
        return absmean(self.weights)

    @cached_property
    def trits(self) -> Whole:
        return ternary(self.weights, self.gamma)

    @cached_property
    def sums(self) -> Whole:
        """Partial sums of the ternary product, shape (rows, columns)."""
        return partial_sums(self.trits, ACTIVATIONS)

    @cached_property
    def exact(self) -> Array:
        """Partial sums of the product with the weights as they are, shape (rows, columns)."""
        return np.asarray(np.cumsum(self.weights * ACTIVATIONS, axis=1))

    @cached_property
    def outputs(self) -> Array:
        """The ternary product times γ, shape (rows,)."""
        return np.asarray(self.gamma * self.sums[:, -1])

    @cached_property
    def error(self) -> float:
        """RMS of the outputs' errors over the RMS of the exact outputs [%]."""
        exact = self.exact[:, -1]
        return 100 * float(np.sqrt(np.mean((self.outputs - exact) ** 2) / np.mean(exact**2)))

    @cached_property
    def operations(self) -> Operations:
        """Of the whole matrix times the activations."""
        return operations(self.trits)

    @cached_property
    def numbers(self) -> Whole:
        """Each row as two numbers of base 3, shape (rows, 2)."""
        return packed(self.trits)

    @cached_property
    def _sample(self) -> Array:
        return sample_of(self.kind)

    @cached_property
    def fidelity(self) -> Fidelity:
        """Of a million weights of this kind."""
        return fidelity(self._sample)

    @cached_property
    def shares(self) -> tuple[float, float, float]:
        """How many of a million weights become −1, 0 and 1 [%]."""
        trits = ternary(self._sample, self.fidelity.gamma)
        low, middle, high = (100 * float((trits == value).mean()) for value in (-1, 0, 1))
        return low, middle, high

    @cached_property
    def histogram(self) -> Array:
        """The share of a million weights in each bin of w / γ; what lies beyond the ends is left out."""
        counts, _ = np.histogram(self._sample / self.fidelity.gamma, BINS, (-REACH, REACH))
        return counts / self._sample.size

    @cached_property
    def packed(self) -> float:
        """Five weights in a byte, and a scale for 256 [bit per weight]."""
        return bits_per_weight(tq1_0(self._block, self.gamma))

    @cached_property
    def two_bit(self) -> float:
        """Two bits each, and a scale for 256 [bit per weight]."""
        return bits_per_weight(tq2_0(self._block, self.gamma))

    @property
    def _block(self) -> Whole:
        return ternary(self._sample[:BLOCK], self.fidelity.gamma)


@cache
def case_of(kind: str) -> Case:
    """The case of this kind of weights, computed once."""
    return Case(kind)


@dataclass(frozen=True)
class State:
    """One step, with one row of the matrix picked."""

    case: Case
    row: int  # from 1
    step: int

    @property
    def at(self) -> int:
        return self.row - 1

    @property
    def weights(self) -> Array:
        """The picked row, shape (columns,)."""
        return np.asarray(self.case.weights[self.at])

    @property
    def trits(self) -> Whole:
        return np.asarray(self.case.trits[self.at])

    @property
    def digits(self) -> Whole:
        """Of base 3."""
        return digits_of(self.trits)

    @property
    def numbers(self) -> list[int]:
        """The row as two numbers of base 3."""
        return [int(number) for number in self.case.numbers[self.at]]

    @property
    def operations(self) -> Operations:
        return operations(self.trits)

    @property
    def sum(self) -> int:
        """The ternary product before it is scaled."""
        return int(self.case.sums[self.at, -1])

    @property
    def output(self) -> float:
        return float(self.case.outputs[self.at])

    @property
    def exact(self) -> float:
        return float(self.case.exact[self.at, -1])

    @property
    def is_rounded(self) -> bool:
        return self.step >= ROUNDED


DENSE = ROWS * COLUMNS  # multiplications, and as many additions, of the dense product
