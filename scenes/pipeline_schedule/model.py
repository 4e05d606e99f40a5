"""A pipeline's timetable: when each device works, when it is idle, and how many microbatches it holds."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache, cached_property
from itertools import accumulate, pairwise
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from .dualpipe import dualpipe
from .orders import CHUNKS, Order, Schedule, Task, Turn, gpipe, interleaved, one_forward_one_backward, zero_bubble

Reals = NDArray[np.float64]

WORK = 3  # forwards of a stage that one microbatch takes there: forward 1, backward 2
SCHEDULES: dict[str, Schedule] = {
    "gpipe": gpipe,
    "1f1b": one_forward_one_backward,
    "interleaved": interleaved,
    "zb-h1": zero_bubble,
    "dualpipe": dualpipe,
}
FEWEST = {"interleaved": 1, "dualpipe": 2}  # microbatches for each stage that a schedule takes at least


class Slot(NamedTuple):
    """What a device does from `start` to `end` [forwards of a stage]."""

    start: float
    end: float
    turn: Turn


def needs(task: Task, last: int) -> list[tuple[str, int, int, int]]:
    """What has to be done before a task: kind, route, place and microbatch; `last` is the last place of a route."""
    kind, route, place, microbatch, _ = task
    if kind == "F":
        return [("F", route, place - 1, microbatch)] if place else []
    if kind == "W":
        return [("B", route, place, microbatch)]
    return [("F", route, place, microbatch), *([("B", route, place + 1, microbatch)] if place < last else [])]


def simulate(orders: list[Order]) -> list[list[Slot]]:
    """Let every device take its turns in its order, each as soon as it is free and what the turn needs is there.

    What is sent arrives at once.

    Parameters
    ----------
    orders : list of list of Turn
        For each device what it does, in order.

    Returns
    -------
    list of list of Slot
        The same turns with their times [forwards of a stage].
    """
    last = max(task.place for order in orders for turn in order for task in turn)
    ends: dict[tuple[str, int, int, int], float] = {}
    slots: list[list[Slot]] = [[] for _ in orders]
    moved = True
    while moved:
        moved = False
        for order, done in zip(orders, slots, strict=True):
            for turn in order[len(done) :]:
                before = [need for task in turn for need in needs(task, last)]
                if not all(need in ends for need in before):
                    break
                start = max([done[-1].end if done else 0.0, *(ends[need] for need in before)])
                done.append(Slot(start, start + sum(task.length for task in turn), turn))
                ends |= {task[:4]: done[-1].end for task in turn}
                moved = True
    if any(len(done) < len(order) for order, done in zip(orders, slots, strict=True)):
        raise ValueError("these orders wait for one another for ever")
    return slots


@cache
def timetable(schedule: str, stages: int, microbatches: int) -> list[list[Slot]]:
    """What each device does, and when."""
    return simulate(SCHEDULES[schedule](stages, microbatches))


@dataclass(frozen=True)
class Pipeline:
    """One batch through a pipeline. `asked` microbatches are taken, or as many as the schedule needs."""

    schedule: str
    stages: int
    asked: int

    @property
    def microbatches(self) -> int:
        return max(self.asked, FEWEST.get(self.schedule, 0) * self.stages)

    @cached_property
    def slots(self) -> list[list[Slot]]:
        """What each device does, and when."""
        return timetable(self.schedule, self.stages, self.microbatches)

    @cached_property
    def time(self) -> float:
        """From the first forward to the end of the last work [forwards of a stage]."""
        return max(slots[-1].end for slots in self.slots)

    @property
    def ideal(self) -> float:
        """The work of each device, which it would take if it never waited [forwards of a stage]."""
        return float(WORK * self.microbatches)

    @property
    def idle(self) -> float:
        """How long each device waits: all have the same work [forwards of a stage]."""
        return self.time - self.ideal

    @property
    def share(self) -> float:
        """The bubble as a share of the time that the batch takes [%]."""
        return 100 * self.idle / self.time

    @property
    def ratio(self) -> float:
        """The bubble against the work [%]."""
        return 100 * self.idle / self.ideal

    def idle_until(self, now: float) -> float:
        """The share of all devices' time up to `now` in which they were idle [%]."""
        starts, ends = self._edges
        busy = float(np.maximum(0.0, np.minimum(ends, now) - starts).sum())
        return 100 * abs(round(1 - busy / (now * self.stages), 12))

    @cached_property
    def _edges(self) -> tuple[Reals, Reals]:
        """When all slots of all devices begin, and when they end."""
        starts, ends = zip(*[(slot.start, slot.end) for slots in self.slots for slot in slots], strict=True)
        return np.array(starts), np.array(ends)

    def gaps(self, device: int) -> list[tuple[float, float]]:
        """When a device is idle: from, to."""
        edges = [(0.0, 0.0), *((slot.start, slot.end) for slot in self.slots[device]), (self.time, self.time)]
        return [(free, start) for (_, free), (start, _) in pairwise(edges) if start > free]

    @cached_property
    def held(self) -> list[list[tuple[float, float]]]:
        """For each device how many microbatches it holds from a time on: (time, microbatches), in order.

        A microbatch's activations are held from the start of its forward until all its gradients are computed; a part
        of a stage holds a part of them.
        """
        return [_held(slots, CHUNKS if self.schedule == "interleaved" else 1) for slots in self.slots]

    def held_at(self, device: int, now: float) -> float:
        """Microbatches that a device holds just before a time, and when all is done none."""
        if now >= self.time:
            return 0.0
        return next((number for time, number in reversed(self.held[device]) if time < now), 0.0)

    def most_held(self, device: int, now: float) -> float:
        """The most microbatches that a device has held at any time up to one."""
        return max((number for time, number in self.held[device] if time <= now), default=0.0)

    @cached_property
    def filled(self) -> float:
        """When the last device holds as many as it ever will [forwards of a stage]."""
        return max(
            next(time for time, number in held if number == peak)
            for held, peak in zip(self.held, self.peaks, strict=True)
        )

    @cached_property
    def peaks(self) -> list[float]:
        """The most microbatches that each device holds at a time."""
        return [max(number for _, number in held) for held in self.held]


def _held(slots: list[Slot], parts: int) -> list[tuple[float, float]]:
    """When the number of held microbatches changes, and to what."""
    put_off = {task[1:4] for slot in slots for task in slot.turn if task.kind == "W"}
    changes: dict[float, float] = {}
    for slot in slots:
        for task in slot.turn:
            if task.kind == "F":
                changes[slot.start] = changes.get(slot.start, 0.0) + 1 / parts
            elif task.kind == "W" or task[1:4] not in put_off:
                changes[slot.end] = changes.get(slot.end, 0.0) - 1 / parts
    times = sorted(changes)
    return list(zip(times, accumulate(changes[time] for time in times), strict=True))


def solve(schedule: str, stages: int, microbatches: int) -> Pipeline:
    return _solved(schedule, stages, microbatches)


@cache
def _solved(schedule: str, stages: int, asked: int) -> Pipeline:
    return Pipeline(schedule, stages, asked)
