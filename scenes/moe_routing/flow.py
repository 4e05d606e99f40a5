"""A batch on its way through a layer of experts, step by step."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from .model import Dispatch

GROUPS = 8  # the queue leaves in this many steps
# Steps, counted from 1, which is the full queue: the last group moves, then what follows from the loads.
ARRIVED = GROUPS + 1
PADDED, SHARED, WAITED = ARRIVED + 1, ARRIVED + 2, ARRIVED + 3


@dataclass(frozen=True, eq=False)
class Flow:
    """One batch on its way: the parameters that shape the picture, and where every copy of a token goes."""

    tokens: int
    experts: int
    top_k: int
    capacity: int | None
    run: Dispatch

    @cached_property
    def length(self) -> int:
        """Slots of a lane. Capacity and tile leave it as it is, so that their choices can be compared."""
        asked = int((self.run.kept_tokens + self.run.dropped).max())
        return -(-asked // 16) * 16

    @property
    def group(self) -> int:
        """Tokens that set out in one step."""
        return self.tokens // GROUPS

    def sent(self, step: int) -> int:
        """How many copies have left the queue at this step."""
        return min(max(step - 1, 0), GROUPS) * self.group * self.top_k

    def noun(self, count: int) -> str:
        """What travels: tokens, or copies of them where each sends several."""
        if self.top_k > 1:
            return "copy" if count == 1 else "copies"
        return "token" if count == 1 else "tokens"


@dataclass(frozen=True)
class State:
    """A batch at one step."""

    flow: Flow
    step: int

    @property
    def wanted(self) -> np.ndarray:
        """Copies that have set out for each expert."""
        return np.bincount(self.flow.run.expert[: self.flow.sent(self.step)], minlength=self.flow.experts)

    @property
    def held(self) -> np.ndarray:
        """Copies that each expert has taken in: its load so far."""
        return self.wanted if self.flow.capacity is None else np.minimum(self.wanted, self.flow.capacity)
