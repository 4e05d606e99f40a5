"""What has come at a beat: chunks on their way and landed, and how far the times' bars have grown."""

from __future__ import annotations

import numpy as np

from loom.scene import Moment, evenly

from .model import AllReduce

START, SCATTER, GATHER, TIME = "start", "scatter", "gather", "time"
CROWDED = 16  # GPUs: their chunks have no room for numbers
LEAD = 0.25  # that the picture before anything sets out stands [s]
WAY = 0.42  # that a chunk takes to the next GPU [s]
RACE = 1.6  # that the slowest takes, and the others as much less as they are faster [s]
SOONEST = 0.05  # between two of them [s]


def added_beats(moment: Moment) -> tuple[float, ...]:
    """One array after the other is added to the row of sums, where that has numbers."""
    gpus = moment.result.gpus
    return evenly(gpus, min(0.5 * gpus, 3.2), LEAD, landed=True) if gpus < CROWDED else (0.0,)


def added(moment: Moment) -> int:
    """How many arrays the row of sums has; in the picture before the first is added, -1."""
    gpus: int = moment.result.gpus
    return moment.beat - 1 if moment.phase == START and moment.progress < 1 else gpus


def step_beats(moment: Moment) -> tuple[float, ...]:
    """For every step a beat in which chunks set out, and one in which they land; first they stand framed."""
    half = moment.result.gpus - 1
    each = 0.8 if half < 8 else WAY
    lead = LEAD if moment.phase == SCATTER else 0.0
    times = [lead + each * step + on for step in range(half) for on in (0.0, min(WAY, 0.7 * each))]
    return (0.0, *times) if lead else tuple(times)


def _steps(moment: Moment, setting_out: bool) -> int:
    half = moment.result.gpus - 1
    if moment.phase == SCATTER:
        return (moment.beat + setting_out) // 2
    if moment.phase == GATHER:
        return half + (moment.beat + 1 + setting_out) // 2
    return 2 * half * moment.since(TIME)


def steps_out(moment: Moment) -> int:
    """How many steps have begun: that of the last is on its way, or there."""
    return _steps(moment, True)


def steps_done(moment: Moment) -> int:
    """How many steps are done."""
    return _steps(moment, False)


def stands_framed(moment: Moment) -> bool:
    """Whether chunks are framed, on their way or before they set out."""
    return moment.since(SCATTER)


def stops(one: AllReduce) -> list[float]:
    """When one of the times is over, where those nearly at once are told with the last of them [s]."""
    times = sorted(one.times().values())
    soon = SOONEST / RACE * times[-1]
    return [time for time, after in zip(times, [*times[1:], np.inf], strict=True) if after - time > soon]


def race_beats(moment: Moment) -> tuple[float, ...]:
    """Nothing has begun; then the bars grow to each stop, and at last stand."""
    last = stops(moment.result)[-1]
    return (0.0, LEAD, *(LEAD + RACE * stop / last for stop in stops(moment.result)))


def gone(moment: Moment) -> float:
    """Until when the bars grow in this beat [s]."""
    ends = [0.0, *stops(moment.result)]
    return ends[min(moment.beat, len(ends) - 1)]


def told(moment: Moment) -> float:
    """Which times are over when this beat begins: all up to this [s]."""
    ends = [0.0, 0.0, *stops(moment.result)]
    return ends[min(moment.beat, len(ends) - 1)]
