"""The numbers of the scene: three kinds of weights, a small matrix and a large sample of each, and activations."""

from __future__ import annotations

import numpy as np

from .model import Array

BELL, HEAVY, TRAINED = KINDS = ("bell", "heavy", "trained")
ROWS, COLUMNS = 6, 10
SAMPLE = 2**20  # weights, for the statistics
SPREAD = 0.08  # of nearly ternary weights around −1, 0 and 1
# Seeds of matrices that are like their sample: by zeros, by SQNR, and by the error of the product.
SEEDS = {BELL: 729, HEAVY: 1287, TRAINED: 159}
# 8-bit activations, none negative as after a ReLU: so an addition always goes up. The largest is 127, as in BitNet.
ACTIVATIONS = np.array([34, 81, 12, 127, 57, 46, 93, 22, 68, 105])


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
