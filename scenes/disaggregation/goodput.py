"""How many requests a second eight GPUs serve so that nine in ten meet both targets: whole, in chunks, or apart."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache, cached_property
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from .._serving.models import Reals
from .events import REPLY, Machine, serve_chunks, serve_decode, serve_whole
from .model import Prompt

FLEET = 8  # GPUs, in all three ways
PATIENCE = 3.0  # the first token may take so many times the prompt's own prefill
SHARE = 0.9  # of all requests meet both targets
BUDGETS = (256, 512, 1024, 2048, 4096)  # tokens of a step, where prompts are cut
TRIED = (0.05, 0.15, 0.25, 0.35, 0.45, 0.55, 0.62, 0.68, 0.74, 0.8, 0.85, 0.9, 0.95, 1.0)  # of the highest rate


class Curve(NamedTuple):
    """The time between tokens that 90% of requests keep, beside a first token in time, over requests a second."""

    rates: Reals  # [1/s]
    paces: Reals  # [s]; infinite where first tokens alone come too late for more than 10%

    def within(self, pace: ArrayLike) -> Reals:
        """The highest rate whose requests keep `pace` [s]."""
        reach = np.concatenate([self.paces[:1] * 0.999, np.maximum.accumulate(self.paces)])
        known = int(np.isfinite(reach).sum())
        rates, wanted = np.concatenate([[0.0], self.rates]), np.asarray(pace, dtype=np.float64)
        return np.interp(wanted, reach[:known], rates[:known], left=0.0) if known > 1 else np.zeros(wanted.shape)


def kept_by(first: Reals, between: Reals, patience: float) -> float:
    """The time between tokens [s] that the wanted share keeps among requests whose first token comes in time.

    The first third of the requests finds the GPUs too empty, and the last tenth has nobody behind it: both are left
    out.
    """
    usual = slice(len(first) // 3, len(first) * 9 // 10)
    met = np.sort(np.where(first[usual] <= patience, between[usual], np.inf))
    return float(met[int(np.ceil(SHARE * len(met))) - 1])


@cache
def coming(requests: int) -> Reals:
    """When requests come at random, one in a unit of time."""
    return np.asarray(np.cumsum(np.random.default_rng(3).exponential(1.0, requests)), dtype=np.float64)


@cache
def machine_of(prompt: Prompt) -> Machine:
    return Machine(prompt)


@cache
def together(machine: Machine, budget: int) -> Curve:
    """GPUs that do both, in steps of up to `budget` tokens; 0: prompts are computed whole, before decoding.

    No more requests are tried than such GPUs could serve if weights were read for nothing.
    """
    service, saved = machine.prompt.prefill, (REPLY - 1) * machine.steps[1] / machine.room
    most = FLEET / (service + max(1 / machine.decoded - saved, 0.0))
    rates, paces = most * np.array(TRIED), list[float]()
    for rate in rates:
        come = coming(FLEET * machine.requests)[::FLEET] / rate
        times = come.tolist()
        got = serve_chunks(machine, times, budget) if budget else serve_whole(machine, times)
        first, last = (np.array(one) for one in got)
        paces.append(kept_by(first - come, (last - first) / (REPLY - 1), PATIENCE * service))
        if paces[-1] == np.inf:
            break
    return curve(rates, paces)


@cache
def split_curve(machine: Machine, prefill: int, sending: float) -> Curve:
    """So many GPUs for prefill, the others for decoding, and so long [s] for a cache on its link."""
    decode, service = FLEET - prefill, machine.prompt.prefill
    rates, paces = min(prefill / max(service, sending), decode * machine.decoded) * np.array(TRIED), list[float]()
    for rate in rates:
        come = coming(decode * machine.requests) / rate
        first = served_by_turns(come, service, prefill)
        ready = served_by_turns(first, sending, prefill)
        mine = np.arange(0, len(come), decode)  # what one of the decoding GPUs gets
        mine = mine[np.argsort(ready[mine], kind="stable")]
        last = np.array(serve_decode(machine, ready[mine].tolist()))
        paces.append(kept_by((first - come)[mine], (last - first[mine]) / (REPLY - 1), PATIENCE * service))
        if paces[-1] == np.inf:
            break
    return curve(rates, paces)


def curve(rates: Reals, paces: list[float]) -> Curve:
    """Behind a rate at which first tokens come too late, higher ones are not tried: no pace has them."""
    return Curve(rates, np.array(paces + [np.inf] * (len(rates) - len(paces))))


@dataclass(frozen=True)
class Fleet:
    """Requests with one length of prompt and reply, that come at random and go to the GPUs by turns.

    Each prefill GPU has a link of its own. A request whose cache finds no room waits.

    References
    ----------
    .. [1] Zhong et al., "DistServe", 2024, arXiv:2401.09670, section 1: goodput, for 90% of the requests.
    """

    prompt: Prompt
    link: str

    @cached_property
    def machine(self) -> Machine:
        return machine_of(self.prompt)

    def apart(self, prefill: int) -> Curve:
        """So many GPUs for prefill and the others for decoding; the second token waits for the cache's journey.

        A link that is no slower than prefill keeps no cache waiting, and makes all of them later by as much.
        """
        sending = self.prompt.transfer(self.link)
        if sending > self.prompt.prefill:
            return split_curve(self.machine, prefill, sending)
        quick = split_curve(self.machine, prefill, 0.0)
        return Curve(quick.rates, quick.paces + sending / (REPLY - 1))

    @property
    def whole(self) -> Curve:
        return together(self.machine, 0)

    @property
    def chunks(self) -> list[Curve]:
        """For each of the budgets."""
        return [together(self.machine, budget) for budget in BUDGETS]

    @cached_property
    def splits(self) -> list[Curve]:
        """All ways to share out the GPUs: with one for prefill, with two, and so on."""
        return [self.apart(prefill) for prefill in range(1, FLEET)]

    def best(self, pace: ArrayLike) -> tuple[Reals, Reals, Reals]:
        """Requests a second within a time between tokens [s]: whole, in the best chunks, with the best split."""
        chunks, splits = ([one.within(pace) for one in ways] for ways in (self.chunks, self.splits))
        return self.whole.within(pace), np.asarray(np.max(chunks, axis=0)), np.asarray(np.max(splits, axis=0))

    def budget(self, pace: float) -> int:
        """The tokens of a step with which chunks serve most; the smallest of those that do about as well."""
        rates = np.array([float(one.within(pace)) for one in self.chunks])
        return BUDGETS[int(np.argmax(rates >= 0.99 * rates.max()))]

    def split(self, pace: float) -> int:
        """How many GPUs prefill in the split that serves most."""
        return 1 + int(np.argmax([float(one.within(pace)) for one in self.splits]))


def served_by_turns(come: Reals, service: float, servers: int) -> NDArray[np.float64]:
    """When each is done that goes to one of some servers by turns, where all take equally long [s]."""
    done = np.empty_like(come)
    for one in range(servers):
        mine = come[one::servers]
        passed = service * np.arange(len(mine))
        done[one::servers] = np.maximum.accumulate(mine - passed) + passed + service
    return done
