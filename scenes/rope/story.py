"""What the scene tells: where two tokens stand at each step, and what a method makes of all pairs."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from .extension import coded_yarn, extended, ntk_base, temperature
from .model import TRAINED, TURN, Array, frequencies, score, wavelengths

HAIR = 1e-9  # frequencies are equal up to rounding
NEAR, FAR = 16, 1600  # distances of tokens that move together, and that have moved apart [tokens]
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


@dataclass(frozen=True, eq=False)
class Rotary:
    """A model's pairs as they were trained, and as a method leaves them; arrays have shape (64,)."""

    base: int
    method: str
    factor: int
    target: int  # the length asked for [tokens]
    theta: Array  # angles per position in training [rad/token]
    waves: Array  # wavelengths in training [tokens]
    turns: Array  # how often each pair goes round within the trained length
    never: NDArray[np.bool_]  # pairs that do not go round once within the trained length
    new_theta: Array  # after the method, as all that follow [rad/token]
    new_waves: Array  # [tokens]
    stretch: Array  # how many times longer each wavelength is
    unseen: NDArray[np.bool_]  # pairs that reach, before the target length, angles that no distance in training had
    untouched: int  # pairs that keep their frequency
    fully: int  # pairs that are stretched by the whole factor
    new_base: float  # only the NTK-aware method changes it
    temperature: float  # the factor on query and on key
    code_gap: float  # how much longer, at most, a wavelength of YaRN's formula is than that of gpt-oss's code


def rotary(base: int, method: str, factor: int) -> Rotary:
    """A model after a method. Raises ValueError as `extended`."""
    theta, new = frequencies(base), extended(base, method, factor)
    turns, stretch = TRAINED / wavelengths(theta), theta / new
    never = turns < 1
    return Rotary(
        base, method, factor, TRAINED * factor, theta, wavelengths(theta), turns, never, new, wavelengths(new), stretch,
        unseen=never & (stretch < factor * (1 - HAIR)),
        untouched=int((np.abs(stretch - 1) < HAIR).sum()),
        fully=int((np.abs(stretch / factor - 1) < HAIR).sum()),
        new_base=ntk_base(base, factor) if method == "ntk-aware" else float(base),
        temperature=temperature(method, factor),
        code_gap=float((coded_yarn(base, factor) / new).max()) if method == "yarn" else 1.0,
    )  # fmt: skip


@dataclass(frozen=True, eq=False)
class State:
    """Two tokens, and the model that turns their arrows."""

    rotary: Rotary
    name: str
    key: int  # position [tokens]
    distance: int  # of the query [tokens]
    query: int  # position [tokens]
    theta: Array  # the angles per position at work: the method's only in the last step [rad/token]
    waves: Array  # the wavelengths at work [tokens]
    lost: NDArray[np.bool_]  # the pairs for which some angles are new
    score: float
    extended: bool  # whether the method is at work
    aims: bool  # whether the target length is shown
    on_waves: bool  # whether wavelengths are shown, rather than scores

    def reached(self, pair: int) -> float:
        """The angle up to which a pair turns before the target length, at most one turn [rad]."""
        return min(TURN, self.rotary.target * float(self.theta[pair]))

    def seen(self, pair: int) -> float:
        """The angle up to which a pair turned in training, at most one turn [rad]."""
        return min(TURN, TRAINED * float(self.rotary.theta[pair]))


def steps(model: Rotary) -> list[State]:
    """Every moment of the story for one model."""
    states = []
    for name, key, distance in MOMENTS:
        last = name == "extended"
        theta, waves = (model.new_theta, model.new_waves) if last else (model.theta, model.waves)
        aims = name in ("beyond", "near", "extended")
        states.append(State(model, name, key, distance, key + distance, theta, waves,
                            model.unseen if last else model.never, score(key + distance, key, theta),
                            last, aims, aims or name == "waves"))  # fmt: skip
    return states
