"""Turn a router's preferences into expert loads, dropped tokens and padded tiles of a grouped matrix product.

.. [1] Fedus, Zoph, Shazeer, "Switch Transformers", JMLR 23, 2022, arXiv:2101.03961, section 2.2, eq. 3-6.
.. [2] Lepikhin et al., "GShard", 2020, arXiv:2006.16668, algorithm 1.
"""

import math
from dataclasses import dataclass
from fractions import Fraction
from functools import cache

import numpy as np

# Zipf exponent of popularity: 1 gives about 48/24/16/12 % over four experts, 5 leaves the first with 96 %.
ROUTINGS = {"balanced": 0.0, "skewed": 1.0, "collapsed": 5.0}
SEED = 11  # chosen for a draw near those shares: at 32 tokens and 4 experts the loads fall from E0 to E3


def router_probabilities(tokens, experts, routing):
    """Router probabilities [1]: softmax over all experts of popularity logits plus seeded Gumbel noise.

    Of shape (tokens, experts). A larger batch begins with the tokens of a smaller one. Raises ValueError for an
    unknown routing, a size below 1, or balanced routing with tokens not a multiple of experts.

    Parameters
    ----------
    tokens, experts : int
        Batch size [tokens] and number of experts.
    routing : {"balanced", "skewed", "collapsed"}
        Every expert equally often at every rank; Zipf popularity; nearly every first choice is expert 0.
    """
    _check_sizes(1, experts, tokens)
    if routing not in ROUTINGS:
        raise ValueError(f"unknown routing '{routing}', expected one of {', '.join(ROUTINGS)}")
    # Gumbel noise on log popularity: the top k are drawn without replacement in proportion to popularity.
    noise = np.random.default_rng(SEED).gumbel(size=(tokens, experts))
    logits = noise - ROUTINGS[routing] * np.log(np.arange(1, experts + 1))
    if routing == "balanced":  # chance alone would not give equal loads
        np.put_along_axis(logits, _balanced_preference(tokens, experts), -np.sort(-noise, axis=1), axis=1)
    weights = np.exp(logits - logits.max(axis=1, keepdims=True))
    return weights / weights.sum(axis=1, keepdims=True)


