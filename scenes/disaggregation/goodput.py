"""How many requests a second eight GPUs serve within targets, with both phases on each GPU or apart."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import ArrayLike

from .._serving.models import Reals
from .model import SERVER, Prompt, mean_first_token, mean_link_wait, mean_wait

FLEET = 8  # GPUs, on both sides
REPLY = 256  # tokens of each reply; the first comes from prefill
PATIENCE = 3.0  # the first token may take so many times the prompt's own prefill, in the mean
FINE = 600  # numbers of others that are looked at


@dataclass(frozen=True)
class Fleet:
    """Requests with one length of prompt and reply, that come at random, over eight GPUs. All of it in the mean.

    A conversation decodes with as many others as come in the time that one of them decodes, by Little's law. A prompt
    goes before decoding. Each prefill GPU has a link of its own.
    """

    prompt: Prompt
    link: str

    @property
    def service(self) -> float:
        """The time of a prefill [s]."""
        return self.prompt.prefill

    @cached_property
    def others(self) -> Reals:
        """With how many others a conversation may decode on one GPU: as many as its memory holds."""
        most = float(SERVER.fits(self.prompt.tokens + REPLY))
        return np.linspace(0.0, max(most - 1, 1.0), FINE)

    @cached_property
    def steps(self) -> Reals:
        """The time of a decode step with so many others [s]; replies are half done in the mean."""
        return np.asarray(SERVER.step(1 + self.others, self.prompt.tokens + REPLY / 2).time, dtype=np.float64)

    @cached_property
    def together(self) -> tuple[Reals, Reals, Reals]:
        """With so many others: requests a second of all GPUs, time to the first token, time between further ones.

        A GPU that spends a share of its time on prompts decodes in the rest, and a conversation begins behind those
        prompts that came during its own: its tokens take (prompts left * service + tokens * step) / (1 - load).
        """
        low, high = np.zeros(FINE), np.full(FINE, 1 / self.service)
        for _ in range(50):  # the rate at which as many decode as is assumed; more requests make more of them
            rate = (low + high) / 2
            fewer = rate * self.decoding(rate) < self.others
            low, high = np.where(fewer, rate, low), np.where(fewer, high, rate)
        first = self.service + mean_wait(self.service, low) + self.steps / 2  # a step that runs is not broken off
        return low * FLEET, first, self.decoding(low) / (REPLY - 1)

    def decoding(self, rate: Reals) -> Reals:
        """From the first token to the last on a GPU that does both and gets so many requests a second [s]."""
        left = rate * (self.service + mean_wait(self.service, rate))
        return (left * self.service + (REPLY - 1) * self.steps) / (1 - rate * self.service)

    def apart(self, prefill: int) -> tuple[Reals, Reals, Reals]:
        """The same with so many GPUs for prefill and the others for decoding; the second token waits for the cache."""
        rate = self.others / ((REPLY - 1) * self.steps) * (FLEET - prefill)
        each, sending = rate / prefill, self.prompt.transfer(self.link)
        late = sending + mean_link_wait(self.service, sending, each)
        return rate, mean_first_token(self.service, each), self.steps + late / (REPLY - 1)

    @cached_property
    def splits(self) -> list[tuple[Reals, Reals, Reals]]:
        """All ways to share out the GPUs: with one for prefill, with two, and so on."""
        return [self.apart(prefill) for prefill in range(1, FLEET)]

    def within(self, case: tuple[Reals, Reals, Reals], pace: ArrayLike) -> Reals:
        """The highest rate [1/s] at which a first token takes no longer than patience has, and others no longer than
        `pace` [s]."""
        rate, first, between = case
        early = np.interp(PATIENCE * self.service, first, rate, left=0.0)
        return np.minimum(np.interp(pace, between, rate, left=0.0), early)

    def best_together(self, pace: ArrayLike) -> Reals:
        """[1/s]"""
        return self.within(self.together, pace)

    def best_apart(self, pace: ArrayLike) -> Reals:
        """With the split that serves most [1/s]."""
        return np.asarray(np.max([self.within(split, pace) for split in self.splits], axis=0))

    def split(self, pace: float) -> int:
        """How many GPUs prefill in the split that serves most within the targets."""
        return 1 + int(np.argmax([float(self.within(split, pace)) for split in self.splits]))

    @property
    def most_together(self) -> float:
        """Without targets [1/s]: memory is full, and each request takes its prefill and its part of the steps."""
        batch = 1 + self.others[-1]
        return float(FLEET * batch / ((REPLY - 1) * self.steps[-1] + batch * self.service))

    @property
    def most_apart(self) -> float:
        """The same for the split that does most; prompts are computed and sent as fast as can be [1/s]."""
        slower = max(self.service, self.prompt.transfer(self.link))
        decoded = float((1 + self.others[-1]) / ((REPLY - 1) * self.steps[-1]))
        return max(min(prefill / slower, (FLEET - prefill) * decoded) for prefill in range(1, FLEET))
