"""The steps of the scene: one row, all rows, layer upon layer, and what is kept."""

from __future__ import annotations

from dataclasses import dataclass

from .model import LAYERS, Stack

RULE, MAP, CACHE = 1, 2, LAYERS + 2  # the steps between show the reach through 2, 3, … layers


@dataclass(frozen=True)
class State:
    """A stack of layers, the token that asks (counted from 1), and the step."""

    stack: Stack
    query: int
    step: int

    @property
    def row(self) -> int:
        """The index of the token that asks."""
        return self.query - 1

    @property
    def layers(self) -> int:
        """Through how many layers the token looks in this step."""
        return min(max(self.step - 1, 1), self.stack.layers)

    @property
    def sight(self) -> int:
        return self.stack.sight(self.row, self.layers)

    @property
    def back(self) -> int:
        return self.stack.back(self.row, self.layers)


def steps(pattern: str, window: int, k: int, every: int, query: int) -> list[State]:
    """Every step for one choice of the reader."""
    stack = Stack(pattern, window, k, every)
    return [State(stack, query, step) for step in range(RULE, CACHE + 1)]
