"""What the scheduler is given, and the four steps in which it is told."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from .model import SIMULATED, Cycles, issued_by, slots_used, warps_to_saturate

ALONE, TOGETHER, LANE, CURVE = range(1, 5)  # the steps


@dataclass(frozen=True)
class Load:
    """What the scheduler is given: warps, instructions in a row, and latency [cycles]."""

    warps: int
    latency: int
    instructions: int

    @property
    def period(self) -> int:
        """Cycles from the first instruction of a warp to when it may issue again."""
        return self.instructions + self.latency

    @property
    def turn(self) -> int:
        """Cycles after which the picture repeats: longer than `period` where the warps queue for slots."""
        return max(self.period, self.warps * self.instructions)

    @property
    def issues(self) -> int:
        """Slots used in a turn."""
        return self.warps * self.instructions

    @property
    def idle(self) -> int:
        """Empty slots in a turn."""
        return self.turn - self.issues

    @property
    def used(self) -> float:
        """Percent of the slots."""
        return 100 * float(slots_used(self.warps, self.instructions, self.latency))

    @property
    def saturate(self) -> int:
        """Warps that use every slot."""
        return warps_to_saturate(self.instructions, self.latency)

    @property
    def hidden(self) -> bool:
        """Whether the latency is hidden: no slot is empty."""
        return self.warps >= self.saturate

    @cached_property
    def simulated(self) -> Cycles:
        return issued_by(self.warps, self.instructions, self.latency, SIMULATED)


@dataclass(frozen=True)
class State:
    """A load at one of the four steps. `window` is how many cycles the picture shows, the same at all steps."""

    load: Load
    step: int

    @property
    def shown(self) -> Load:
        """At the first step only one warp is there."""
        return Load(1, self.load.latency, self.load.instructions) if self.step == ALONE else self.load

    @property
    def window(self) -> int:
        return 2 * self.load.turn

    @cached_property
    def slots(self) -> Cycles:
        """Who issues in each cycle of the window."""
        return issued_by(self.shown.warps, self.load.instructions, self.load.latency, self.window)


def steps(warps: int, latency: int, instructions: int) -> list[State]:
    """One warp alone, all warps, the issue slots, and the curve over the number of warps."""
    load = Load(warps, latency, instructions)
    return [State(load, step) for step in (ALONE, TOGETHER, LANE, CURVE)]
