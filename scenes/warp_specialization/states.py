"""The five moments at which the run is looked at, and how busy the tensor cores are by then."""

from __future__ import annotations

from dataclasses import dataclass

from .model import EPILOGUES, GENERATIONS, Schedule, schedule

MOMENTS = ("copied", "multiplied", "written", "steady", "end")


@dataclass(frozen=True)
class State:
    """A run, the same run on the other generations, and the moment that is shown."""

    run: Schedule
    runs: tuple[Schedule, ...]
    epilogue: str
    moment: str

    @property
    def now(self) -> int:
        """The time shown: everything before it has happened [units]."""
        run = self.run
        at = {"copied": run.landed[0], "multiplied": run.multiplied[0], "written": run.done[0], "steady": run.done[3]}
        return int(at.get(self.moment, run.total))

    @property
    def length(self) -> int:
        """The time axis of all generations: until the slowest has written its last tile [units]."""
        return max(run.total for run in self.runs)

    def share(self, run: Schedule) -> float:
        """The tensor cores' busy share on `run`: until now, in the steady state, or over the whole run."""
        if self.moment == "end":
            return run.busy
        return run.steady if self.moment == "steady" else run.worked(0, self.now) / self.now


def steps(generation: str, epilogue: str) -> list[State]:
    """One state for each moment."""
    runs = tuple(schedule(name, EPILOGUES[epilogue]) for name in GENERATIONS)
    run = runs[GENERATIONS.index(generation)]
    return [State(run, runs, epilogue, moment) for moment in MOMENTS]
