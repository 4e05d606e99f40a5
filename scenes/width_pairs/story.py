"""What has come in each picture: all pairs race, one is laid along the first, and a dot goes through all batches."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

from loom.scene import Moment

from .model import Case, case_of

START = 0.2  # [s] that a mark stands where it sets out from
RACE = 3.2  # [s] that the longest time of all takes
UP, ALONG = 0.5, 0.35  # [s] that a bar takes to the first row, and from each place to the next
PLACES = (1, 6, 24, 48, 64, 96, 128, 192, 256, 384, 768, 4096)  # batches that the dot passes: more where curves bend
SWEEP, STAY = 4.0, 0.6  # [s] past all of them, and at the last before the reader's comes anew


class View(NamedTuple):
    """One picture: times up to which bars have grown or are about to, and what has landed and may be told [s]."""

    bound: Case  # whose bars and dot are on their way
    told: Case  # whose numbers are told
    moved: float = math.inf
    multiplied: float = math.inf
    landed: float = math.inf  # of what grows
    laid: int = -1  # how many copies of the chosen bar lie along the first, the last of them on its way
    racing: str = ""  # which bars grow
    rests: bool = True
    covered: int = 0  # the batch from which on curves are still covered, ahead of the dot


def longest(case: Case) -> float:
    return max(one.time for one in case.rivals)


def ends(case: Case, times: Sequence[float]) -> list[float]:
    """When bars end, from the first to the last [s]; those that end together are one."""
    ordered, near = sorted(times), 0.03 * longest(case)
    return [one for one, after in zip(ordered, [*ordered[1:], math.inf], strict=True) if after - one > near]


def moves(case: Case) -> list[float]:
    return ends(case, [one.memory_time for one in case.rivals])


def products(case: Case) -> list[float]:
    return ends(case, [one.arithmetic_time for one in case.rivals])


def copies(case: Case) -> int:
    """How often the chosen bar is laid along the first until that is covered; not at all along itself."""
    return 0 if case.pair.name == "W16A16" else math.ceil(case.speedup - 0.02)


def clock(case: Case, found: Sequence[float]) -> list[float]:
    """When the playhead stands at the beginning, when it sets out for each end, and when it is at the last [s]."""
    times = [0.0, START]
    for end in found:
        times.append(max(START + RACE * end / longest(case), times[-1] + 0.25))
    return times


def moving(moment: Moment) -> list[float]:
    return clock(moment.result, moves(moment.result))


def multiplying(moment: Moment) -> list[float]:
    times = clock(moment.result, products(moment.result))
    laid = copies(moment.result)
    for place in range(laid + 1 if laid else 0):
        times.append(times[-1] + (ALONG, UP, ALONG)[min(place, 2)])
    return times


def sweeping(_: Moment) -> list[float]:
    """When the dot comes to the first batch, sets out for each of the next, is at the last, and is gone."""
    ways = [START + SWEEP * math.log(one, PLACES[-1]) for one in PLACES]
    return [0.0, *ways, ways[-1] + STAY]


def view(moment: Moment) -> View:
    """What the picture of a moment has; a number is told once what causes it has landed."""
    case: Case = moment.result
    beat, rests = moment.beat, moment.progress == 1
    if moment.phase == "bytes":
        found = [0.0, 0.0, *moves(case), math.inf]
        return View(case, case, found[beat + 1], 0.0, math.inf if rests else found[beat], racing="move", rests=rests)
    if moment.phase == "products":
        found = [0.0, 0.0, *products(case)]
        if beat < len(found) - 1:
            return View(case, case, math.inf, found[beat + 1], found[beat], racing="multiply", rests=False)
        return View(case, case, laid=(copies(case) or -1) if rests else beat - len(found) + 1, rests=rests)
    if rests:
        return View(case, case)
    bound = case_of(case.gpu.name, case.pair.name, PLACES[min(beat, len(PLACES) - 1)])
    told = case_of(case.gpu.name, case.pair.name, PLACES[beat - 1]) if beat else case
    return View(bound, told, rests=False, covered=bound.batch if beat < len(PLACES) else 0)
