"""Which keys each query may read: one Boolean map for each rule.

A mask is an ndarray of bool, shape (n, n): True where the query of the row reads the key of the column.

.. [1] Vaswani et al., "Attention Is All You Need", 2017, arXiv:1706.03762, section 3.2.3.
.. [2] gpt-oss reference implementation, gpt_oss/torch/model.py, sdpa().
.. [3] Jiang et al., "Mistral 7B", 2023, arXiv:2310.06825, section 2.
.. [4] Xiao et al., "Efficient Streaming Language Models with Attention Sinks", 2023, arXiv:2309.17453.
.. [5] DeepSeek-AI, "DeepSeek-V3.2-Exp", 2025, section 2.1, eq. 1 and 2.
"""

from __future__ import annotations

from functools import cache

import numpy as np
from numpy.typing import NDArray

Flags = NDArray[np.bool_]

INDEXER_HEADS, INDEXER_DIM = 4, 8
SEED = 2  # of the indexer's vectors: no model's, only scattered


def causal_mask(n: int) -> Flags:
    """Query i reads the keys up to itself: n(n + 1)/2 cells [1]_."""
    return np.tri(n, dtype=bool)


def window_mask(n: int, window: int) -> Flags:
    """Query i reads exactly `window` keys: itself and the window - 1 before it, fewer near the beginning.

    This is gpt-oss's reference mask [2]_. The text of Mistral 7B lets query i read from i - W to i [3]_, one key more.
    Raises ValueError if the window holds no key.
    """
    if window < 1:
        raise ValueError(f"a window holds at least 1 key, not {window}")
    distance = np.subtract.outer(np.arange(n), np.arange(n))
    return (distance >= 0) & (distance < window)


def window_first_mask(n: int, window: int, first: int) -> Flags:
    """A window, and beside it the `first` tokens of the text, which are never given up: 4 beside a thousand in [4]_."""
    return window_mask(n, window) | (causal_mask(n) & (np.arange(n) < first))


def top_k_mask(scores: NDArray[np.float64], k: int) -> Flags:
    """Each query reads the k keys of its past that an indexer scores highest [5]_; of equal ones, the later.

    It may leave out itself. Raises ValueError if k is less than 1.

    Parameters
    ----------
    scores : ndarray, shape (n, n)
        The indexer's scores of all keys (columns) for all queries (rows). Later keys are never chosen.
    k : int
        Keys that a query reads at most: min(k, i + 1) cells in row i.
    """
    if k < 1:
        raise ValueError(f"at least 1 key is chosen, not {k}")
    past = causal_mask(len(scores))
    order = np.argsort(np.where(past, -scores, np.inf)[:, ::-1], axis=1, kind="stable")
    ranks = np.argsort(order, axis=1)[:, ::-1]  # of each key in its row, 0 for the best
    return (ranks < k) & past


def index_scores(queries: NDArray[np.float64], keys: NDArray[np.float64],
                 weights: NDArray[np.float64]) -> NDArray[np.float64]:  # fmt: skip
    """Score every key for every query: I(t, s) = Σ_j w_j(t) · ReLU(q_j(t) · k(s)) over heads j [5]_.

    Scores have shape (n, n), keys (columns) for queries (rows), later keys included: the mask comes after.

    Parameters
    ----------
    queries : ndarray, shape (n, heads, d)
    keys : ndarray, shape (n, d)
        One for each token, shared by the heads.
    weights : ndarray, shape (n, heads)
    """
    per_head = np.maximum(queries @ keys.T, 0)  # shape (n, heads, n)
    return np.asarray((weights[:, :, None] * per_head).sum(axis=1))


@cache  # the same layers score in every variant
def toy_scores(n: int, layer: int) -> NDArray[np.float64]:
    """What the toy's indexer in `layer`, counted from 1, says: seeded vectors of no meaning, shape (n, n)."""
    rng = np.random.default_rng([SEED, layer])
    queries, keys = rng.standard_normal((n, INDEXER_HEADS, INDEXER_DIM)), rng.standard_normal((n, INDEXER_DIM))
    return index_scores(queries, keys, rng.random((n, INDEXER_HEADS)))
