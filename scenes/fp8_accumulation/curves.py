"""Which points of a long sum a curve is drawn through."""

from __future__ import annotations

from functools import lru_cache

import numpy as np

from .model import ACCUMULATORS
from .moments import INTERVALS, Story, story

POINTS = 76  # of a curve, before those on a straight line are left out
MOST_TICKS = 6
MOST_TEETH = 32  # that are wide enough to show what happens within them
BEND = 1 / 400  # of the axis: a point this close to a straight line is on it


def span(story: Story) -> tuple[float, float]:
    """The ends of the axis of sums: the same for every accumulator, so that the exact line stays where it is."""
    low, high = extremes(story.kind, story.count)
    if story.kind != "gaussian":
        return 0.0, 1.03 * high
    return low - 0.03 * (high - low), high + 0.04 * (high - low)


def ticks(story: Story) -> tuple[float, ...]:
    """Marks on the axis of sums: quarters where the terms are 1 on average, else some four round numbers."""
    if story.kind != "gaussian":
        return tuple(story.count * part / 4 for part in range(5))
    low, high = span(story)
    gap = next(gap for gap in (1, 2, 5, 10, 20, 50, 100) if (high - low) / gap < MOST_TICKS)
    return tuple(float(tick) for tick in range(-10 * gap, 10 * gap, gap) if low <= tick <= high)


@lru_cache(maxsize=16)
def extremes(kind: str, count: int) -> tuple[float, float]:
    """The smallest and the largest sum that any accumulator comes to."""
    runs = [story(name, "never", kind, count) for name in ACCUMULATORS]
    promoted = [story("Hopper", interval, kind, count).before for interval in INTERVALS]
    sums = np.concatenate([[0.0], runs[0].run.exact, *(one.run.partial for one in runs), *promoted])
    return float(sums.min()), float(sums.max())


@lru_cache(maxsize=8)
def curve(story: Story, name: str) -> tuple[list[int], list[float]]:
    """Places, from 0 terms to all, and the sums there: "exact", or "partial", which shows every moment."""
    sums = np.append(0.0, getattr(story.run, name))
    fixed = {0, story.count, *(at + 1 for at in story.moments if name == "partial")}
    even = np.linspace(0, story.count, POINTS + 1).round().astype(int).tolist()
    knots = sorted({*fixed, *even, *([story.run.stuck_after] if name == "partial" else [])})
    low, high = span(story)
    kept = sorted(fixed | bends(knots, sums[knots], (high - low) * BEND))
    return kept, sums[kept].tolist()


@lru_cache(maxsize=4)
def register(story: Story) -> tuple[list[int], list[float]]:
    """The same for what the tensor core holds by itself; at a promotion it is drawn full, and then empty."""
    held = np.append(0.0, story.before + story.addends)
    ends = set(range(story.interval, story.count + 1, story.interval))
    at = {0, *ends, *(moment + 1 for moment in story.moments)}
    if story.kind == "gaussian" and len(ends) <= MOST_TEETH:
        at |= set(curve(story, "partial")[0])
    places = [place for place in sorted(at) for _ in range(1 + (place in ends))]
    empty = [place in ends and places[index - 1] == place for index, place in enumerate(places)]
    return places, [0.0 if drop else float(held[place]) for place, drop in zip(places, empty, strict=True)]


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
