"""How far a beat has come: experts that have been picked, and visits that all GPUs have worked off."""

from __future__ import annotations

from functools import cache
from itertools import accumulate, pairwise

from .model import Case
from .router import PICKED

STARTS = 0.0, 0.45, 0.65, 0.75  # of GPUs going into a row, of a cover, of bars rising under it, and of time [s]
RISE = 3.0  # that the fullest takes to work off its visits [s]
UNSEEN, COVERED = 2, 3  # the beats from which bars have heights, and in which time sets out
EACH = 0.25  # from one expert that is picked to the next [s]


def picked_at(phase: str, beat: int) -> int:
    """How many of a token's experts have been picked."""
    return min(beat, PICKED) if phase == "pick" else PICKED


@cache
def stops(case: Case) -> tuple[float, ...]:
    """Visits that each GPU may have worked off: as many as the mean, half of what is left then, and all."""
    mean, most = case.mean, float(case.loads.max())
    return 0.0, mean, (mean + most) / 2, most


def load_beats(case: Case) -> tuple[float, ...]:
    """When bars come, when time sets out from stop to stop, and when it has come to the last: as fast all the way."""
    most = stops(case)[-1]
    ways = [RISE * (there - here) / most for here, there in pairwise(stops(case))]
    return *STARTS[:-1], *accumulate(ways, initial=STARTS[-1])


def last_beat(case: Case) -> int:
    return len(load_beats(case)) - 1


def under_way(case: Case, beat: int) -> float:
    """The visits that time is on its way to."""
    found = stops(case)
    return found[min(max(beat - COVERED + 1, 0), len(found) - 1)]


def reached(case: Case, beat: int) -> float:
    """The visits that time has come to."""
    return stops(case)[max(beat - COVERED, 0)]
