"""When guesses are faster: tokens of a pass, what guessing costs, and what looking guesses over costs in a batch."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache, cached_property
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from .._gpus.rates import GPUS
from .._serving.models import MODELS
from .._serving.step import Server, Step

Reals = NDArray[np.float64]

ALPHAS = tuple(round(0.5 + 0.05 * step, 2) for step in range(10))
GAMMAS = tuple(range(1, 9))
BATCHES = tuple(2**power for power in range(10))
FINE = tuple(2 ** (part / 6) for part in range(6 * 9 + 1))  # as many for a curve to be round, with all of `BATCHES`
DRAFT = 0.05  # a step of the small model, in steps of the large one
DEAR = 0.2  # a larger small model, to compare with
FAR = 64  # guesses behind which no best number of them is looked for


class Load(NamedTuple):
    """What a server holds: a model, and how long each request's text is."""

    model: str
    context: int  # tokens

    @property
    def server(self) -> Server:
        return Server(MODELS[self.model], GPUS["H100"])

    @property
    def room(self) -> int:
        """Requests that one GPU has memory for beside the weights; none where it has none for these."""
        return int(self.server.fits(self.context))

    def step(self, batch: ArrayLike, positions: int) -> Step:
        return self.server.step(batch, self.context, positions)


PLANS = {"4x80": (4, 0.8), "4x50": (4, 0.5), "1x85": (1, 0.85), "8x90": (8, 0.9)}  # guesses, and how often one stays
LOADS = {"short": Load("8B", 1024), "long": Load("8B", 8192), "experts": Load("V3", 8192)}


def tokens(alpha: ArrayLike, gamma: ArrayLike) -> Reals:
    """Tokens that one pass gives on average.

    Parameters
    ----------
    alpha : array_like
        Probability that a guess stays, below 1, the same for all and independent of each other.
    gamma : array_like
        Guesses for each pass.

    Returns
    -------
    ndarray
        (1 - α^(γ+1)) / (1 - α) [tokens]

    References
    ----------
    .. [1] Leviathan, Kalman, Matias, "Fast Inference from Transformers via Speculative Decoding", ICML 2023,
       arXiv:2211.17192, equation 1.
    """
    rate = np.asarray(alpha, dtype=np.float64)
    found: Reals = (1 - rate ** (np.asarray(gamma) + 1)) / (1 - rate)
    return found


def speed_up(alpha: ArrayLike, gamma: ArrayLike, draft: ArrayLike, check: ArrayLike = 1.0) -> Reals:
    """How many times faster tokens come than one by one.

    Parameters
    ----------
    alpha, gamma : array_like
        As those of `tokens`.
    draft : array_like
        Time of one step of the small model, in plain steps of the large one: c.
    check : array_like
        Time of the pass that looks over all guesses, in the same unit: v. The paper takes it as 1.

    Returns
    -------
    ndarray
        E / (γ c + v)

    References
    ----------
    .. [1] Leviathan, Kalman, Matias, arXiv:2211.17192, theorem 3.8.
    """
    found: Reals = tokens(alpha, gamma) / (np.multiply(gamma, draft) + check)
    return found


@cache
def best(alpha: float, draft: float, check: float = 1.0) -> tuple[int, float]:
    """The number of guesses with which tokens come fastest, and how many times faster they do."""
    gains = speed_up(alpha, np.arange(1, FAR + 1), draft, check)
    return int(gains.argmax()) + 1, float(gains.max())


@cache
def steps_of(load: str, batch: float, gamma: int) -> tuple[Step, Step]:
    """A plain step, and one over γ + 1 positions of each request."""
    one = LOADS[load]
    return one.step(batch, 1), one.step(batch, gamma + 1)


@cache
def check_cost(load: str, batch: float, gamma: int) -> float:
    """The second in the time of the first: v."""
    plain, checking = steps_of(load, batch, gamma)
    return float(checking.time / plain.time)


def reached(gamma: int, alpha: float) -> list[float]:
    """Probability that each place of a pass gives a token: the first always, the next if the guesses before stay."""
    return [alpha**place for place in range(gamma + 1)]


@dataclass(frozen=True)
class Case:
    """So many guesses that stay with some chance, for a user alone or in a batch."""

    gamma: int
    alpha: float
    batch: int = 1
    load: str = "short"

    @cached_property
    def tokens(self) -> float:
        return float(tokens(self.alpha, self.gamma))

    @cached_property
    def alone(self) -> float:
        """The gain where a pass over some positions takes no longer than one over one."""
        return float(speed_up(self.alpha, self.gamma, DRAFT))

    @cached_property
    def check(self) -> float:
        return check_cost(self.load, self.batch, self.gamma)

    @cached_property
    def gain(self) -> float:
        return float(speed_up(self.alpha, self.gamma, DRAFT, self.check))

    @property
    def steps(self) -> tuple[Step, Step]:
        """A plain step, and one that looks over guesses."""
        return steps_of(self.load, self.batch, self.gamma)
