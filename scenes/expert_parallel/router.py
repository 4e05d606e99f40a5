"""Toy routers: which eight experts each token picks, and from how many nodes it may pick them."""

from __future__ import annotations

from functools import cache

import numpy as np
from numpy.typing import NDArray

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]
# The shape of DeepSeek-V3 over 64 GPUs [1], and a batch that is routed to see who gets how much.
EXPERTS, PICKED, NODES, GPUS = 256, 8, 8, 64
TOKENS = 4096
AT_A_TIME = 512  # tokens


@cache
def _noise() -> tuple[Floats, Floats]:
    rng = np.random.default_rng(0)
    return rng.random((TOKENS, EXPERTS)), rng.gumbel(size=(TOKENS, EXPERTS))


@cache
def affinities(skew: float) -> Floats:
    """How much each token of a batch likes each expert, of shape (tokens, experts).

    Without skew all experts are equally popular; otherwise expert e is picked in proportion to (e + 1) to the power of
    −skew: Gumbel noise on the logarithm draws without replacement, and a sigmoid makes affinities of it, as in [1]_.

    References
    ----------
    .. [1] DeepSeek-AI, "DeepSeek-V3 Technical Report", 2024, arXiv:2412.19437, section 2.1.2.
    """
    even, gumbel = _noise()
    if skew == 0:
        return 1 - even
    scores: Floats = 1 / (1 + np.exp(skew * np.log(np.arange(1, EXPERTS + 1)) - gumbel))
    return scores


def pick(affinity: Floats, node: Ints, limit: int) -> Ints:
    """The experts of each token, of shape (tokens, PICKED): the most liked ones of the nodes that it may visit.

    Nodes are ranked by the sum of their PICKED / limit highest affinities [1]_; from NODES on, there is no limit.

    Parameters
    ----------
    affinity : ndarray, shape (tokens, experts)
    node : ndarray of int, shape (experts,)
        Where each expert lies; all nodes hold equally many.
    limit : int
        Nodes that a token may visit, a divisor of PICKED.

    References
    ----------
    .. [1] DeepSeek-AI, "DeepSeek-V3 Technical Report", 2024, arXiv:2412.19437, section 2.1.2.
    """
    if limit < 1 or PICKED % limit:
        raise ValueError(f"a limit of {limit} nodes does not divide {PICKED} experts")
    found: Ints
    if limit >= NODES:
        found = np.argpartition(affinity, -PICKED, axis=1)[:, -PICKED:]
        return found
    members, each = np.argsort(node, kind="stable").reshape(NODES, -1), PICKED // limit
    open_nodes = np.argpartition(best_of_nodes(affinity, members, each), -limit, axis=1)[:, -limit:]
    among = members[open_nodes].reshape(len(affinity), -1)
    liked = np.argpartition(np.take_along_axis(affinity, among, axis=1), -PICKED, axis=1)[:, -PICKED:]
    found = np.take_along_axis(among, liked, axis=1)
    return found


def best_of_nodes(affinity: Floats, members: Ints, each: int) -> Floats:
    """The sum of the `each` highest affinities of each token in each node, of shape (tokens, nodes).

    One expert of every node after the other takes its rank among those before it; some tokens at a time, so that they
    stay in a cache.
    """
    found = np.empty((len(affinity), len(members)))
    for first in range(0, len(affinity), AT_A_TIME):
        across = affinity[first : first + AT_A_TIME].T
        best = np.full((each, len(members), across.shape[1]), -np.inf)
        for experts in members.T:
            value = across[experts]
            for place in best:
                lower = np.minimum(place, value)
                np.maximum(place, value, out=place)
                value = lower
        found[first : first + AT_A_TIME] = best.sum(axis=0).T
    return found
