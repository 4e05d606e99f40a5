"""A pendulum that is timed badly, many times: what single readings hide, and what their means show.

Source of the exact period: Denker, who writes it with the arithmetic-geometric mean.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

LENGTH, GRAVITY = 1.0, 9.81  # [m], [m/s²]: chosen, as in a classroom
WIDEST = 90.0  # from how far the pendulum is let go [degrees]
COUNTS = (50, 100, 200, 500, 1000, 2000, 5000)
ERRORS = (20, 50, 100, 200)  # of one reading, the standard deviation [ms]
SHOWN = 300  # readings that are drawn one by one, at most
GROUPS = 9  # of angles, each 10 degrees wide
COLUMNS, ROWS = 36, 24  # of cells in which readings are counted
SPAN = (1.4, 3.0)  # of periods [s]
SEED = 1656
Numbers = NDArray[np.float64]


def period(angle: Numbers) -> Numbers:
    """The time of a swing that begins at rest.

    Parameters
    ----------
    angle : ndarray
        From how far it is let go [degrees], 0 to 90.

    Returns
    -------
    ndarray
        The period [s]: the small swing's over the arithmetic-geometric mean of 1 and the cosine of half the angle.
    """
    one, other = np.ones_like(angle, dtype=float), np.cos(np.radians(angle) / 2)
    for _ in range(6):  # the digits that agree double each time
        one, other = (one + other) / 2, np.sqrt(one * other)
    return 2 * np.pi * np.sqrt(LENGTH / GRAVITY) / one


@dataclass(frozen=True)
class Group:
    """The readings of ten degrees of angles: how many, their mean [s], and the standard error of that [s]."""

    middle: float
    count: int
    mean: float
    error: float


@dataclass(frozen=True)
class Readings:
    """`count` readings, each off by `error` milliseconds or so. Fewer are the first of more."""

    count: int
    error: int

    @cached_property
    def _draws(self) -> tuple[Numbers, Numbers]:
        draws = np.random.default_rng(SEED)
        return draws.uniform(0, WIDEST, max(COUNTS)), draws.standard_normal(max(COUNTS))

    @property
    def angles(self) -> Numbers:
        return self._draws[0][: self.count]

    @property
    def times(self) -> Numbers:
        return period(self.angles) + self.error / 1000 * self._draws[1][: self.count]

    @property
    def shown(self) -> int:
        """How many are drawn one by one: the first, which are as good as any."""
        return min(SHOWN, self.count)

    @property
    def outside(self) -> int:
        """How many lie outside the plot."""
        return int(((self.times < SPAN[0]) | (self.times > SPAN[1])).sum())

    @cached_property
    def counts(self) -> Numbers:
        """How many readings fall into each cell: rows of periods, the shortest first, and columns of angles."""
        edges = np.linspace(*SPAN, ROWS + 1), np.linspace(0, WIDEST, COLUMNS + 1)
        found: Numbers = np.histogram2d(self.times, self.angles, edges)[0]
        return found

    @cached_property
    def groups(self) -> list[Group]:
        """The mean of each ten degrees; a group of fewer than three readings says nothing of its error."""
        width, found = WIDEST / GROUPS, []
        for at in range(GROUPS):
            inside = self.times[(self.angles >= at * width) & (self.angles < (at + 1) * width)]
            if len(inside) > 2:
                error = inside.std(ddof=1) / np.sqrt(len(inside))
                found.append(Group((at + 0.5) * width, len(inside), float(inside.mean()), float(error)))
        return found
