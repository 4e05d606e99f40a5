"""A state of four by four numbers that reads the words of the page."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from .model import Floats, erased, faded, recalled, written

WORDS = ("a", "rusty", "old", "lantern", "glows")
SIDE = 4  # keys and values have as many numbers
# Four keys that have nothing in common fill the state; the fifth token comes with the key of the first.
KEYS = np.vstack([np.eye(SIDE), np.eye(SIDE)[:1]])
VALUES = np.array([[1.0, 0, 1, 0], [2, 1, 0, 0], [0, 2, 1, 0], [0, 0, 1, 2], [0, 1, 0, 2]])
ALPHA = 0.9
ADDS, DELTA = "adds", "delta"


@dataclass(frozen=True)
class Toy:
    """The state after each part of each token, under one of two rules."""

    rule: str

    @cached_property
    def parts(self) -> list[dict[str, Floats]]:
        """For each token the state when it has faded, been erased, and been written; a rule may leave parts out."""
        state, found = np.zeros((SIDE, SIDE)), []
        for key, value in zip(KEYS, VALUES, strict=True):
            done = {}
            if self.rule == DELTA:
                done["fade"] = faded(state, ALPHA)
                done["erase"] = erased(done["fade"], key, 1.0)
            state = done["write"] = written(done.get("erase", state), key, value, 1.0)
            found.append(done)
        return found

    def state(self, token: int) -> Floats:
        """Behind a token, counted from 0."""
        return self.parts[token]["write"]

    def held(self, token: int, part: str) -> Floats:
        """Once a part of a token is done; when it has only come, the state may have faded."""
        if part != "come":
            return self.parts[token][part]
        before = self.state(token - 1) if token else np.zeros((SIDE, SIDE))
        return self.parts[token].get("fade", before)

    @cached_property
    def answer(self) -> Floats:
        """What the state gives for the last token's key when all have been read."""
        return recalled(self.state(len(WORDS) - 1), KEYS[-1])
