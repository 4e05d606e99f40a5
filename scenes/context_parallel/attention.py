"""Attention computed round the ring: each GPU merges what it finds with each block of keys."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from .model import Ints

Floats = NDArray[np.float64]


def ring_attention(queries: Floats, keys: Floats, values: Floats, owner: Ints, ranks: int) -> Floats:
    """Causal attention with the sequence cut over GPUs.

    Each query keeps the largest score so far, the sum of powers below it and the weighed values; a new block of keys
    rescales them, as in online softmax.

    Parameters
    ----------
    queries, keys : ndarray, shape (tokens, width)
    values : ndarray, shape (tokens, any)
    owner : ndarray of int, shape (tokens,)
        The GPU that each token lies on.
    ranks : int
        The number of GPUs, and of the ring's steps.

    References
    ----------
    .. [1] Liu, Zaharia, Abbeel, "Ring Attention with Blockwise Transformers", 2023, arXiv:2310.01889, section 3.
    """
    place, scale = np.arange(owner.size), queries.shape[1] ** -0.5
    top, total = np.full(owner.size, -np.inf), np.zeros(owner.size)
    found = np.zeros((owner.size, values.shape[1]))
    for step in range(ranks):
        for rank in range(ranks):
            mine, theirs = place[owner == rank], place[owner == (rank - step) % ranks]
            allowed = theirs <= mine[:, None]
            mine, allowed = mine[allowed.any(axis=1)], allowed[allowed.any(axis=1)]
            scores = np.where(allowed, queries[mine] @ keys[theirs].T * scale, -np.inf)
            highest = np.maximum(top[mine], scores.max(axis=1, initial=-np.inf))
            kept, powers = np.exp(top[mine] - highest), np.exp(scores - highest[:, None])
            total[mine] = kept * total[mine] + powers.sum(axis=1)
            found[mine] = kept[:, None] * found[mine] + powers @ values[theirs]
            top[mine] = highest
    return found / total[:, None]
