"""A token's visit to its experts on other GPUs: what it sends, how long that takes, and who is waited for."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import NamedTuple

import numpy as np

from .._clusters.links import NETWORK, PEAK
from .placing import EACH, LOCAL, Name, Placement, place
from .router import EXPERTS, GPUS, NODES, PICKED, TOKENS, Ints, affinities, pick

HIDDEN, MIDDLE = 7168, 2048  # widths of DeepSeek-V3's tokens and of an expert's middle
# A token on its way to an expert is in FP8, with an FP32 scale for 128 numbers; on its way back in BF16 [B].
OUT, BACK = HIDDEN + HIDDEN // 128 * 4, HIDDEN * 2
FP8_PEAK = 2 * PEAK  # [FLOP/s]
VISIT = 6 * HIDDEN * MIDDLE / FP8_PEAK  # [s]: three matrices, a multiplication and an addition for each weight


@cache
def free_picks(skew: float) -> Ints:
    """What all tokens pick where they may visit any node."""
    return pick(affinities(skew), np.zeros(EXPERTS, dtype=np.int64), NODES)


@cache
def placed(name: Name, skew: float) -> Placement:
    """Experts placed by how often they are picked without a limit."""
    return place(name, np.bincount(free_picks(skew).ravel(), minlength=EXPERTS))


class Batch(NamedTuple):
    """What a routed batch comes to."""

    loads: Ints  # visits to each GPU
    counts: Ints  # visits to each expert
    nodes: float  # that a token visits, on average
    gpus: float
    wanted: float  # of its PICKED most liked experts, how many a token gets on average


@cache
def routed(limit: int, popularity: float, placement: Name) -> Batch:
    """Route the batch and see who gets how much."""
    where, free = placed(placement, popularity), free_picks(popularity)
    picked = free if limit >= NODES else pick(affinities(popularity), where.node, limit)
    visited = where.visited(picked)
    kept = (free[:, :, None] == picked[:, None, :]).any(axis=2).sum(axis=1)
    return Batch(
        np.bincount(visited.ravel(), minlength=GPUS),
        np.bincount(picked.ravel(), minlength=EXPERTS),
        float(distinct(visited // LOCAL).mean()),
        float(distinct(visited).mean()),
        float(kept.mean()),
    )


@dataclass(frozen=True)
class Case:
    """A batch of tokens, whose router may pick from `limit` nodes, over experts that are not equally popular."""

    popularity: float
    limit: int
    placement: Name

    @property
    def batch(self) -> Batch:
        return routed(self.limit, self.popularity, self.placement)

    @property
    def loads(self) -> Ints:
        """Visits to each GPU."""
        return self.batch.loads

    @property
    def nodes(self) -> float:
        """Nodes that a token visits, on average."""
        return self.batch.nodes

    @property
    def mean(self) -> float:
        """Visits to a GPU if all had as many."""
        return TOKENS * PICKED / GPUS

    @property
    def slowest(self) -> float:
        """The fullest GPU over the mean."""
        return float(self.loads.max() / self.mean)

    @property
    def idle(self) -> float:
        """How much of all GPUs' time is waiting, as long as the fullest computes [%]."""
        return 100 * (1 - 1 / self.slowest)

    @property
    def dispatch(self) -> float:
        """What a token sends over the network on average, a copy for each node [B]."""
        return self.nodes * OUT

    @property
    def combine(self) -> float:
        """What comes back of a token over the network on average, a sum from each node [B]."""
        return self.nodes * BACK

    @property
    def dispatch_time(self) -> float:
        """TOKENS tokens of each GPU through its network card [s]."""
        return TOKENS * self.dispatch / NETWORK

    @property
    def combine_time(self) -> float:
        """[s]"""
        return TOKENS * self.combine / NETWORK

    @property
    def work(self) -> float:
        """The experts' arithmetic on a GPU with the mean load, where each GPU brings TOKENS tokens [s]."""
        return TOKENS * PICKED * VISIT

    @property
    def waiting(self) -> float:
        """How much longer the fullest GPU takes [s]."""
        return (self.slowest - 1) * self.work

    @property
    def parts(self) -> tuple[float, float, float, float]:
        """What follows one another in a layer [s]."""
        return self.dispatch_time, self.work, self.waiting, self.combine_time

    @property
    def time(self) -> float:
        """The layer's experts, from the first token sent to the last result back [s]."""
        return sum(self.parts)


@dataclass(frozen=True)
class Trip:
    """One token of the router without skew, over experts in order: where it comes from, and where it goes."""

    experts: tuple[int, ...]
    home: int
    liked: tuple[int, ...]  # the same experts, the most liked first

    def first(self, number: int) -> Trip:
        """The trip to so many of the experts, those most liked."""
        some = self.liked[:number]
        return Trip(tuple(sorted(some)), self.home, some)

    @property
    def gpus(self) -> list[int]:
        """The GPU of each expert."""
        return [expert // EACH for expert in self.experts]

    @property
    def nodes(self) -> list[int]:
        """The nodes that it visits, in order."""
        return sorted({gpu // LOCAL for gpu in self.gpus})


@cache
def trip(limit: int) -> Trip:
    """The first token that visits as many nodes as most do; its own GPU is in a node that it does not visit."""
    everyone = np.arange(EXPERTS)
    picked = pick(affinities(0.0), everyone // EACH // LOCAL, limit)
    touched = distinct(picked // EACH // LOCAL)
    token = int(np.flatnonzero(touched == np.bincount(touched).argmax())[0])
    experts = tuple(sorted(picked[token].tolist()))
    away = max(set(range(NODES)) - {expert // EACH // LOCAL for expert in experts})
    liked = sorted(experts, key=affinities(0.0)[token].__getitem__, reverse=True)
    return Trip(experts, away * LOCAL + LOCAL // 2 + 1, tuple(liked))


def distinct(rows: Ints) -> Ints:
    """How many different numbers each row holds."""
    ordered = np.sort(rows, axis=1)
    found: Ints = 1 + (np.diff(ordered, axis=1) > 0).sum(axis=1)
    return found
