"""A swing that is pushed in time: how far it goes, and how late it is.

x'' + (ω₀/Q) x' + ω₀² x = ω₀² cos ωt, so that a push that never changes moves it by 1.
Source: Feynman, Leighton and Sands, vol. I, chapter 23.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

QUALITIES = (0.5, 0.7, 1.0, 1.4, 2.0, 3.0, 4.0, 5.0, 7.0, 10.0, 14.0, 20.0, 30.0, 50.0)
RATIOS = tuple(float(f"{10 ** (at / 20):.3g}") for at in range(-20, 21))  # of the pushes to the swing's own
CURVE = np.geomspace(RATIOS[0], RATIOS[-1], 121)
PERIODS = 2.0  # of the pushes, shown
Numbers = NDArray[np.float64]


def response(ratio: Numbers, quality: float) -> NDArray[np.complex128]:
    """How the swing answers pushes once it has settled.

    Parameters
    ----------
    ratio : ndarray
        The frequency of the pushes over the swing's own.
    quality : float
        How often it swings before friction stops it: Q, about 2π times the energy it holds over what it loses in one.

    Returns
    -------
    ndarray of complex
        Its size is how far the swing goes, in units of what an unchanging push does; its angle is how late it is.
    """
    return 1 / (1 - ratio**2 + 1j * ratio / quality)


@dataclass(frozen=True)
class Swing:
    """One quality and one frequency of pushes."""

    quality: float
    ratio: float

    @property
    def answer(self) -> complex:
        return complex(response(np.array(self.ratio), self.quality))

    @property
    def gain(self) -> float:
        """How far it goes, in units of what an unchanging push does."""
        return abs(self.answer)

    @property
    def lag(self) -> float:
        """How late it is [degrees of one swing]."""
        return lags(np.array([self.answer]))[0]

    @property
    def times(self) -> Numbers:
        """Moments of the settled motion [periods of the pushes]."""
        return np.linspace(0, PERIODS, 49)

    @property
    def pushes(self) -> Numbers:
        return np.cos(2 * np.pi * self.times)

    @property
    def motion(self) -> Numbers:
        return (self.answer * np.exp(2j * np.pi * self.times)).real


def lags(answers: NDArray[np.complex128]) -> list[float]:
    """How late settled motions are [degrees], 0 to 180."""
    found: list[float] = (-np.degrees(np.angle(answers))).tolist()
    return found
