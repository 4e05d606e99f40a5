"""Sight through a stack of masked layers: who reads whom, what has been heard of after each layer, what is kept."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property, lru_cache

import numpy as np
from numpy.typing import NDArray

from .masks import Flags, causal_mask, top_k_mask, toy_scores, window_first_mask, window_mask

PATTERNS = ("full", "causal", "window", "window+first", "interleaved", "top-k")
TOKENS, LAYERS, FIRST = 16, 4, 2
MISTRAL_WINDOW, MISTRAL_LAYERS = 4096, 32  # Mistral 7B v0.1, arXiv:2310.06825, table 1
DSA_KEYS, DSA_CONTEXT = 2048, 131_072  # DeepSeek-V3.2-Exp, section 2.1; its context in tokens


def causal_cells(n: int) -> int:
    """Scores under a causal mask over n tokens: n(n + 1)/2."""
    return n * (n + 1) // 2


def window_cells(n: int, window: int) -> int:
    """Scores if query i reads min(W, i + 1) keys, near ones or chosen ones: nW - W(W - 1)/2, with W at most n."""
    most = min(window, n)
    return n * most - most * (most - 1) // 2


def window_reach(window: int, layers: int) -> int:
    """How many tokens back information can come from through `layers` layers of exactly `window` keys.

    Each layer hops over window - 1 tokens, so it is L(W - 1): the query itself takes one key of its window. The text
    of Mistral 7B counts W·L (`product_span`), since its window has W keys beside the query.
    """
    return layers * (window - 1)


def product_span(window: int, layers: int) -> int:
    """The "theoretical attention span" W·L [tokens] of Jiang et al., "Mistral 7B", arXiv:2310.06825, section 2."""
    return layers * window


def cone(masks: Flags, query: int) -> Flags:
    """Whose states flow into `query` after the last layer of `masks`.

    Parameters
    ----------
    masks : ndarray of bool, shape (L, n, n)
        For each layer, which keys (columns) each query (rows) reads.
    query : int
        Index of the token at the top.

    Returns
    -------
    ndarray of bool, shape (L + 1, n)
        Row l: the tokens whose state after l layers has a part in it; row 0 are the inputs, row L is the query alone.
        The residual path hands each token's own state on, even where the mask leaves the token itself out.
    """
    layers, n, _ = masks.shape
    rows = np.zeros((layers + 1, n), dtype=bool)
    rows[layers, query] = True
    for layer in range(layers, 0, -1):
        rows[layer - 1] = rows[layer] | masks[layer - 1][rows[layer]].any(axis=0)
    return rows


def relay(masks: Flags, query: int) -> list[int]:
    """The tokens that hand word of the oldest input in sight on to `query`, from the input up to the query.

    Returns
    -------
    list of int
        L + 1 indices, one for each row of `cone`: every hop is as long as it can be, the uppermost first.
    """
    target = int(np.flatnonzero(cone(masks, query)[0])[0])
    heard = np.eye(masks.shape[1], dtype=bool)[target]  # who has word of the target, below each layer
    below = [heard]
    for mask in masks[:-1]:
        below.append(heard := heard | mask[:, heard].any(axis=1))
    path = [query]
    for mask, known in zip(masks[::-1], below[::-1], strict=True):
        readable = mask[path[0]] | (np.arange(len(known)) == path[0])
        path.insert(0, int(np.argmax(readable & known)))
    return path


@dataclass(frozen=True)
class Stack:
    """Layers of attention over `n` tokens under one rule. Of an interleaved stack, each `every`-th layer is global."""

    pattern: str
    window: int = 4
    k: int = 4
    every: int = 4
    n: int = TOKENS
    layers: int = LAYERS
    first: int = FIRST

    def __post_init__(self) -> None:
        if self.pattern not in PATTERNS:
            raise ValueError(f"pattern is one of {PATTERNS}, not {self.pattern!r}")

    def is_global(self, layer: int) -> bool:
        """Whether a layer, counted from 1, of an interleaved stack reads everything."""
        return self.pattern == "interleaved" and layer % self.every == 0

    def kind(self, layer: int) -> str:
        """What a layer, counted from 1, is called."""
        if self.pattern == "interleaved":
            return "global" if self.is_global(layer) else "local"
        return self.pattern

    def mask(self, layer: int) -> Flags:
        """Which keys each query reads in a layer, counted from 1: shape (n, n)."""
        if self.pattern == "full":
            return np.ones((self.n, self.n), dtype=bool)
        if self.pattern == "causal" or self.is_global(layer):
            return causal_mask(self.n)
        if self.pattern == "window+first":
            return window_first_mask(self.n, self.window, self.first)
        if self.pattern == "top-k":
            return top_k_mask(toy_scores(self.n, layer), self.k)
        return window_mask(self.n, self.window)

    @cached_property
    def masks(self) -> Flags:
        """All layers' masks, shape (L, n, n)."""
        return np.stack([self.mask(layer) for layer in range(1, self.layers + 1)])

    @cached_property
    def cells(self) -> NDArray[np.intp]:
        """Scores that attention proper computes in each layer, shape (L,)."""
        return np.asarray(self.masks.sum(axis=(1, 2)))

    @property
    def indexer(self) -> int:
        """Scores that the indexer computes in each layer: all of the past, or none where there is no indexer."""
        return causal_cells(self.n) if self.pattern == "top-k" else 0

    @cached_property
    def held(self) -> Flags:
        """Whose keys and values each layer holds while the newest token attends, shape (L, n).

        A token is held if the newest query or a later one can read it. Under top-k that is every token, since a
        later query may choose any; without a mask too, but there no cache lasts: each new token changes all others.
        """
        if self.pattern == "top-k":
            return np.ones((self.layers, self.n), dtype=bool)
        return self.masks[:, -1]  # what falls out of a window never comes back

    def cone(self, query: int, layers: int) -> Flags:
        """Whose states flow into `query` after `layers` layers, shape (layers + 1, n): see `cone`."""
        return cone(self.masks[:layers], query)


@dataclass(frozen=True, eq=False)
class Look:
    """A token, counted from 1, that looks down through a stack."""

    stack: Stack
    query: int

    @property
    def row(self) -> int:
        """The index of the token that asks."""
        return self.query - 1

    @cached_property
    def cones(self) -> list[Flags]:
        """Whose states flow into the token after 0, 1, 2, … layers: see `cone`."""
        return [self.stack.cone(self.row, layers) for layers in range(self.stack.layers + 1)]

    def sight(self, layers: int) -> int:
        """How many input tokens it has word of after `layers` layers, itself included [tokens]."""
        return int(np.count_nonzero(self.cones[layers][0]))

    def back(self, layers: int) -> int:
        """How far back the oldest of them stands [tokens]."""
        return self.row - int(np.flatnonzero(self.cones[layers][0])[0])


@lru_cache(LAYERS)  # several pieces of a picture ask for it
def path_of(look: Look, layers: int) -> list[int]:
    """Who hands word of the oldest input in sight on to the token, through so many layers: see `relay`."""
    return relay(look.stack.masks[:layers], look.row)