def _balanced_preference(tokens, experts):
    """Order the experts for each token so that every block of `experts` tokens is a Latin square."""
    if tokens % experts:
        raise ValueError(f"balanced routing needs tokens ({tokens}) to be a multiple of experts ({experts})")
    cells = np.tile(np.arange(experts), (tokens // experts, 1))
    # Two streams, so that adding blocks leaves the earlier ones as they are.
    of_token, of_rank = (np.random.default_rng((SEED, n)).permuted(cells, axis=1) for n in range(2))
    return ((of_token[:, :, None] + of_rank[:, None, :]) % experts).reshape(tokens, experts)


def route(tokens, experts, top_k, routing):
    """The `top_k` most probable experts of each token, shape (tokens, top_k), most probable first.

    Balanced, each is chosen exactly tokens · top_k / experts times. Raises ValueError for top_k > experts, and as
    `router_probabilities`, whose other parameters it shares.
    """
    _check_sizes(top_k, experts, tokens)
    return np.argsort(-router_probabilities(tokens, experts, routing), axis=1, kind="stable")[:, :top_k]


def balance_loss(choices, probabilities):
    """Load-balancing loss N · Σ f_i · P_i of [1]_ eq. 4-6, without its factor α (1e-2 there), as a float.

    1 at perfect balance, N when one expert has every choice and all probability.

    Parameters
    ----------
    choices : ndarray of int, shape (tokens, top_k)
        Chosen experts before any drop; f_i is the share of all tokens · top_k choices (k = 1 in [1]_).
    probabilities : ndarray, shape (tokens, experts)
        Router probabilities [1]; P_i is their mean over tokens.
    """
    f = np.bincount(choices.ravel(), minlength=probabilities.shape[1]) / choices.size
    return float(f.size * (f @ probabilities.mean(axis=0)))


@cache
def capacity_slots(tokens, experts, top_k, factor):
    """Slots per expert [assignments], ``ceil(factor * tokens * top_k / experts)``; None for factor "off".

    Eq. 3 of [1]_ is for k = 1 and leaves the rounding open. `factor`: a number, its decimal string or "off".
    Raises ValueError if factor is not positive, a size is below 1, or top_k > experts.
    """
    _check_sizes(top_k, experts, tokens)
    if factor == "off":
        return None
    if (exact := Fraction(str(factor))) <= 0:  # the decimal as written: in binary, 1.1 * 10 rounds up to 12
        raise ValueError(f"capacity factor must be positive or 'off', not '{factor}'")
    return math.ceil(exact * tokens * top_k / experts)


@dataclass(frozen=True, eq=False)  # arrays have no single truth value to compare by
class Dispatch:
    """Where every assignment went: five arrays (tokens * top_k,) in arrival order, four arrays (experts,)."""

    token: np.ndarray
    rank: np.ndarray  # which of the token's choices, 0 is the most probable
    expert: np.ndarray
    slot: np.ndarray  # row within the expert's tiles, -1 if dropped
    kept: np.ndarray  # bool
    kept_tokens: np.ndarray  # [tokens]
    tiles: np.ndarray  # [tiles]
    padded_slots: np.ndarray  # empty rows of the last tile [slots]
    dropped: np.ndarray  # [tokens]
    tile: int  # rows per tile [slots]

    @property
    def slots_run(self):
        """Rows the kernel computes, real or padding [slots]."""
        return int(self.tiles.sum()) * self.tile

    @property
    def useful(self):
        """Share of the slots run that hold a token [%]; 100 when none ran, since none was wasted."""
        return 100.0 * int(self.kept_tokens.sum()) / self.slots_run if self.slots_run else 100.0

    @property
    def busiest_expert(self):
        """Largest kept load of any expert [tokens]."""
        return int(self.kept_tokens.max())

    @property
    def straggler(self):
        """Busiest load over the mean load of all experts [×]; 1 when nothing was kept: nobody waits."""
        return float(self.busiest_expert / self.kept_tokens.mean()) if self.kept_tokens.any() else 1.0


def dispatch(choices, experts, capacity, tile):
    """Give each assignment a slot, first come first served, and pad each expert to whole tiles.

    A full expert drops later arrivals, as in [1]_ section 2.2 eq. 3; a dropped token rides the residual.
    Arrivals are token-major (token 0's choices, token 1's, …); GShard [2]_ serves all first choices first.
    Padding is Σ_e (ceil(n_e / T) · T - n_e) [slots]. Raises ValueError if an argument is out of range.

    Parameters
    ----------
    choices : ndarray of int, shape (tokens, top_k)
        Expert indices, as from `route`.
    experts, tile : int
        Number of experts, and rows per tile [slots].
    capacity : int or None
        Slots per expert [assignments]; None drops nothing.
    """
    if np.ndim(choices) != 2 or not np.isin(choices, np.arange(experts)).all():
        raise ValueError(f"choices must have shape (tokens, top_k) and lie in 0 … {experts - 1}")
    if tile < 1 or (capacity is not None and capacity < 0):
        raise ValueError(f"tile must be at least 1 and capacity at least 0, not {tile} and {capacity}")
    expert, (token, rank) = np.ravel(choices), np.indices(np.shape(choices)).reshape(2, -1)
    asked = expert[:, None] == np.arange(experts)
    arrival = (np.cumsum(asked, axis=0) - 1)[np.arange(expert.size), expert]
    kept = arrival < (expert.size if capacity is None else capacity)
    kept_tokens = (asked & kept[:, None]).sum(axis=0)
    tiles, dropped = -(-kept_tokens // tile), asked.sum(axis=0) - kept_tokens
    padded, slot = tiles * tile - kept_tokens, np.where(kept, arrival, -1)
    return Dispatch(token, rank, expert, slot, kept, kept_tokens, tiles, padded, dropped, tile)


def table_rows(run):
    """Rows [expert, kept_tokens, tiles, padded_slots, dropped] of a `Dispatch`, one per expert."""
    columns = np.stack((run.kept_tokens, run.tiles, run.padded_slots, run.dropped), axis=1)
    return [[f"E{e}", *row] for e, row in enumerate(columns.tolist())]


def values(run):
    """Totals of a `Dispatch` by name: useful [%], straggler [×], the others [tokens], [slots] or [tiles]."""
    sums = {"padded": run.padded_slots, "dropped": run.dropped, "tiles": run.tiles}
    totals = {"useful": run.useful, "slots_run": run.slots_run, "busiest_expert": run.busiest_expert}
    return totals | {name: int(column.sum()) for name, column in sums.items()} | {"straggler": run.straggler}


def expected_padding(tokens, experts, top_k, tile):
    """Mean padding [slots] when each token picks `top_k` distinct experts uniformly at random.

    Exact: each load is Binomial(tokens, top_k / experts), and means add up although the loads are dependent.
    About E_active · T / 2 once loads spread over a tile or more; E_active · T - tokens · k if none fills one.
    Raises ValueError if top_k > experts or a size is below 1.
    """
    _check_sizes(top_k, experts, tokens, tile)
    if top_k == experts:  # every load is certain, and log(1 - p) is not finite
        return float(experts * (-tokens % tile))
    load, p = np.arange(tokens + 1), top_k / experts
    log_factorial = np.concatenate([[0.0], np.cumsum(np.log(load[1:]))])
    log_ways = log_factorial[-1] - log_factorial - log_factorial[::-1]
    chance = np.exp(log_ways + load * np.log(p) + load[::-1] * np.log1p(-p))
    return float(experts * (chance @ (-load % tile)))


def _check_sizes(top_k, experts, *counts):
    if not 1 <= top_k <= experts or min(counts) < 1:
        raise ValueError(f"need 1 ≤ top_k ≤ experts and counts ≥ 1, not {top_k}, {experts} and {counts}")
