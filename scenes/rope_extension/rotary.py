"""What a method makes of all pairs of a model that was trained on shorter texts."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

import numpy as np
from numpy.typing import NDArray

from .._rope.rotation import TRAINED, TURN, Array, frequencies, wavelengths
from .extension import coded_yarn, extended, ntk_base, temperature

HAIR = 1e-9  # frequencies are equal up to rounding


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

    def seen(self, pair: int) -> float:
        """The angle up to which a pair turned in training, at most one turn [rad]."""
        return min(TURN, TRAINED * float(self.theta[pair]))

    def reached(self, pair: int) -> float:
        """The angle up to which a pair would turn in the target length as it was trained, at most one turn [rad]."""
        return min(TURN, self.target * float(self.theta[pair]))


@cache  # asked for in every picture of all methods
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
