"""The long run: how long a request waits on average at each load, and from which load on the queue has no end."""

from __future__ import annotations

from functools import cache

import numpy as np

from .model import CONTINUOUS, MEAN, POLICIES, SLOTS, SPAN, TURNS, Schedule, stream

LOADS = tuple(range(5, 121, 5))  # [%]
SEED, COUNT = 3, 20_000  # of the stream that stands for the long run; its beginning is shown
SKIPPED = COUNT // 10  # requests at the start, when the server is still empty


@cache
def longest(mean: int = MEAN, slots: int = SLOTS) -> float:
    """The longest of as many geometric lengths as there are slots, on average [tokens].

    The sum over t of the chance that one of them is longer than t, 1 - (1 - q^t)^slots with q = 1 - 1/mean. For long
    requests it comes near mean * (1 + 1/2 + … + 1/slots), as with exponential lengths.
    """
    shorter = 1 - (1 - 1 / mean) ** np.arange(60 * mean)
    return float(np.sum(1 - shorter**slots))


def limit(policy: str, mean: int = MEAN, slots: int = SLOTS) -> float:
    """The load from which on the queue grows for ever [%]: the share of full slots that give a token."""
    return 100.0 if policy == CONTINUOUS else 100 * mean / longest(mean, slots)


@cache
def mean_wait(policy: str, load: float) -> float:
    """How long a request waits for a slot in the long run [steps]; for loads [%] below the limit."""
    requests = stream(load / 100, COUNT, SEED)
    waits = [start - one.arrival for one, (_, start, _) in zip(requests, TURNS[policy](requests), strict=True)]
    return float(np.mean(waits[SKIPPED:]))


@cache
def shown(policy: str, load: int) -> Schedule:
    """The beginning of that stream: all that arrive while it is looked at, each served to its end."""
    return Schedule(POLICIES[policy]([one for one in stream(load / 100, 200, SEED) if one.arrival < SPAN]))
