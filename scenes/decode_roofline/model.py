"""One decode step of a server with so many users: its time, what one more user adds, and where its limits lie."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache, cached_property
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from .._gpus.rates import GPUS
from .._serving.models import MODELS, Reals, Served
from .._serving.step import Server, Step

BATCHES = (1, 4, 16, 32, 64, 128, 256, 1024)  # users whose next tokens are computed together
CONTEXTS = (1024, 8192, 32_768, 131_072)  # tokens in each of their conversations
NEVER = 0  # what a limit says that no number of users or tokens reaches
LONGEST = 10**8  # tokens: no conversation is longer


@cache
def server(model: str, gpu: str) -> Server:
    return Server(MODELS[model], GPUS[gpu])


@dataclass(frozen=True)
class Load:
    """`batch` users with a conversation of `context` tokens each. Times are those of one GPU that does it all."""

    model: str
    gpu: str
    context: int
    batch: int

    def of(self, users: int) -> Load:
        """The same conversations of so many users."""
        return load_of(self.model, self.gpu, self.context, users)

    @property
    def server(self) -> Server:
        return server(self.model, self.gpu)

    @property
    def served(self) -> Served:
        return self.server.model

    @cached_property
    def step(self) -> Step:
        return self.server.step(self.batch, self.context)

    @cached_property
    def alone(self) -> Step:
        """The step of one user."""
        return self.of(1).step

    @cached_property
    def time(self) -> float:
        """[s]"""
        return float(self.step.time)

    @cached_property
    def more(self) -> float:
        """What one more user adds to the step [s]."""
        return float(self.server.step(self.batch + 1, self.context).time) - self.time

    @property
    def user(self) -> float:
        """Tokens that each user gets in a second."""
        return 1 / self.time

    @property
    def everyone(self) -> float:
        """Tokens that all users get in a second."""
        return self.batch / self.time

    @property
    def experts(self) -> float:
        """Distinct experts that a layer reads."""
        return float(self.served.experts.touched(self.batch))

    @property
    def caches(self) -> float:
        """The caches of all users [B]."""
        return self.batch * float(self.served.cache(self.context))

    @property
    def gpus(self) -> int:
        """GPUs that hold weights and caches, if both can be divided evenly."""
        return int(self.server.gpus(self.batch, self.context))

    @property
    def limits(self) -> Limits:
        """Where the price of one more user changes."""
        return limits(self.model, self.gpu, self.context)


@cache  # all pictures show the same few numbers of users: each step is computed once
def load_of(model: str, gpu: str, context: int, batch: int) -> Load:
    return Load(model, gpu, context, batch)


class Limits(NamedTuple):
    """Numbers of users, of conversations with so many tokens, at which something else decides."""

    balance: float  # from here on the linear layers wait for arithmetic and not for weights
    overtaking: int  # from here on reading caches takes longer than reading weights
    least: int  # GPUs that hold the weights and one user
    fits: int  # users whom these hold


@cache
def limits(model: str, gpu: str, context: int) -> Limits:
    one = server(model, gpu)
    each, least = float(one.model.cache(context)), int(one.gpus(1, context))
    low, high = 0, 2**40
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if middle * each > one.model.weights(middle) else (middle, high)
    return Limits(balance(model, gpu), high, least, int(one.fits(context, least)))


@cache
def balance(model: str, gpu: str) -> float:
    return server(model, gpu).balance


@cache
def overtaking_tokens(model: str) -> float:
    """Tokens of all conversations together whose caches are as large as all weights that a step can read."""
    served = MODELS[model]
    return float(served.weights(np.inf)) / served.cache_token


@cache
def memory_bound_from(model: str, gpu: str) -> float:
    """Tokens of a conversation from which on no number of users makes arithmetic the larger part; or `NEVER`.

    Every user adds arithmetic to the linear layers, and to attention reading beyond attention's own arithmetic.
    """

    def surplus(context: int) -> float:
        one = server(model, gpu).step(1, context)
        return float(one.read_cache - one.multiply - one.attend)

    low, high = 0, LONGEST
    if surplus(high) < 0:
        return NEVER
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (middle, high) if surplus(middle) < 0 else (low, middle)
    below, above = surplus(low), surplus(high)
    return low - below / (above - below)


@cache
def along(model: str, gpu: str) -> Reals:
    """Numbers of users that curves go through: two to an octave, and where the linear layers' limit changes."""
    turn = balance(model, gpu)
    some = np.geomspace(BATCHES[0], BATCHES[-1], 21)
    return np.sort(np.append(some, turn)) if turn < BATCHES[-1] else some


@cache
def border(model: str, gpu: str) -> Reals:
    """For each number of users in `along`, the tokens of each conversation with which attention is half of a step."""
    one, batch = server(model, gpu), along(model, gpu)
    return first_tokens(lambda tokens: one.step(batch, tokens).attention >= one.step(batch, tokens).linear, batch)


@cache
def full(model: str, gpu: str, gpus: int) -> Reals:
    """For each number of users in `along`, the tokens of each conversation with which so many GPUs are full."""
    one, batch = server(model, gpu), along(model, gpu)
    return first_tokens(lambda tokens: batch * one.model.cache(tokens) >= one.room(gpus), batch)


def first_tokens(reached: Callable[[Reals], NDArray[np.bool_]], batch: Reals) -> Reals:
    """The fewest tokens for which something is reached, for each number of users; `LONGEST` if it never is."""
    low, high = np.zeros_like(batch), np.full_like(batch, LONGEST)
    while np.max(high - low) > 1:
        middle = np.floor((low + high) / 2)
        over = reached(middle)
        low, high = np.where(over, low, middle), np.where(over, middle, high)
    return high
