"""What the reader chooses, and what follows for a prompt, its lanes and a fleet."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache, cached_property

from .._serving.models import MODELS
from .goodput import Fleet
from .lanes import Scenario, apart, in_chunks, whole
from .model import Prompt

PROMPTS = tuple(512 << power for power in range(9))  # [tokens]
PACES = (8, 10, 15, 30, 100)  # targets for the time between tokens [ms]
NAMES = {"nvlink": "NVLink", "nic": "400 Gb/s", "100gbe": "100 Gb/s", "10gbe": "10 Gb/s"}


@dataclass(frozen=True)
class Case:
    """Prompts of one length, the link that carries their caches, and the target for the time between tokens."""

    tokens: int
    link: str
    pace: int  # [ms]

    @property
    def prompt(self) -> Prompt:
        return self.fleet.prompt

    @cached_property
    def fleet(self) -> Fleet:
        return fleet_of(self.tokens, self.link)

    @cached_property
    def budget(self) -> int:
        """The tokens of a step in which prompts are cut, for this pace."""
        return self.fleet.budget(self.pace / 1000)

    @property
    def whole(self) -> Scenario:
        return whole(self.tokens)

    @property
    def chunks(self) -> Scenario:
        return in_chunks(self.tokens, self.budget)

    @property
    def apart(self) -> Scenario:
        return apart(self.tokens, self.link)

    @property
    def sending(self) -> float:
        """[s]"""
        return self.prompt.transfer(self.link)

    @cached_property
    def served(self) -> tuple[float, float, float]:
        """Requests a second within the targets: with whole prompts, in chunks, apart."""
        one, other, third = self.fleet.best(self.pace / 1000)
        return float(one), float(other), float(third)

    @property
    def rival(self) -> float:
        """The better of the two ways together [1/s]."""
        return max(self.served[:2])

    @property
    def gain(self) -> float:
        """Apart over the better way together; 0 where none is fast enough."""
        return self.served[2] / self.rival if self.rival else 0.0


@cache
def fleet_of(tokens: int, link: str) -> Fleet:
    return Fleet(Prompt(MODELS["8B"], tokens), link)
