"""Running mean: the model. Numbers come one at a time, and only their count and their mean are kept.

Source: Welford (1962). The mean moves by the new number's distance from it, divided by how many have come.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

NUMBERS = (4.0, 8.0, 6.0, 2.0)  # made up, without a unit
LASTS = tuple(range(13))  # what the reader may make of a fifth


@dataclass(frozen=True)
class State:
    """What is known when the last of `numbers` has come."""

    numbers: tuple[float, ...]
    before: float  # the mean without the last number; 0 if it is the first
    mean: float

    @property
    def move(self) -> float:
        """How far the last number moved the mean."""
        return self.mean - self.before


def means(numbers: Sequence[float]) -> list[State]:
    """The mean after each number."""
    states = []
    mean = 0.0
    for count, number in enumerate(numbers, 1):
        before, mean = mean, mean + (number - mean) / count
        states.append(State(tuple(numbers[:count]), before, mean))
    return states


def solve(last: int) -> list[State]:
    """One state for each number, the reader's at the end."""
    return means([*NUMBERS, float(last)])
