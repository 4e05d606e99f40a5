"""What stands, and who is where in each picture: limits are set up rung by rung, then a runner climbs all of them."""

from __future__ import annotations

import math
from functools import cache
from typing import NamedTuple

from loom.scene import Moment

from .model import Ladder

SETTING = 0.28  # [s] from one limit to the next
UP = 0.25  # [s] from a rung to the next
AWAY, TENFOLD = 0.3, 0.25  # [s] that a run takes in any case, and for each factor of ten
BACK = 0.7  # [s] from the last rung to the one that is looked at


class Stop(NamedTuple):
    """Where the runner is bound for from a time on, and how many rungs it has done with."""

    time: float
    place: int  # the rung
    speed: float  # [TFLOP/s]
    done: int


class View(NamedTuple):
    """One picture: so many limits stand, so many rungs are done with, and one thing is on its way."""

    standing: int
    done: int
    place: int  # of what is on its way: a limit, then the runner
    speed: float  # [TFLOP/s] that it is bound for
    told: int  # the rung whose number is the large one; -1 before the first
    rests: bool


@cache
def stops(ladder: Ladder) -> tuple[Stop, ...]:
    """Up to a rung as fast as on the one before, or as its limit allows, then along it; at last to the chosen one."""
    found: list[Stop] = []
    time, before = 0.0, 0.0
    for place, one in enumerate(ladder.speeds):
        before = min(before, one.predicted)
        found.append(Stop(time, place, before, place))
        time += UP if place else 0.2
        found.append(Stop(time, place, one.measured, place))
        time += AWAY + TENFOLD * abs(math.log10(one.measured / (before or one.measured)))
        before = one.measured
    at, every = ladder.speeds.index(ladder.chosen), len(ladder.speeds)
    if at < every - 1:
        found.append(Stop(time, at, ladder.chosen.measured, every))
        time += BACK
    return (*found, Stop(time, at, ladder.chosen.measured, every))


def setting(moment: Moment) -> tuple[float, ...]:
    """When each limit sets out for its place, and when all stand."""
    return tuple(SETTING * at for at in range(len(moment.result.speeds) + 1))


def climbing(moment: Moment) -> tuple[float, ...]:
    """When the runner sets out for each of its stops."""
    return tuple(stop.time for stop in stops(moment.result))


def view(moment: Moment) -> View:
    """What the picture of a moment has; a number is told once what causes it has landed."""
    ladder: Ladder = moment.result
    every, at, rests = len(ladder.speeds), ladder.speeds.index(ladder.chosen), moment.progress == 1
    if moment.phase == "model":
        place = at if rests else moment.beat
        return View(moment.beat, 0, place, ladder.speeds[place].predicted, at if rests else place - 1, rests)
    _, place, speed, done = stops(ladder)[moment.beat]
    return View(every, done, place, speed, done - 1 if done and not rests else at, rests)
