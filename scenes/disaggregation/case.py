"""What the reader chooses, and what follows for a prompt, its lanes and a fleet."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache, cached_property

from .._serving.models import MODELS
from .goodput import Fleet
from .lanes import Scenario, scenarios
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

    @property
    def together(self) -> Scenario:
        return scenarios(self.tokens, self.link)[0]

    @property
    def apart(self) -> Scenario:
        return scenarios(self.tokens, self.link)[1]

    @property
    def sending(self) -> float:
        """[s]"""
        return self.prompt.transfer(self.link)

    @cached_property
    def served(self) -> tuple[float, float]:
        """Requests a second within the targets: together, apart."""
        pace = self.pace / 1000
        return float(self.fleet.best_together(pace)), float(self.fleet.best_apart(pace))

    @property
    def gain(self) -> float:
        """Apart over together; 0 where neither is fast enough."""
        one, other = self.served
        return other / one if one else 0.0


@cache
def fleet_of(tokens: int, link: str) -> Fleet:
    return Fleet(Prompt(MODELS["8B"], tokens), link)
