"""Two sources of waves that swing together: what they make of each place around them.

Lengths are counted in wavelengths, times in periods. Source: Feynman, Leighton and Sands, vol. I, chapter 29.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

SIDE = 6.0  # of the square that is shown: x from 0, y from the middle both ways
GRID = 90  # places along it
DISTANCES = tuple(0.5 + 0.25 * at for at in range(11))  # between the sources
Numbers = NDArray[np.float64]


def wave(y_source: float, x: Numbers, y: Numbers, time: float = 0.0) -> Numbers:
    """The wave of one source at (0, `y_source`), as strong everywhere.

    Parameters
    ----------
    y_source : float
        Where the source is [wavelengths].
    x, y : ndarray
        Places [wavelengths].
    time : float
        Since a crest left the source [periods].

    Returns
    -------
    ndarray
        How far it swings, from -1 to 1.
    """
    return np.cos(2 * np.pi * (np.hypot(x, y - y_source) - time))


def strength(distance: float, x: Numbers, y: Numbers) -> Numbers:
    """How strong both waves are together: the mean square, as a share of the most that it can be.

    Parameters
    ----------
    distance : float
        Between the sources [wavelengths].
    x, y : ndarray
        Places [wavelengths].

    Returns
    -------
    ndarray
        From 0, where one wave always undoes the other, to 1.
    """
    longer = np.hypot(x, y + distance / 2) - np.hypot(x, y - distance / 2)
    return np.cos(np.pi * longer) ** 2


def still_angles(distance: float) -> list[float]:
    """The directions, far away, in which nothing arrives [degrees from straight ahead], those to one side.

    One way is longer by half a wavelength, or by one and a half, and so on.
    """
    orders = range(math.ceil(distance))
    return [math.degrees(math.asin((order + 0.5) / distance)) for order in orders if order + 0.5 <= distance]


@dataclass(frozen=True)
class Pair:
    """Two sources `distance` wavelengths apart, and the square around them."""

    distance: float

    @property
    def angles(self) -> list[float]:
        return still_angles(self.distance)

    @property
    def places(self) -> tuple[Numbers, Numbers]:
        """Where the square is sampled: x along its rows, y along its columns, the lowest first."""
        across = np.linspace(0, SIDE, GRID)
        return across, np.linspace(-SIDE / 2, SIDE / 2, GRID)

    def picture(self, what: str) -> Numbers:
        """The square: the wave of the upper source, both waves at one moment, or how strong they are over time."""
        x, y = np.meshgrid(*self.places)
        upper = self.distance / 2
        if what == "one":
            return wave(upper, x, y)
        return wave(upper, x, y) + wave(-upper, x, y) if what == "both" else strength(self.distance, x, y)
