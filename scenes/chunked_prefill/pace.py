"""What plays where steps have their price: two dots run along both waits, from one step for all to smaller ones."""

from __future__ import annotations

from loom.scene import Moment, evenly

from .model import ALONE, BUDGETS, Stall

LEAD = 0.25  # that the picture before anything sets out stands [s]
EACH = 0.3  # from stop to stop [s]
STOPS = 6  # at most
FINER = 512  # tokens in a step, with which a prompt that is computed by itself is compared


def stops(case: Stall) -> list[int]:
    """Tokens in a step: from those that the whole prompt fits into to those that were chosen, or are compared."""
    start = next(at for at, budget in enumerate(BUDGETS) if budget >= case.prompt)
    end = BUDGETS.index(FINER if case.how == ALONE else case.budget)
    ways = min(STOPS, abs(end - start))
    return [BUDGETS[round(start + (end - start) * way / ways)] for way in range(ways)] + [BUDGETS[end]]


def running(moment: Moment) -> tuple[float, ...]:
    """The dots stand, set out, and have come."""
    ways = len(stops(moment.result)) - 1
    return evenly(ways, EACH * ways, lead=LEAD, landed=True)


def runs_at(moment: Moment) -> int | None:
    """The tokens in a step that the dots are at, or on their way to; at the end none, if a knob is there."""
    case: Stall = moment.result
    if moment.progress == 1:
        return FINER if case.how == ALONE else None
    return stops(case)[moment.beat]
