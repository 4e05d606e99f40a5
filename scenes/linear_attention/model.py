"""A state of fixed size: how a token changes it, and how many bytes it takes beside a cache that grows."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import ArrayLike, NDArray

FP32, BF16 = 4, 2  # bytes
TAPS = 3  # inputs that a convolution over 4 tokens keeps

Floats = NDArray[np.float64]


def faded(state: ArrayLike, alpha: float) -> Floats:
    """The state when all of it has faded by `alpha`, 0 to 1."""
    return alpha * np.asarray(state, dtype=np.float64)


def erased(state: ArrayLike, key: ArrayLike, beta: float) -> Floats:
    """The state less a part of what it holds under `key`.

    Parameters
    ----------
    state : array_like, shape (..., v, k)
        A matrix that gives a value of v numbers for a key of k.
    key : array_like, shape (..., k)
        Of length 1.
    beta : float
        How much is removed, 0 to 1.

    Returns
    -------
    ndarray, shape (..., v, k)

    References
    ----------
    .. [1] Yang, Kautz, Hatamizadeh, "Gated Delta Networks", 2024, arXiv:2412.06464, equation 10.
    """
    matrix, along = np.asarray(state, dtype=np.float64), np.asarray(key, dtype=np.float64)
    return matrix - beta * recalled(matrix, along)[..., :, None] * along[..., None, :]


def written(state: ArrayLike, key: ArrayLike, value: ArrayLike, beta: float) -> Floats:
    """The state with `value`, times `beta`, added under `key`; shapes as for `erased`, values of shape (..., v)."""
    what, where = np.asarray(value, dtype=np.float64), np.asarray(key, dtype=np.float64)
    return np.asarray(state, dtype=np.float64) + beta * what[..., :, None] * where[..., None, :]


def recalled(state: ArrayLike, query: ArrayLike) -> Floats:
    """What the state gives for a query of shape (..., k): shape (..., v)."""
    matrix, asked = np.asarray(state, dtype=np.float64), np.asarray(query, dtype=np.float64)
    return (matrix @ asked[..., :, None])[..., 0]


@dataclass(frozen=True)
class Shape:
    """What of a hybrid model decides its memory: layers that keep a state, and layers that keep keys."""

    name: str
    pattern: str  # "s" keeps a state, "k" keeps keys and values, or latents
    heads: int  # states of a layer, each of `side` by `side` numbers
    channels: int  # inputs of the convolution before a state
    token: int  # numbers that a token leaves in a layer that keeps keys
    side: int = 128

    @property
    def layers(self) -> int:
        return len(self.pattern)

    @cached_property
    def linear(self) -> int:
        """Layers that keep a state."""
        return self.pattern.count("s")

    @cached_property
    def full(self) -> int:
        """Layers that keep something for each token."""
        return self.pattern.count("k")

    @property
    def state(self) -> int:
        """What a layer with a state keeps, whatever the length [B]: states in FP32, convolutions' inputs in BF16."""
        return self.heads * self.side**2 * FP32 + TAPS * self.channels * BF16


@dataclass(frozen=True)
class Memory:
    """What one conversation of `tokens` tokens takes. All sizes in bytes."""

    shape: Shape
    tokens: int

    @property
    def layer(self) -> int:
        """A layer that keeps keys [B]."""
        return self.shape.token * BF16 * self.tokens

    @property
    def keys(self) -> int:
        """All layers that keep keys, as the model ships [B]."""
        return self.shape.full * self.layer

    @property
    def states(self) -> int:
        """All states [B]."""
        return self.shape.linear * self.shape.state

    @property
    def total(self) -> int:
        return self.keys + self.states

    @property
    def everywhere(self) -> int:
        """What it would be if every layer kept keys [B]."""
        return self.shape.layers * self.layer

    @property
    def ratio(self) -> float:
        """How many times smaller it is than that; below 1 it is larger."""
        return self.everywhere / self.total

    @property
    def even(self) -> float:
        """The length at which a state is as large as the keys that it replaces [tokens]."""
        return self.shape.state / (self.shape.token * BF16)
