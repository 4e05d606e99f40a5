"""A batch on its way through a layer of experts, group by group."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from loom.draw import count

from . import model

GROUPS = 8  # the queue leaves in this many steps


@dataclass(frozen=True, eq=False)
class Flow:
    """One batch on its way: the parameters that shape the picture, and where every copy of a token goes."""

    tokens: int
    experts: int
    top_k: int
    capacity: int | None
    run: model.Dispatch

    @cached_property
    def length(self) -> int:
        """Slots of a lane. Capacity and tile leave it as it is, so that their choices can be compared."""
        asked = int((self.run.kept_tokens + self.run.dropped).max())
        return -(-asked // 16) * 16

    @property
    def group(self) -> int:
        """Tokens that set out in one step."""
        return self.tokens // GROUPS

    def sent(self, groups: int) -> int:
        """Copies that have left the queue with so many groups."""
        return min(max(groups, 0), GROUPS) * self.group * self.top_k

    def wanted(self, groups: int) -> np.ndarray:
        """Copies that have set out for each expert."""
        return np.bincount(self.run.expert[: self.sent(groups)], minlength=self.experts)

    def held(self, groups: int) -> np.ndarray:
        """Copies that each expert has taken in: its load so far."""
        return np.minimum(self.wanted(groups), self.sent(GROUPS) if self.capacity is None else self.capacity)

    def copies(self, number: int) -> str:
        """What travels: so many tokens, or copies of them where each sends several."""
        return count(number, "copy", "copies") if self.top_k > 1 else count(number, "token")


def flow_of(tokens: int, experts: int, top_k: int, routing: str, capacity: str, tile: int) -> Flow:
    """Route a batch and give every copy its slot."""
    slots = model.capacity_slots(tokens, experts, top_k, capacity)
    run = model.dispatch(model.route(tokens, experts, top_k, routing), experts, slots, tile)
    return Flow(tokens, experts, top_k, slots, run)
