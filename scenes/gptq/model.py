"""GPTQ with two weights: the first is rounded, the second makes up for it, then it is rounded too.

.. [1] Frantar et al., "GPTQ", 2022, arXiv:2210.17323, equation 2: with e off, the others move by
   −e times a row of H⁻¹ over its diagonal.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache, cached_property, lru_cache

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]

WEIGHTS = tuple(tenth / 10 for tenth in range(11))  # of either weight, in steps of the codes
ALIKE = (-0.9, 0.0, 0.9)  # correlation of the two inputs
INPUTS = 8  # of each weight, that are drawn
SEED = 2677  # mixed signs, and none of them far out


@cache
def hessian(alike: float) -> Array:
    """Mean of x·xᵀ over inputs of mean square 1 [1], shape (2, 2); GPTQ's H is twice that [1]_."""
    return np.array([[1.0, alike], [alike, 1.0]])


@cache
def inputs(alike: float) -> Array:
    """What the two weights meet [1], shape (2, 8): mean squares of 1, and `alike` as the mean product."""
    one, free = np.random.default_rng(SEED).uniform(-1, 1, (2, INPUTS))
    one = one / np.sqrt(np.mean(one**2))
    free = free - np.mean(one * free) * one
    return np.stack([one, alike * one + np.sqrt((1 - alike**2) / np.mean(free**2)) * free])


def output_error(off: Array, alike: float) -> float:
    """Root mean square of the output's error [steps · input], for weights that are `off` by so much, shape (2,)."""
    return float(np.sqrt(max(off @ hessian(alike) @ off, 0.0)))


def moved(weights: Array, first: float, alike: float) -> float:
    """The second weight after the first has been rounded to `first` [steps], by GPTQ's rule [1]_."""
    inverse = np.linalg.inv(hessian(alike))
    off = weights[0] - first
    return float(weights[1] - off * inverse[0, 1] / inverse[0, 0])


@dataclass(frozen=True)
class Case:
    """Two weights, and how alike their inputs are."""

    one: float  # the weights [steps]
    two: float
    alike: float

    @cached_property
    def weights(self) -> Array:
        return np.array([self.one, self.two])

    @cached_property
    def nearest(self) -> Array:
        """Each weight at its nearest step, ties to even [steps]."""
        return np.rint(self.weights)

    @cached_property
    def moved(self) -> float:
        """The second weight, before it is rounded [steps]."""
        return moved(self.weights, float(self.nearest[0]), self.alike)

    @cached_property
    def chosen(self) -> Array:
        """What GPTQ stores [steps]."""
        return np.array([self.nearest[0], np.rint(round(self.moved, 9))])

    @cached_property
    def plain_error(self) -> float:
        """Of the output, each weight at its nearest [steps · input]."""
        return output_error(self.nearest - self.weights, self.alike)

    @cached_property
    def error(self) -> float:
        """Of the output, as GPTQ has it [steps · input]."""
        return output_error(self.chosen - self.weights, self.alike)

    def error_of(self, one: float, two: float) -> float:
        """Of the output, if these are stored [steps · input]."""
        return _error_of(self, one, two)

    def pulls(self, one: float, two: float) -> Array:
        """What each weight adds to every output, if these are stored [steps · input], shape (2, 8)."""
        return (np.array([one, two]) - self.weights)[:, None] * inputs(self.alike)


@lru_cache(maxsize=64)  # the steps of a case ask for the same ones, at either width
def _error_of(case: Case, one: float, two: float) -> float:
    return output_error(np.array([one, two]) - case.weights, case.alike)
