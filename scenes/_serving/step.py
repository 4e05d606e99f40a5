"""How long one step of a server takes: what it reads, what it computes, and which of the two is waited for."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from .._gpus.rates import Gpu
from .models import Reals, Served

USABLE = 0.9  # of a GPU's memory: the rest is left for activations and for the software itself


class Step(NamedTuple):
    """The parts of a step [s]. Of each pair, reading and computing overlap; the pairs follow one another."""

    read_weights: Reals
    multiply: Reals  # the linear layers' arithmetic
    read_cache: Reals
    attend: Reals  # the arithmetic of attention, of everyone who decodes
    read_prompt: Reals  # the cache of a prompt of which a chunk is computed
    attend_prompt: Reals

    @property
    def linear(self) -> Reals:
        """[s]"""
        return np.maximum(self.read_weights, self.multiply)

    @property
    def attention(self) -> Reals:
        """[s]"""
        return np.maximum(self.read_cache, self.attend)

    @property
    def prompt(self) -> Reals:
        """[s]"""
        return np.maximum(self.read_prompt, self.attend_prompt)

    @property
    def time(self) -> Reals:
        """Linear layers and attention one after the other, layer by layer: their sum [s]."""
        return self.linear + self.attention + self.prompt


@dataclass(frozen=True)
class Server:
    """A model on a GPU. Times are those of one GPU as fast as it may be, whether or not the model fits."""

    model: Served
    gpu: Gpu

    def step(
        self, batch: ArrayLike, context: ArrayLike, positions: int = 1, chunk: ArrayLike = 0, done: ArrayLike = 0
    ) -> Step:
        """One step in which `batch` conversations decode, and a prompt may get on.

        Parameters
        ----------
        batch : array_like
            Conversations, each of which gets its next token.
        context : array_like
            Tokens in each; their mean, if no layer has a window, gives the same.
        positions : int
            Tokens that are computed for each conversation: with speculation, one and those that were guessed. The
            cache is read once for all of them.
        chunk, done : array_like
            Tokens of a prompt that are computed in this step, and those that earlier steps did. The head counts for
            all of them.
        """
        model, tokens = self.model, np.multiply(batch, positions) + np.asarray(chunk)
        rate, peak = self.gpu.bandwidth, self.gpu.peak("BF16")
        return Step(
            model.weights(tokens) / rate,
            model.linear * tokens / self.gpu.peak(model.precision),
            batch * model.cache(context) / rate,
            np.multiply(batch, positions) * model.decode_attention(context) / peak,
            np.where(np.asarray(chunk) > 0, model.cache(done), 0) / rate,
            model.prefill_attention(chunk, done) / peak,
        )

    @cached_property
    def balance(self) -> float:
        """Tokens in a step from which on the linear layers wait for arithmetic and not for weights."""
        low, high = 0.0, 1e6
        for _ in range(60):
            middle = (low + high) / 2
            one = self.step(middle, 0)
            low, high = (low, middle) if one.multiply >= one.read_weights else (middle, high)
        return high

    def room(self, gpus: int = 1) -> float:
        """What is left for caches on so many GPUs [B]; negative where the weights don't fit."""
        return USABLE * self.gpu.capacity * gpus - self.model.stored

    def fits(self, context: ArrayLike, gpus: int = 1) -> Reals:
        """Conversations of `context` tokens whose caches fit beside the weights."""
        return np.floor(max(self.room(gpus), 0.0) / self.model.cache(context))

    def gpus(self, batch: ArrayLike, context: ArrayLike) -> Reals:
        """GPUs that hold the weights and these conversations, if both can be divided evenly."""
        needed = self.model.stored + batch * self.model.cache(context)
        return np.ceil(needed / (USABLE * self.gpu.capacity))
