"""What the scene tells: where two tokens stand at each step, and what a method makes of all pairs."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from .extension import coded_yarn, extended, ntk_base, temperature
from .model import TRAINED, TURN, Array, frequencies, score, wavelengths

HAIR = 1e-9  # frequencies are equal up to rounding
NEAR, FAR = 16, 1600  # distances of tokens that move together, and that have moved apart [tokens]


@dataclass(frozen=True)
class Rotary:
    """A model's pairs as they were trained, and as a method leaves them."""

    base: int
    method: str
    factor: int

    @cached_property
    def theta(self) -> Array:
        """Angles per position in training [rad/token]."""
        return frequencies(self.base)

    @cached_property
    def new_theta(self) -> Array:
        """Angles per position after the method [rad/token]."""
        return extended(self.base, self.method, self.factor)

    @cached_property
    def waves(self) -> Array:
        """Wavelengths in training [tokens]."""
        return wavelengths(self.theta)

    @cached_property
    def new_waves(self) -> Array:
        """Wavelengths after the method [tokens]."""
        return wavelengths(self.new_theta)

    @property
    def target(self) -> int:
        """The length asked for [tokens]."""
        return TRAINED * self.factor

    @cached_property
    def turns(self) -> Array:
        """How often each pair goes round within the trained length."""
        return TRAINED / self.waves

    @cached_property
    def stretch(self) -> Array:
        """How many times longer the method makes each wavelength."""
        return self.theta / self.new_theta

    @cached_property
    def never(self) -> NDArray[np.bool_]:
        """Pairs that do not go round once within the trained length."""
        return self.turns < 1

    @cached_property
    def unseen(self) -> NDArray[np.bool_]:
        """Pairs that reach, before the target length, angles that no distance in training had."""
        return self.never & (self.stretch < self.factor * (1 - HAIR))

    @property
    def untouched(self) -> int:
        """How many pairs keep their frequency."""
        return int((np.abs(self.stretch - 1) < HAIR).sum())

    @property
    def fully(self) -> int:
        """How many pairs are stretched by the whole factor."""
        return int((np.abs(self.stretch / self.factor - 1) < HAIR).sum())

    @property
    def new_base(self) -> float:
        """The base after the method: only the NTK-aware one changes it."""
        return ntk_base(self.base, self.factor) if self.method == "ntk-aware" else float(self.base)

    @property
    def temperature(self) -> float:
        """The factor on query and on key."""
        return temperature(self.method, self.factor)

    @property
    def code_gap(self) -> float:
        """By how much, at most, a wavelength of YaRN's formula is longer than that of gpt-oss's code."""
        if self.method != "yarn":
            return 1.0
        return float((coded_yarn(self.base, self.factor) / self.new_theta).max())


# The step's name, the key's position and the query's distance from it [tokens].
MOMENTS = (
    ("start", 0, NEAR),
    ("together", 10, NEAR),
    ("together", 100, NEAR),
    ("together", 1000, NEAR),
    ("apart", 1000, 160),
    ("apart", 1000, FAR),
    ("waves", 0, FAR),
    ("beyond", 0, 6000),
    ("near", 0, 1),
    ("extended", 0, 6000),
)


@dataclass(frozen=True)
class State:
    """Two tokens, and the model that turns their arrows."""

    rotary: Rotary
    name: str
    key: int
    distance: int

    @property
    def query(self) -> int:
        """The query's position [tokens]."""
        return self.key + self.distance

    @property
    def theta(self) -> Array:
        """The angles per position at work: the method's only in the last step [rad/token]."""
        return self.rotary.new_theta if self.extended else self.rotary.theta

    @cached_property
    def score(self) -> float:
        """The score of the two tokens."""
        return score(self.query, self.key, self.theta)

    @property
    def waves(self) -> Array:
        """The wavelengths at work [tokens]."""
        return self.rotary.new_waves if self.extended else self.rotary.waves

    @property
    def lost(self) -> NDArray[np.bool_]:
        """The pairs for which some angles are new."""
        return self.rotary.unseen if self.extended else self.rotary.never

    @property
    def extended(self) -> bool:
        """Whether the method is at work."""
        return self.name == "extended"

    @property
    def aims(self) -> bool:
        """Whether the target length is shown."""
        return self.name in ("beyond", "near", "extended")

    @property
    def on_waves(self) -> bool:
        """Whether wavelengths are shown, rather than scores."""
        return self.aims or self.name == "waves"

    def reached(self, pair: int) -> float:
        """The angle up to which a pair turns before the target length, at most one turn [rad]."""
        return min(TURN, self.rotary.target * float(self.theta[pair]))

    def seen(self, pair: int) -> float:
        """The angle up to which a pair turned in training, at most one turn [rad]."""
        return min(TURN, TRAINED * float(self.rotary.theta[pair]))


def steps(rotary: Rotary) -> list[State]:
    """Every moment of the story for one model."""
    return [State(rotary, *moment) for moment in MOMENTS]
