"""When the others get their tokens: before the prompt comes, beside it, and after it."""

from __future__ import annotations

from functools import cache
from itertools import pairwise

from .model import ALONE, DECODE, Stall

SPANS = {1024: 0.045, 4096: 0.125, 16_384: 0.520}  # s after the arrival that are shown, of each prompt
BEFORE = 2  # steps that are shown before it


@cache
def tokens(case: Stall) -> list[float]:
    """When each of the others gets its tokens [s], counted from the prompt's arrival, up to the end of the picture."""
    times = [-DECODE * at for at in range(BEFORE, -1, -1)]
    times += [case.first + DECODE] if case.how == ALONE else [turn.end for turn in case.turns]
    while times[-1] < SPANS[case.prompt]:
        times.append(times[-1] + DECODE)
    return times


@cache
def late(case: Stall) -> list[tuple[float, float]]:
    """By how much tokens are late: from when each was due, had there been no prompt, to when it came [s]."""
    return [
        (before + DECODE, after) for before, after in pairwise(tokens(case)) if after - before > DECODE * (1 + 1e-6)
    ]


def longest(case: Stall) -> tuple[float, float]:
    """The longest time without a token: its begin and its end [s]; of equal ones the first."""
    return max(pairwise(tokens(case)), key=lambda pair: round(pair[1] - pair[0], 9))


def waited(case: Stall, now: float) -> float:
    """The longest time without a token up to now, one that still lasts included [s]."""
    return max(min(after, now) - before for before, after in pairwise(tokens(case)) if before < now)
