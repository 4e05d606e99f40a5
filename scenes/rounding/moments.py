"""The steps of one choice of parameters: an update under the lens, a few updates, many, and many runs."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property, lru_cache

import numpy as np

from .._formats.floats import FLOATS, Float, spacing
from .model import MIDDLE, Array, Journey, chance, neighbours, rounded_by, stuck_value

GRID, SUM, ROUND, FEW, MANY, RUNS_STEP = range(1, 7)
FORMATS = ("E4M3", "BF16", "FP16")
UPDATES = (1, 0.1, 0.001, 0.0001)
TERMS = {"E4M3": 100, "BF16": 1_000, "FP16": 10_000}  # of a sum: enough for each format to swamp them
TIMES = {1: 100, 0.1: 100, 0.001: 1_000, 0.0001: 10_000}  # a weight is updated
LEAST_FEW, STEPS_UP = 8, 3  # updates shown at least, and steps that the exact value climbs


@dataclass(frozen=True, eq=False)
class Story:
    """One task in one format with one size of update, under every mode."""

    task: str
    fmt: Float
    update: float
    base: float  # the value whose update is looked at closely
    far: Journey  # from the start to the end
    near: Journey  # a few updates from `base`

    @cached_property
    def step(self) -> float:
        """Distance from `base` to the next larger number."""
        return float(spacing(self.base, self.fmt.name))

    @property
    def exact(self) -> float:
        """`base` and one update, not rounded."""
        return self.base + self.update

    @cached_property
    def gap(self) -> tuple[float, float]:
        """The two numbers of the format that hold `exact`."""
        inner, outer = neighbours(self.exact, self.fmt.name)
        return float(inner), float(outer)

    @cached_property
    def chance(self) -> float:
        """That stochastic rounding goes up."""
        return float(chance(self.exact, self.fmt.name))

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
class State:
    """What the reader looks at."""

    story: Story
    mode: str
    step: int

    @property
    def close(self) -> bool:
        """Whether the chart shows a few updates, not all."""
        return self.step <= FEW

    @property
    def journey(self) -> Journey:
        return self.story.near if self.close else self.story.far

    @property
    def path(self) -> Array:
        """Values under this mode, in the run that is shown."""
        return self.journey.paths[self.mode]

    @cached_property
    def result(self) -> float:
        """What rounding makes of the update under the lens; under stochastic rounding the likelier of its two."""
        story = self.story
        if self.mode == "stochastic":
            return story.gap[story.chance > 0.5]
        return float(rounded_by(self.mode, story.exact, story.fmt.name))

    @property
    def lost(self) -> bool:
        """Whether the update under the lens changes nothing, every time."""
        return self.mode != "stochastic" and self.result == self.story.base


@lru_cache(maxsize=32)
def story(task: str, fmt: str, update: float) -> Story:
    """The story of one choice of parameters; kept, because steps, values and table ask for it in turn."""
    start = 1.0 if task == "weight" else 0.0
    count = TIMES[update] if task == "weight" else TERMS[fmt]
    base = start if task == "weight" else stuck_value(update, fmt)
    few = max(LEAST_FEW, math.ceil(STEPS_UP * float(spacing(base, fmt)) / update))
    near = Journey(fmt, base, update, min(few, count), runs=1)
    return Story(task, FLOATS[fmt], update, base, Journey(fmt, start, update, count), near)


def steps(task: str, mode: str, format: str, update: float) -> list[State]:
    told = story(task, format, update)
    return [State(told, mode, step) for step in range(GRID, RUNS_STEP + 1)]
