"""Two tokens at a distance: the angles between their arrows, and the product that follows from them."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from .._rope.rotation import TRAINED, Array, frequencies, score, score_curve, wavelengths

BASE = 10_000
THETA = frequencies(BASE)  # angles per position [rad/token]
WAVES = wavelengths(THETA)  # [tokens]
# Every distance while the fastest pair can tell them apart, then evenly on a log scale, up to the trained length.
DISTANCES = tuple(int(number) for number in np.unique([*range(1, 22), *np.geomspace(22, TRAINED, 65).round()]))
CURVE = tuple(score_curve(np.array(DISTANCES, dtype=float), THETA).tolist())


@dataclass(frozen=True)
class Pose:
    """A key and a query, so many tokens behind it."""

    distance: int  # [tokens]
    key: int = 0  # position [tokens]

    @property
    def query(self) -> int:
        return self.key + self.distance

    @cached_property
    def score(self) -> float:
        """The product of query and key, whose numbers are all equal and whose lengths are 1."""
        return score(self.query, self.key, THETA)

    @property
    def angles(self) -> Array:
        """How far apart the arrows of each pair are [rad], shape (64,); more than a turn where they went round."""
        return np.asarray(self.distance * THETA)

    @property
    def cosines(self) -> Array:
        """What each pair adds to the product, times the number of pairs; shape (64,)."""
        return np.asarray(np.cos(self.angles))


def pose(distance: int) -> Pose:
    """Two tokens at a distance. Raises ValueError for one that is not positive."""
    if distance < 1:
        raise ValueError(f"the query stands behind the key, by one token at least, not {distance}")
    return Pose(distance)
