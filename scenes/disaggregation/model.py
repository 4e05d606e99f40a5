"""What a prompt costs before its first token: its prefill, its cache's way over a link, and waiting in a queue."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import ArrayLike

from .._clusters.links import NETWORK, NVLINK
from .._gpus.rates import GPUS
from .._serving.models import MODELS, Reals, Served
from .._serving.step import Server

GPU = GPUS["H100"]
REACHED = 0.5  # of the peak rate, in prefill
LINKS = {"nvlink": NVLINK, "nic": NETWORK, "100gbe": 100e9 / 8, "10gbe": 10e9 / 8}  # [B/s], in one direction
SERVER = Server(MODELS["8B"], GPU)
READ = SERVER.model.always / GPU.bandwidth  # [s]: the weights, in each step
LINEAR = SERVER.model.linear / (REACHED * GPU.peak("BF16"))  # [s] for a token of a prompt, in linear layers
PAIR = float(SERVER.model.prefill_attention(1)) / (REACHED * GPU.peak("BF16"))  # [s] for a token and one it sees
KEPT = SERVER.model.cache_token / GPU.bandwidth  # [s]: to read the keys and values of a token


@dataclass(frozen=True)
class Prompt:
    """A prompt of so many tokens, for one model, on one GPU as fast as it may be."""

    model: Served
    tokens: int

    @cached_property
    def cache(self) -> float:
        """Its keys and values, which go over the link once [B]."""
        return float(self.model.cache(self.tokens))

    @cached_property
    def prefill(self) -> float:
        """The arithmetic of linear layers and attention at half of the BF16 peak [s]."""
        work = self.model.linear * self.tokens + self.model.prefill_attention(self.tokens)
        return float(work / (REACHED * GPU.peak("BF16")))

    def transfer(self, link: str) -> float:
        """Its cache at the full rate of a link [s]."""
        return self.cache / LINKS[link]

    @property
    def hides(self) -> float:
        """The rate of a link that carries a prompt's cache while the next one is computed [B/s]."""
        return self.cache / self.prefill


def attend(chunk: int, done: int) -> float:
    """Attention of a chunk behind so many tokens of its prompt [s]: reading them and arithmetic overlap."""
    return max(PAIR * chunk * (done + (chunk + 1) / 2), KEPT * done)


def mean_wait(service: float, rate: ArrayLike) -> Reals:
    """The mean wait in front of one server that takes equally long for all, who come at random [s].

    Parameters
    ----------
    service : float
        Time for each [s].
    rate : array_like
        How many come in a second [1/s]; from 1 / service on the wait has no end.

    References
    ----------
    .. [1] Zhong et al., "DistServe", 2024, arXiv:2401.09670, section 3.1: prefill as an M/D/1 queue.
    """
    load = np.asarray(rate, dtype=np.float64) * service
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.where(load < 1, service * load / (2 * (1 - load)), np.inf)


def mean_first_token(service: float, rate: ArrayLike) -> Reals:
    """From a prompt's arrival to its first token, on average [s]: the wait, and its own prefill."""
    return service + mean_wait(service, rate)


def mean_link_wait(service: float, sending: float, rate: ArrayLike) -> Reals:
    """The mean wait in front of a link behind a server, where both take equally long for all [s].

    What leaves the server is at least a service apart, so a link that is no slower keeps nobody waiting. With a slower
    one all leave as if there was only the link, later by a service: the whole wait is the link's own, part of which was
    spent before the server.
    """
    if sending <= service:
        return np.zeros_like(np.asarray(rate, dtype=np.float64))
    before, whole = mean_wait(service, rate), mean_wait(sending, rate)
    return whole - np.where(np.isfinite(before), before, 0.0)
