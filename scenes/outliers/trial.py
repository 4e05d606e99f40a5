"""What the reader chose, before and after the cure, and how the scene spells its numbers and names."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache, cached_property

import numpy as np

from .model import SHOWN, Array, Case, case, on_the_way

NAMES = {"INT8": "INT8", "E4M3": "FP8 E4M3", "E2M1": "FP4 E2M1"}
CURE_NAMES = {"rotation": "rotation", "smoothing": "smoothing"}


@dataclass(frozen=True)
class Trial:
    """One choice of format, strength and cure."""

    format: str
    strength: int
    cure: str

    @cached_property
    def before(self) -> Case:
        """Without a cure."""
        return case(self.format, "none", self.strength)

    @cached_property
    def after(self) -> Case:
        """With the cure."""
        return case(self.format, self.cure, self.strength)

    def loudness(self, part: float) -> Array:
        """The largest magnitude of each drawn channel [1] when a part of the cure is done."""
        return loudness(self.cure, self.strength, part)


@cache  # asked for in every picture, and the same for all formats
def loudness(cure: str, strength: int, part: float) -> Array:
    """The largest magnitude of each drawn channel [1] when a part of a cure is done."""
    return np.asarray(np.abs(on_the_way(cure, strength, part)[:, :SHOWN]).max(axis=0))


def share(percent: float) -> str:
    """A percentage with as many digits as it needs: 48%, 1.2%, 0.03%; only what is none is 0%, only all is 100%."""
    if 0 < percent < 0.005:
        return "almost none"
    if 99.5 < percent < 100:
        return f"{min(percent, 99.9):.1f}%"
    whole = percent == 0 or percent >= 9.95
    return f"{percent:.0f}%" if whole else f"{percent:.1f}%" if percent >= 0.095 else f"{percent:.2f}%"


def size(number: float) -> str:
    """A magnitude with three digits at most: 162, 13.5, 1.28, 0.054."""
    return f"{number:.3g}" if number >= 0.1 else f"{number:.2g}"
