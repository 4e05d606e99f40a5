"""Latent attention in two orders of the same products, and what each of them reads and computes."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import ArrayLike, NDArray

HEADS = 128  # query heads of DeepSeek-V2 and V3
LATENT, POSITION = 512, 64  # numbers of a token and layer in the cache: its latent, and one key with its position
HEAD = 128  # numbers of a head's key without its position, and of its value
GROUPS = 8  # KV heads of the GQA that is compared
BF16 = 2  # bytes
BUILT, ABSORBED = "built", "absorbed"

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Head:
    """One query over the latents of `n` tokens, for `h` heads at once: the two ways that give the same output.

    Scores are divided by the square root of the key's size; the part that carries the position is left out.

    Attributes
    ----------
    query : ndarray, shape (h, d)
    key : ndarray, shape (h, d, c)
        Makes a key of d numbers from a latent of c.
    value : ndarray, shape (h, v, c)
        Makes a value of v numbers from a latent.
    latents : ndarray, shape (n, c)
        What the cache holds; the same for all heads.

    References
    ----------
    .. [1] DeepSeek-AI, "DeepSeek-V2", 2024, arXiv:2405.04434, section 2.1.2.
    """

    query: Floats
    key: Floats
    value: Floats
    latents: Floats

    @cached_property
    def keys(self) -> Floats:
        """A key for each head and token, shape (h, n, d): what the absorbed way never makes."""
        return np.matmul(self.latents, self.key.transpose(0, 2, 1))

    @cached_property
    def values(self) -> Floats:
        """A value for each head and token, shape (h, n, v): never made either."""
        return np.matmul(self.latents, self.value.transpose(0, 2, 1))

    @cached_property
    def absorbed(self) -> Floats:
        """The queries with the keys' matrix worked into them, shape (h, c)."""
        return np.matmul(self.query[:, None, :], self.key)[:, 0]

    def scores(self, way: str) -> Floats:
        """Shape (h, n)."""
        if way == BUILT:
            return np.matmul(self.keys, self.query[:, :, None])[:, :, 0]
        return self.absorbed @ self.latents.T

    def weights(self, way: str) -> Floats:
        """The softmax of the scaled scores, shape (h, n)."""
        scaled = self.scores(way) / np.sqrt(self.query.shape[1])
        raised = np.exp(scaled - scaled.max(axis=1, keepdims=True))
        return raised / raised.sum(axis=1, keepdims=True)

    @cached_property
    def blend(self) -> Floats:
        """The latents blended by the weights, shape (h, c)."""
        return self.weights(ABSORBED) @ self.latents

    def output(self, way: str) -> Floats:
        """Shape (h, v)."""
        if way == BUILT:
            return np.matmul(self.weights(BUILT)[:, None, :], self.values)[:, 0]
        return np.matmul(self.value, self.blend[:, :, None])[:, :, 0]


@dataclass(frozen=True)
class Step:
    """`queries` new tokens, each of which sees `context` tokens in the cache: one layer of DeepSeek-V3's shape."""

    queries: int
    context: int

    def read(self, scheme: str) -> int:
        """What the cache of the layer holds, read once [B]: "MHA", "GQA" or "MLA"."""
        numbers = {"MHA": 2 * HEADS * HEAD, "GQA": 2 * GROUPS * HEAD, "MLA": LATENT + POSITION}
        return numbers[scheme] * BF16 * self.context

    def flops(self, way: str) -> int:
        """Arithmetic of the step [FLOP]: "MHA", also for GQA, or the two ways of MLA."""
        if way == "MHA":
            return pair(way) * self.queries * self.context
        matrices = int(matrix_flops()) * (self.context if way == BUILT else self.queries)
        return matrices + pair(way) * self.queries * self.context

    @property
    def worse(self) -> str:
        """The way that does more."""
        return BUILT if self.flops(BUILT) > self.flops(ABSORBED) else ABSORBED

    @property
    def ratio(self) -> float:
        """How many times the work of the better way the worse one does."""
        more, less = sorted((self.flops(BUILT), self.flops(ABSORBED)), reverse=True)
        return more / less


def pair(way: str) -> int:
    """Arithmetic for one query and one token of the cache, over all heads: score and blend [FLOP].

    A head built has keys of 128 + 64 numbers and values of 128; absorbed it uses all 576 and then the 512 again.
    """
    numbers = {"MHA": 2 * HEAD, BUILT: HEAD + POSITION + HEAD, ABSORBED: LATENT + POSITION + LATENT}
    return 2 * HEADS * numbers[way]


def matrix_flops() -> int:
    """Both matrices of all heads, applied to one latent, or to one query and one blend [FLOP]."""
    return 2 * HEADS * 2 * HEAD * LATENT


def break_even(context: ArrayLike) -> Floats:
    """The new tokens at which both ways do the same work [tokens], for a context of so many tokens."""
    spared = (pair(ABSORBED) - pair(BUILT)) / matrix_flops()
    return 1 / (1 / np.asarray(context, dtype=np.float64) + spared)
