"""What has come at a beat: the parts of a step, users, and the limits that a dot has passed."""

from __future__ import annotations

import math

from loom.scene import Moment, evenly

from .model import BATCHES, Load

LEAD = 0.25  # that the picture before anything sets out stands [s]
EACH = 0.6  # until as many users as can be chosen next are there [s]
WAY = 0.75  # from one limit to the next [s]
STEP, BRIEF = 1.8, 0.15  # that one user's step takes on the stage, and what a part of it takes at least [s]
PARTS = 2  # of a step, one after the other: linear layers and attention


def stepping(moment: Moment) -> tuple[float, ...]:
    """The parts of one user's step, each for as long as its share."""
    load: Load = moment.result
    linear = STEP * float(load.alone.linear / load.alone.time)
    first = min(max(linear, BRIEF), STEP - BRIEF)
    return 0.0, LEAD, LEAD + first, LEAD + STEP


def parts_under_way(moment: Moment) -> int:
    """How many parts of one user's step have begun."""
    return min(moment.beat, PARTS) if moment.phase == "alone" else PARTS


def parts_done(moment: Moment) -> int:
    """How many of them are over: their numbers are known."""
    return max(moment.beat - 1, 0) if moment.phase == "alone" else PARTS


def joining(moment: Moment) -> tuple[float, ...]:
    """When users come, up to as many as were chosen: one is there."""
    come = BATCHES.index(moment.result.batch)
    return evenly(come, EACH * come, lead=LEAD)


def stops(load: Load) -> list[int]:
    """The numbers of users at which something else decides, as far as they are on the chart."""
    one = load.limits
    return sorted({users for users in (one.fits, one.overtaking, round(one.balance)) if 1 < users < BATCHES[-1]})


def passing(moment: Moment) -> tuple[float, ...]:
    """A dot sets out from the users that were chosen, and comes by all limits."""
    ways = len(stops(moment.result))
    return evenly(ways, WAY * ways, lead=LEAD, landed=True)


def shown_users(moment: Moment) -> int:
    """One in the first chapter; then more and more, until all that were chosen are there."""
    load: Load = moment.result
    if moment.phase == "shared":
        return BATCHES[moment.beat]
    return 1 if moment.phase == "alone" else load.batch


def runs_at(moment: Moment) -> int | None:
    """The users that the dot is at, or on its way to; none where the knob is."""
    load: Load = moment.result
    if moment.phase == "limits":
        return None if moment.progress == 1 else [load.batch, *stops(load)][moment.beat]
    shown = shown_users(moment)
    return shown if shown != load.batch else None


def passed(moment: Moment) -> float:
    """Up to how many users limits are known."""
    if moment.phase != "limits":
        return 0.0
    return math.inf if moment.progress == 1 else [0, 0, *stops(moment.result)][moment.beat]
