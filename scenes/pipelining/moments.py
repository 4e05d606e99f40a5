"""The four steps of the story, and what each of them needs."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property

from .model import KB, LIMITS, Pipeline, stage_bytes, stages_that_fit

ALONE, AHEAD, STEADY, SHARED = range(4)
CHARTED = 9  # stages: as many as any choice of the reader needs
STAGE_KB = stage_bytes() // KB
FITS = {gpu: stages_that_fit(limit * KB, stage_bytes()) for gpu, limit in LIMITS.items()}


@dataclass(frozen=True)
class State:
    """The reader's pipeline, and how far its story has come."""

    chosen: Pipeline
    step: int

    @cached_property
    def alone(self) -> Pipeline:
        """The same with one buffer: what the others are compared with."""
        return replace(self.chosen, stages=1)

    @property
    def pipeline(self) -> Pipeline:
        """The one whose timeline is shown."""
        return self.alone if self.step == ALONE else self.chosen


def steps(stages: int, latency: int, compute: int, transfer: int) -> list[State]:
    """The four steps for one choice of the reader."""
    chosen = Pipeline(stages, latency, transfer, compute)
    return [State(chosen, step) for step in (ALONE, AHEAD, STEADY, SHARED)]
