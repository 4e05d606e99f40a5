"""The sums as curves, through as few points as it takes, and the axis that all of them share."""

from __future__ import annotations

from functools import cache

import numpy as np

from .model import ACCUMULATORS, sum_of
from .story import INTERVALS, KEPT, State, Story, story

POINTS = 76  # of a curve, before those on a straight line are left out
MOST_TICKS = 6
MOST_TEETH = 32  # that are wide enough to show what happens within them
BEND = 1 / 400  # of the axis: a point this close to a straight line is on it


@cache  # the same for every accumulator, so that the exact line stays where it is
def span(kind: str, count: int) -> tuple[float, float]:
    """The ends of the axis of sums: a little more than what any accumulator comes to."""
    runs = [sum_of(kind, count, name) for name in ACCUMULATORS]
    promoted = [story("Hopper", interval, kind, count).before for interval in INTERVALS]
    sums = np.concatenate([[0.0], runs[0].exact, *(run.partial for run in runs), *promoted])
    low, high = float(sums.min()), float(sums.max())
    if kind != "gaussian":
        return 0.0, 1.03 * high
    return low - 0.03 * (high - low), high + 0.04 * (high - low)


def ticks(kind: str, count: int) -> tuple[float, ...]:
    """Marks on the axis of sums: quarters where the terms are 1 on average, else some four round numbers."""
    if kind != "gaussian":
        return tuple(count * part / 4 for part in range(5))
    low, high = span(kind, count)
    gap = next(gap for gap in (1, 2, 5, 10, 20, 50, 100) if (high - low) / gap < MOST_TICKS)
    return tuple(float(tick) for tick in range(-10 * gap, 10 * gap, gap) if low <= tick <= high)


def curve(story: Story, sums: np.ndarray, fixed: set[int], extra: set[int]) -> tuple[list[int], list[float]]:
    """Places, from 0 terms to all, and the sums there; the fixed places are shown, the extra ones where it bends."""
    sums, fixed = np.append(0.0, sums), {0, story.count, *fixed}
    even = np.linspace(0, story.count, POINTS + 1).round().astype(int).tolist()
    knots = sorted({*fixed, *even, *extra})
    low, high = span(story.kind, story.count)
    kept = sorted(fixed | bends(knots, sums[knots], (high - low) * BEND))
    return kept, sums[kept].tolist()


def plotted(state: State) -> State:
    """What the sums show: the term before, until the sum with this one is kept."""
    return state if state.shows == KEPT else state.story.state_at(state.at - 1, state.number - 1)


def passed(story: Story) -> set[int]:
    """The numbers of terms at which a curve may end: behind each moment, and before the one that tells most."""
    return {story.moments[story.turn], *(at + 1 for at in story.moments)}


def exact(story: Story) -> tuple[list[int], list[float]]:
    """The curve of the sum of the unrounded terms."""
    return curve(story, story.run.exact, set(), set())


def partial(story: Story) -> tuple[list[int], list[float]]:
    """The curve of what the accumulator holds, through every moment."""
    return curve(story, story.run.partial, passed(story), {story.run.stuck_after})


def register(story: Story) -> tuple[list[int], list[float]]:
    """The curve of what the tensor core holds by itself; at a promotion it is drawn full, and then empty."""
    held = np.append(0.0, story.before + story.addends)
    ends = set(range(story.interval, story.count + 1, story.interval))
    at = {0, *ends, *passed(story)}
    if story.kind == "gaussian" and len(ends) <= MOST_TEETH:
        at |= set(partial(story)[0])
    places, sums = [], []
    for place in sorted(at):
        places += [place] * (1 + (place in ends))
        sums += [float(held[place]), 0.0] if place in ends else [float(held[place])]
    return places, sums


def bends(knots: list[int], values: np.ndarray, most: float) -> set[int]:
    """The knots of a polyline that stays within `most` of all of them (Ramer, Douglas and Peucker)."""
    found, pending, xs = {knots[0], knots[-1]}, [(0, len(knots) - 1)], np.array(knots, float)
    while pending:
        first, last = pending.pop()
        if last - first < 2:
            continue
        inside = slice(first + 1, last)
        off = np.abs(np.interp(xs[inside], xs[[first, last]], values[[first, last]]) - values[inside])
        middle = first + 1 + int(off.argmax())
        if off.max() > most:
            found.add(knots[middle])
            pending += [(first, middle), (middle, last)]
    return found
