"""Scaled dot-product attention of one head, kept stage by stage: scores, scaled, masked, weights, output."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cache, cached_property

import numpy as np

from .weights import HEADS, TOKENS, Array, Head, X


def softmax(scores: Array) -> Array:
    """Softmax of every row, shifted by its maximum so that no exponential overflows.

    Parameters
    ----------
    scores : ndarray, shape (n_q, n_k)
        Scaled scores; -inf where a key is masked. A row must have one finite score at least.

    Returns
    -------
    ndarray, shape (n_q, n_k)
        Weights: every row adds up to 1, and masked keys get exactly 0.
        Raises ValueError if every key of some query is masked: there is nothing to share out.
    """
    most = scores.max(axis=-1, keepdims=True)
    if not np.isfinite(most).all():
        raise ValueError("every query needs a key with a finite score")
    powers = np.exp(scores - most)
    return np.asarray(powers / powers.sum(axis=-1, keepdims=True))


def causal_mask(n: int) -> Array:
    """What is added to the scores so that no token looks ahead: 0 where j <= i, -inf where j > i.

    Of shape (n, n), a row for each query i, a column for each key j; n (n + 1) / 2 zeros.

    References
    ----------
    .. [1] Vaswani et al., "Attention Is All You Need", 2017, arXiv:1706.03762, section 3.2.3.
    """
    return np.where(np.tril(np.ones((n, n), dtype=bool)), 0.0, -np.inf)


@dataclass(frozen=True)
class Attention:
    """What one head computes for all tokens, stage by stage; every field but Q, K, V, output has shape (n, n)."""

    Q: Array  # shape (n, d_k), as K
    K: Array
    V: Array  # shape (n, d_v)
    raw: Array
    scaled: Array
    masked: Array
    weights: Array
    output: Array  # shape (n, d_v)


def attention(Q: Array, K: Array, V: Array, causal: bool = True) -> Attention:
    """softmax(Q K^T / sqrt(d_k) + M) V, with its stages.

    Raises ValueError if Q and K differ in shape, or V has not as many rows.

    Parameters
    ----------
    Q, K : ndarray, shape (n, d_k)
        A query and a key for each token.
    V : ndarray, shape (n, d_v)
        What each token hands over.
    causal : bool
        Whether M is the causal mask; otherwise it is 0.

    References
    ----------
    .. [1] Vaswani et al., "Attention Is All You Need", 2017, arXiv:1706.03762, section 3.2.1.
    """
    if Q.shape != K.shape or len(V) != len(K):
        raise ValueError(f"Q {Q.shape}, K {K.shape} and V {V.shape} are not of the same tokens")
    raw = Q @ K.T
    scaled = raw / math.sqrt(K.shape[1])
    masked = scaled + causal_mask(len(K)) if causal else scaled
    weights = softmax(masked)
    return Attention(Q, K, V, raw, scaled, masked, weights, weights @ V)


def attend(embeddings: Array, head: Head, causal: bool = True) -> Attention:
    """Attention of one head: the same three matrices make the query, key and value of every row of `embeddings`.

    Those have shape (n, d_model), and the head's matrices (d_model, d_k).
    """
    return attention(embeddings @ head.W_Q, embeddings @ head.W_K, embeddings @ head.W_V, causal)


def effective_tokens(weights: Array) -> float:
    """Over how many tokens a row of weights, shape (n,), adding up to 1, spreads: exp of its entropy, 1 to n."""
    some = weights[weights > 0]
    return float(np.exp(-(some * np.log(some)).sum()))


@cache  # all queries of a head share it
def head_attention(head: str) -> Attention:
    """The whole map of one of our heads, "describes" or "previous". Raises ValueError if there is no such head."""
    if head not in HEADS:
        raise ValueError(f"head is one of {tuple(HEADS)}, not {head!r}")
    return attend(X, HEADS[head])


@dataclass(frozen=True, eq=False)  # arrays have no single truth value to compare by
class Asked:
    """The token that asks in a head."""

    query: str
    of: Attention  # the head's whole attention

    @cached_property
    def row(self) -> int:
        """The place of the query token, from 0; also the last key that it may see."""
        return TOKENS.index(self.query)

    @cached_property
    def best(self) -> int:
        """The key that the query may see and that has the highest score."""
        return int(self.of.raw[self.row, : self.row + 1].argmax())


def ask(query: str, head: str) -> Asked:
    """Let a token ask. Raises ValueError if the sentence has no such token, or there is no such head."""
    if query not in TOKENS:
        raise ValueError(f"query is one of {TOKENS}, not {query!r}")
    return Asked(query, head_attention(head))
