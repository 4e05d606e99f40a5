"""Requests that share the slots of a server, a token for each in every step: batch after batch, or step by step."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate
from typing import NamedTuple

import numpy as np

SLOTS = 4
MEAN = 100  # tokens of a request in the stream
SPAN = 2400  # steps of the stream that are shown
STATIC, CONTINUOUS = "static", "continuous"
Turn = tuple[int, int, int]  # a request's slot, from when on it has it, and when it is free again [steps]


class Request(NamedTuple):
    """When a request arrives [steps], and how many tokens it will be given."""

    arrival: float
    tokens: int


class Served(NamedTuple):
    """What became of a request: its slot from `start` to `free`, of which it was given a token a step until `end`."""

    arrival: float
    tokens: int
    slot: int
    start: int
    free: int

    @property
    def end(self) -> int:
        """When the last token is there [steps]."""
        return self.start + self.tokens

    @property
    def wait(self) -> float:
        """From its arrival to its first step in a slot [steps]."""
        return self.start - self.arrival

    @property
    def held(self) -> int:
        """From its last token to its answer [steps]."""
        return self.free - self.end

    @property
    def latency(self) -> float:
        """From its arrival to its answer [steps]: a static batch hands over all its answers when its last one ends."""
        return self.free - self.arrival


# Eight requests whose schedules can be followed by hand, A to H.
EIGHT = tuple(Request(*one) for one in ((0, 5), (0, 2), (0, 7), (0, 3), (1, 4), (2, 2), (4, 6), (5, 3)))


def static_turns(requests: Sequence[Request], slots: int = SLOTS) -> Iterator[Turn]:
    """Request-level scheduling: a batch takes all who wait, at most as many as there are slots, and runs to its end.

    Parameters
    ----------
    requests : sequence of Request
        In the order of their arrival.
    slots : int
        How many requests a batch can have.
    """
    first = begin = 0
    while first < len(requests):
        begin = max(begin, math.ceil(requests[first].arrival))
        batch = [tokens for arrival, tokens in requests[first : first + slots] if arrival <= begin]
        end = begin + max(batch)
        for slot in range(len(batch)):
            yield slot, begin, end
        first, begin = first + len(batch), end


def continuous_turns(requests: Sequence[Request], slots: int = SLOTS) -> Iterator[Turn]:
    """Iteration-level scheduling: in every step a free slot goes to whoever has waited longest.

    Parameters
    ----------
    requests : sequence of Request
        In the order of their arrival.
    slots : int
        How many requests can take part in a step.

    References
    ----------
    .. [1] Yu et al., "Orca: A Distributed Serving System for Transformer-Based Generative Models", OSDI 2022.
    """
    free = [0] * slots  # from when on each slot is free
    for arrival, tokens in requests:
        start = max(math.ceil(arrival), min(free))
        slot = 0
        while free[slot] > start:
            slot += 1
        free[slot] = start + tokens
        yield slot, start, free[slot]


TURNS = {STATIC: static_turns, CONTINUOUS: continuous_turns}


def serve(policy: str, requests: Sequence[Request], slots: int = SLOTS) -> list[Served]:
    """What becomes of some requests, in the order of their arrival."""
    return [Served(*one, *turn) for one, turn in zip(requests, TURNS[policy](requests, slots), strict=True)]


def serve_static(requests: Sequence[Request], slots: int = SLOTS) -> list[Served]:
    """With request-level scheduling."""
    return serve(STATIC, requests, slots)


def serve_continuous(requests: Sequence[Request], slots: int = SLOTS) -> list[Served]:
    """With iteration-level scheduling."""
    return serve(CONTINUOUS, requests, slots)


POLICIES = {STATIC: serve_static, CONTINUOUS: serve_continuous}


@dataclass(frozen=True)
class Schedule:
    """What a server did."""

    served: Sequence[Served]
    slots: int = SLOTS

    @property
    def steps(self) -> int:
        """Until the last answer [steps]."""
        return max(one.free for one in self.served)

    @property
    def tokens(self) -> int:
        return sum(one.tokens for one in self.served)

    def used(self, until: float) -> float:
        """The share of slots that gave a token, of all steps up to then [%]."""
        done = sum(min(max(until - one.start, 0), one.tokens) for one in self.served)
        return 100 * done / (self.slots * until) if until else 0.0

    def waiting(self, now: float) -> int:
        """How many wait for a slot."""
        return sum(one.arrival <= now < one.start for one in self.served)

    def late(self, now: float) -> list[int]:
        """Which of them have had to wait for a slot by then."""
        return [at for at, one in enumerate(self.served) if one.wait and one.arrival < now]

    @cached_property
    def queue(self) -> list[tuple[float, int]]:
        """Each time at which the number of those who wait changes, and what it is from then on."""
        changes: dict[float, int] = {}
        for one in self.served:
            if one.wait:
                changes[one.arrival] = changes.get(one.arrival, 0) + 1
                changes[one.start] = changes.get(one.start, 0) - 1
        times = sorted(changes)
        return [*zip(times, accumulate(changes[time] for time in times), strict=True)]

    @property
    def wait(self) -> float:
        """The mean time from an arrival to a slot [steps]."""
        return float(np.mean([one.wait for one in self.served]))

    @property
    def latency(self) -> float:
        """The mean time from an arrival to its answer [steps]."""
        return float(np.mean([one.latency for one in self.served]))

    def taken(self, held: int = 0) -> float:
        """The same if no answer were held for more steps: for none, each is handed over with its last token [steps]."""
        return float(np.mean([one.latency - max(one.held - held, 0) for one in self.served]))


def stream(load: float, count: int, seed: int, mean: int = MEAN, slots: int = SLOTS) -> list[Request]:
    """Requests at random times, with random lengths: the same ones for every load, only closer together.

    Parameters
    ----------
    load : float
        Tokens that arrive in a step over those that the slots can give in one.
    count : int
        How many requests.
    seed : int
        Of the draws: exponential times between arrivals, and geometric lengths with the given mean [tokens].
    """
    random = np.random.default_rng(seed)
    arrivals = np.cumsum(random.exponential(size=count)) * mean / (slots * load)
    lengths = random.geometric(1 / mean, count)
    return [*map(Request._make, zip(arrivals.tolist(), lengths.tolist(), strict=True))]
