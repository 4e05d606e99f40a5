"""One choice of parameters: an update under the lens, a few updates, many, and many runs."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property, lru_cache

import numpy as np

from .._formats.floats import FLOATS, Float, spacing
from .model import MODES, Array, chance, neighbours, rounded_by, stuck_value, updated

FORMATS = ("E4M3", "BF16", "FP16")
UPDATES = (0.0001, 0.0002, 0.0005, 0.001, 0.0015, 0.002, 0.0025, 0.003, 0.0035, 0.004, 0.005, 0.006, 0.007, 0.008,
           0.01, 0.02, 0.03, 0.05, 0.06, 0.07, 0.1, 0.15)  # fmt: skip
TERMS = {"E4M3": 100, "BF16": 1_000, "FP16": 10_000}  # of a sum: enough for each format to swamp them
TIMES = 1_000  # a weight is updated
TERM = 1  # of a sum
RUNS = 200  # runs of stochastic rounding
MIDDLE = (5.0, 95.0)  # percentiles between which nine in ten of them lie
LEAST_FEW, MOST_FEW, STEPS_UP = 8, 100, 3  # updates shown from near, and steps that the exact value climbs


@dataclass(frozen=True, eq=False)
class Journey:
    """Equal updates of one running value from its start, under every mode of rounding."""

    fmt: str
    start: float
    update: float
    count: int
    runs: int = RUNS  # of stochastic rounding

    @cached_property
    def paths(self) -> dict[str, Array]:
        """Values after 0, 1, … updates [1], shape (count + 1,); for stochastic rounding those of one run."""
        plain = {mode: updated(mode, self.start, self.update, self.count, self.fmt)[:, 0] for mode in MODES[::2]}
        return plain | {"stochastic": self.walks[:, 0]}

    @cached_property
    def walks(self) -> Array:
        """Runs of stochastic rounding [1], shape (count + 1, runs); the first is the one in `paths`."""
        return updated("stochastic", self.start, self.update, self.count, self.fmt, self.runs)

    @cached_property
    def exact(self) -> Array:
        """What the value would be without rounding [1], shape (count + 1,)."""
        return self.start + self.update * np.arange(self.count + 1)

    def stuck(self, mode: str) -> int:
        """The update after which nothing changed any more, counted from 1; 0 if none changed anything."""
        changes = np.flatnonzero(np.diff(self.paths[mode]))
        return int(changes[-1]) + 1 if changes.size else 0

    def lost(self, mode: str) -> int:
        """Updates that changed nothing [updates]."""
        return int(np.count_nonzero(np.diff(self.paths[mode]) == 0))


@dataclass(frozen=True, eq=False)
class Story:
    """One task in one format with one size of update, under every mode."""

    task: str
    fmt: Float
    update: float
    base: float  # the value whose update is looked at closely
    step: float  # from `base` to the next larger number
    exact: float  # `base` and one update, not rounded
    gap: tuple[float, float]  # the two numbers of the format that hold `exact`
    chance: float  # that stochastic rounding goes up
    far: Journey  # from the start to the end
    near: Journey  # a few updates from `base`

    @cached_property
    def band(self) -> tuple[Array, Array]:
        """Between these, after each update, lie nine in ten runs of stochastic rounding."""
        low, high = np.percentile(self.far.walks, MIDDLE, axis=1)
        return low, high

    @cached_property
    def mean(self) -> Array:
        """The mean of all runs after each update."""
        return self.far.walks.mean(axis=1)


@dataclass(frozen=True, eq=False)
class Told:
    """A story under the mode that the reader chose."""

    story: Story
    mode: str

    @cached_property
    def kept(self) -> float:
        """What rounding makes of the update under the lens; under stochastic rounding the likelier of its two."""
        story = self.story
        if self.mode == "stochastic":
            return story.gap[story.chance > 0.5]
        return float(rounded_by(self.mode, story.exact, story.fmt.name))

    @cached_property
    def stuck_at(self) -> float:
        """Where the value stays in the end though the update under the lens counts; 0 where there is no such place."""
        journey = self.story.far
        moved = self.mode != "stochastic" and not self.lost and journey.stuck(self.mode) < journey.count
        return float(journey.paths[self.mode][-1]) if moved else 0.0

    @property
    def lost(self) -> bool:
        """Whether the update under the lens changes nothing, every time."""
        return self.mode != "stochastic" and self.kept == self.story.base


@lru_cache(maxsize=1)  # the modes, which the grid goes through one after another, share a story
def story(task: str, fmt: str, update: float) -> Story:
    """The story of one task in one format."""
    start = 1.0 if task == "weight" else 0.0
    count = TIMES if task == "weight" else TERMS[fmt]
    base = start if task == "weight" else stuck_value(update, fmt)
    step, exact = float(spacing(base, fmt)), base + update
    few = min(count, MOST_FEW, max(LEAST_FEW, math.ceil(STEPS_UP * step / update)))
    inner, outer = neighbours(exact, fmt)
    return Story(task, FLOATS[fmt], update, base, step, exact, (float(inner), float(outer)), float(chance(exact, fmt)),
                 far=Journey(fmt, start, update, count), near=Journey(fmt, base, update, few, runs=1))  # fmt: skip


def tell(task: str, mode: str, format: str, update: float) -> Told:
    """What the reader asked for; a sum is always one of ones."""
    return Told(story(task, format, update if task == "weight" else TERM), mode)
