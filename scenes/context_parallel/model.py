"""Causal attention over several GPUs: who computes which pairs in which step of the ring, and who waits."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

Ints = NDArray[np.int64]
TOKENS = 16  # of the example that is drawn
AT_ONCE = 4  # of its queries look at their keys in a beat
ZIGZAG = "zigzag"


def contiguous(tokens: Ints, ranks: int) -> Ints:
    """The owner of each token: one piece of the sequence for each GPU."""
    return tokens * ranks // tokens.size


def striped(tokens: Ints, ranks: int) -> Ints:
    """The owner of each token: they are dealt one by one [1]_.

    References
    ----------
    .. [1] Brandon et al., "Striped Attention", 2023, arXiv:2311.09431.
    """
    return tokens % ranks


def zigzag(tokens: Ints, ranks: int) -> Ints:
    """The owner of each token: of 2P pieces GPU i has piece i and piece 2P − 1 − i [1]_.

    References
    ----------
    .. [1] Llama Team, "The Llama 3 Herd of Models", 2024, arXiv:2407.21783, section 3.3.2.
    """
    piece = tokens * 2 * ranks // tokens.size
    return np.minimum(piece, 2 * ranks - 1 - piece)


LAYOUTS: dict[str, Callable[[Ints, int], Ints]] = {"contiguous": contiguous, "striped": striped, ZIGZAG: zigzag}


def owners(layout: str, tokens: int, ranks: int) -> Ints:
    """The GPU that has each token's query, key and value.

    Raises ValueError for an unknown layout, or tokens that do not make two equal pieces for each GPU.
    """
    check(layout, tokens, ranks)
    return LAYOUTS[layout](np.arange(tokens), ranks)


def check(layout: str, tokens: int, ranks: int) -> None:
    """Raise ValueError for a cut that can't be."""
    if layout not in LAYOUTS:
        raise ValueError(f"unknown layout '{layout}', expected one of {', '.join(LAYOUTS)}")
    if ranks < 1 or tokens < 1 or tokens % (2 * ranks):
        raise ValueError(f"{tokens} tokens do not make two equal pieces for each of {ranks} GPUs")


def ring_pairs(owner: Ints, ranks: int) -> Ints:
    """Pairs of a query and a key that it may look at, of shape (ranks, steps).

    In step j, GPU r has the keys of GPU r − j: they go round the ring, each time to the next GPU.
    """
    mine = owner[:, None] == np.arange(ranks)
    seen = np.cumsum(mine, axis=0)  # keys of each GPU that a query sees
    met = mine.T.astype(np.int64) @ seen
    here = np.arange(ranks)
    return met[here[:, None], (here[:, None] - here) % ranks]


def slowest_pairs(layout: str, tokens: int, ranks: int) -> Ints:
    """The most pairs that any GPU has in each step of the ring: closed forms, for sequences too long to count."""
    check(layout, tokens, ranks)
    local = tokens // ranks
    triangle = local * (local + 1) // 2
    later = {"contiguous": local**2, "striped": triangle, "zigzag": local**2 // 2}[layout]
    return np.array([triangle] + [later] * (ranks - 1))


@dataclass(frozen=True)
class Ring:
    """The example: its tokens over some GPUs, and the ring's steps, each as long as its slowest GPU takes."""

    layout: str
    ranks: int
    tokens: int = TOKENS

    @property
    def fair(self) -> Ring:
        """The same example in zigzag, which gives all as much."""
        return Ring(ZIGZAG, self.ranks, self.tokens)

    @cached_property
    def owner(self) -> Ints:
        return owners(self.layout, self.tokens, self.ranks)

    @cached_property
    def pairs(self) -> Ints:
        """Of shape (ranks, steps)."""
        return ring_pairs(self.owner, self.ranks)

    @cached_property
    def totals(self) -> Ints:
        """Pairs of each GPU."""
        return self.pairs.sum(axis=1)

    def begun(self, queries: int) -> Ints:
        """Pairs of each GPU that the first so many queries have."""
        pairs = np.arange(1, queries + 1)
        return np.array([pairs[self.owner[:queries] == rank].sum() for rank in range(self.ranks)])

    @property
    def fullest(self) -> int:
        """The GPU with the most pairs; of equals the last."""
        return self.ranks - 1 - int(self.totals[::-1].argmax())

    @cached_property
    def ends(self) -> list[int]:
        """When each step is over, in the time of one pair."""
        return [int(end) for end in self.pairs.max(axis=0).cumsum()]

    @property
    def time(self) -> int:
        """Until the last step is over."""
        return self.ends[-1]

    @property
    def bare(self) -> int:
        """How long it would take without a mask: every query would see every key."""
        return self.tokens**2 // self.ranks

    @property
    def ideal(self) -> float:
        """The mean share: how long it would take if all had as much."""
        return float(self.totals.mean())

    @property
    def imbalance(self) -> float:
        """The fullest GPU's pairs over the mean."""
        return float(self.totals.max() / self.ideal)

    @property
    def waiting(self) -> float:
        """The share of the GPUs' time in which they have nothing to do."""
        return 1 - self.ideal / self.time
