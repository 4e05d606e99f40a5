"""Ternary weights: a matrix as −1, 0 and 1 times one scale, and its product as additions and subtractions.

.. [1] Ma et al., "The Era of 1-bit LLMs: All Large Language Models are in 1.58 Bits", 2024, arXiv:2402.17764, sec. 2.
.. [2] Wang et al., "BitNet: Scaling 1-bit Transformers for Large Language Models", 2023, arXiv:2310.11453, section 2.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from .._formats.blocks import decibels

Array = NDArray[np.float64]
Whole = NDArray[np.int64]

EPSILON = 1e-5  # keeps a matrix of zeros from being divided by zero; small beside any γ
BITS = float(np.log2(3))  # [bit]: what three equally likely values carry


class Operations(NamedTuple):
    """What a product with ternary weights does, by the number of weights that ask for it."""

    additions: int
    subtractions: int
    nothing: int


class Fidelity(NamedTuple):
    """How close rounded weights come to those that they were."""

    gamma: float  # [1]: mean magnitude
    zeros: float  # [%] of the weights
    sqnr: float  # [dB], with γ as the scale
    error: float  # [%]: RMS of the error over RMS of the weights, with γ as the scale
    best: float  # [1]: the scale with the smallest squared error
    fitted: float  # [dB], with that scale


def absmean(weights: ArrayLike) -> float:
    """γ, the mean magnitude of all weights [1], zeros included [1]_; ValueError unless some, and all finite."""
    return float(np.abs(_finite(weights)).mean())


def ternary(weights: ArrayLike, gamma: float) -> Whole:
    """Weights as −1, 0 and 1, of the same shape: clip(round(w / (γ + ε)), −1, 1) [1]_, halves to even.

    Parameters
    ----------
    weights : ndarray, any shape
        Full-precision weights [1]. Raises ValueError unless there are some, and all are finite.
    gamma : float
        The scale [1]. Raises ValueError if it is negative or not finite.
    """
    if not (np.isfinite(gamma) and gamma >= 0):
        raise ValueError("the scale γ must be finite and not negative")
    return np.clip(np.rint(_finite(weights) / (gamma + EPSILON)), -1, 1).astype(np.int64)


def partial_sums(trits: ArrayLike, activations: ArrayLike) -> Whole:
    """The sums of rows as they grow, by adding and subtracting alone; the last column is the product, unscaled.

    Parameters
    ----------
    trits : ndarray of int, shape (rows, n)
        Raises ValueError for other values than −1, 0 and 1.
    activations : ndarray of int, shape (n,)
        8-bit integers in BitNet.
    """
    trits, x = trits_of(trits), np.asarray(activations, dtype=np.int64)
    if trits.ndim != 2 or x.shape != trits.shape[1:]:
        raise ValueError(f"rows of {trits.shape[-1]} weights need as many activations, not {x.size}")
    added, subtracted = np.where(trits > 0, x, 0), np.where(trits < 0, x, 0)
    return np.asarray(np.cumsum(added, axis=1) - np.cumsum(subtracted, axis=1))


def operations(trits: ArrayLike) -> Operations:
    """Additions, subtractions and weights that ask for neither; the dense product multiplies and adds once for each.

    Sums start at 0, so that the first term of a row is an addition or a subtraction as well.
    Raises ValueError for other values than −1, 0 and 1.
    """
    trits = trits_of(trits)
    return Operations(*(int((trits == sign).sum()) for sign in (1, -1, 0)))


def fidelity(weights: ArrayLike) -> Fidelity:
    """How much of the weights is left after absmean rounding, and what the best single scale would leave.

    The best scale is ⟨w, t⟩ / ⟨t, t⟩ for the rounded weights t. It exceeds γ, which the zeros lower.
    Raises ValueError unless there are weights, all finite and not all 0.
    """
    w = _finite(weights)
    if not w.any():
        raise ValueError("weights that are all 0 have no error to compare with")
    gamma = absmean(w)
    trits = ternary(w, gamma)
    best = float((w * trits).sum() / (trits * trits).sum())
    error = 100 * float(np.sqrt(np.mean((gamma * trits - w) ** 2) / np.mean(w**2)))
    zeros = 100 * float((trits == 0).mean())
    return Fidelity(gamma, zeros, decibels(w, gamma * trits), error, best, decibels(w, best * trits))


def trits_of(trits: ArrayLike) -> Whole:
    """Ternary weights as int64 of their shape. Raises ValueError for other values than −1, 0 and 1."""
    array = np.asarray(trits)
    if not np.isin(array, (-1, 0, 1)).all():
        raise ValueError("ternary weights are −1, 0 or 1")
    return array.astype(np.int64)


def _finite(weights: ArrayLike) -> Array:
    array = np.asarray(weights, dtype=np.float64)
    if not array.size or not np.isfinite(array).all():
        raise ValueError("weights must be finite numbers, and at least one")
    return array
