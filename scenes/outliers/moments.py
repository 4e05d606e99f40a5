"""The steps of the scene, and what each shows."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from .model import LOUD, SHOWN, TOKENS, Array, Case, case

STEPS = ACTIVATIONS, CRUSHED, CURED, AGAIN, COMPARED = range(1, 6)


@dataclass(frozen=True)
class State:
    """One step of one choice of parameters."""

    step: int
    fmt: str
    cure: str
    strength: int

    @cached_property
    def before(self) -> Case:
        """Without a cure."""
        return case(self.fmt, "none", self.strength)

    @cached_property
    def after(self) -> Case:
        """With the cure."""
        return case(self.fmt, self.cure, self.strength)

    @property
    def now(self) -> Case:
        """What is on the stage."""
        return self.before if self.step <= CRUSHED else self.after

    @property
    def is_rounded(self) -> bool:
        return self.step in (CRUSHED, AGAIN)

    @property
    def drawn(self) -> tuple[Array, Array]:
        """X as it is on the stage, and what it becomes when rounded; both of shape (tokens, drawn channels)."""
        return self.now.x[:, :SHOWN], self.now.x_hat[:, :SHOWN]

    @property
    def loudness(self) -> float:
        """The value at the ends of the left scale: a cure lowers the values first, and then the scale."""
        return (self.after if self.step == AGAIN else self.before).largest

    @property
    def span(self) -> int:
        """The value at the ends of the scale that is close to zero, the same in all steps."""
        quiet = [np.delete(self.before.x[:, :SHOWN], LOUD, axis=1)]
        after = self.after.x[:, :SHOWN]
        quiet.append(after if self.cure == "rotation" else np.delete(after, LOUD, axis=1))
        return math.ceil(max(float(np.abs(values).max()) for values in quiet))

    @property
    def w_span(self) -> int:
        """The value at the ends of the scale of W."""
        return math.ceil(float(np.abs(self.after.w[:, :TOKENS]).max()))
