"""Coffee: the model. The same share of the caffeine goes in every hour.

Source: Institute of Medicine (2001), chapter 2: half-lives in plasma of about 5 h, and from 1.5 h to 9.5 h.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

CUP = 100.0  # [mg], a round number for one cup
BEDTIME = 10.0  # [h] after the cup
HALF_LIVES = tuple(float(value) for value in np.arange(1.5, 9.75, 0.25))  # [h]
HOURS = np.linspace(0, 16, 65)  # [h]


@dataclass(frozen=True)
class Decay:
    """A cup of coffee in somebody's blood.

    Attributes
    ----------
    half_life : float
        The time in which half of it goes [h].
    """

    half_life: float

    def left(self, hours: float | np.ndarray) -> float | np.ndarray:
        """What is left after some hours [mg]: half of it for each half-life."""
        return CUP * 0.5 ** (hours / self.half_life)


def solve(half_life: float) -> Decay:
    """The decay that belongs to the reader's half-life [h]."""
    return Decay(half_life)
