"""A server under a stream of requests: what it does in each step, and when everybody gets each token."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cache

import numpy as np

from .model import ALONE, step_time

SEED = 4
COUNT, LONG = 16, 4  # requests, and every how manieth of them has the long prompt
SHORT, GIVEN = 256, 120  # tokens: of a short prompt, and of an answer on average
RATE = 12.0  # requests in a second


@dataclass
class Visit:
    """A request, and what becomes of it."""

    arrival: float  # [s]
    prompt: int  # tokens
    output: int  # tokens
    done: int = 0  # tokens of the prompt that are computed
    begun: float = 0.0  # [s]: when the first step with a part of the prompt begins
    times: list[float] = field(default_factory=list)  # [s]: when each token is there

    @property
    def first(self) -> float:
        """TTFT [s]."""
        return self.times[0] - self.arrival

    @property
    def gaps(self) -> list[float]:
        """ITL: the times between its tokens [s]."""
        return np.diff(self.times).tolist()

    @property
    def mean(self) -> float:
        """TPOT: the mean time between its tokens [s]."""
        return (self.times[-1] - self.times[0]) / (self.output - 1)


def arrivals(prompt: int) -> list[Visit]:
    """Requests at random times [s]: most are short, every fourth has a prompt of so many tokens."""
    random = np.random.default_rng(SEED)
    times = np.cumsum(random.exponential(1 / RATE, COUNT))
    outputs = 2 + random.poisson(GIVEN - 2, COUNT)
    return [Visit(time, prompt if at % LONG == 1 else SHORT, output)
            for at, (time, output) in enumerate(zip(times.tolist(), outputs.tolist(), strict=True))]  # fmt: skip


def serve(visits: list[Visit], how: str, budget: int) -> list[Visit]:
    """Serve everybody, step by step, first come first served.

    By itself: while a prompt waits, the next step computes it whole, and nobody decodes. In chunks: each step decodes
    for everybody, and fills up to the budget with prompts. A prompt's last step brings its first token.
    """
    now = 0.0
    while left := [one for one in visits if len(one.times) < one.output]:
        here = [one for one in left if one.arrival <= now]
        if not here:
            now = min(one.arrival for one in left)
            continue
        waiting = [one for one in here if one.done < one.prompt]
        batch = [] if how == ALONE and waiting else [one for one in here if one.done == one.prompt]
        room = max(budget - len(batch), 0) if how != ALONE else 0
        chunks: list[tuple[Visit, int]] = [(waiting[0], waiting[0].prompt)] if how == ALONE and waiting else []
        for one in waiting if how != ALONE else ():
            if part := min(one.prompt - one.done, room):
                chunks.append((one, part))
                room -= part
        now = advance(now, batch, chunks)
    return visits


def advance(now: float, batch: list[Visit], chunks: list[tuple[Visit, int]]) -> float:
    """One step: when it ends [s]."""
    contexts = [one.prompt + len(one.times) for one in batch]
    mean = sum(contexts) / len(contexts) if contexts else 0
    end = now + step_time(len(batch), mean, tuple((part, one.done) for one, part in chunks))
    for one, part in chunks:
        one.begun = one.begun if one.done else now
        one.done += part
    for one in [*batch, *(one for one, _ in chunks if one.done == one.prompt)]:
        one.times.append(end)
    return end


@cache
def served(how: str, prompt: int, budget: int) -> tuple[Visit, ...]:
    return tuple(serve(arrivals(prompt), how, budget))
