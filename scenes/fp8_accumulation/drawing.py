"""The picture: the running sum under the exact one, through as few points as it takes; and a zoom onto it."""

from __future__ import annotations

import math
from collections.abc import Iterator
from functools import cache, lru_cache
from itertools import accumulate, pairwise
from typing import NamedTuple

import numpy as np

from loom.draw import Axis, Box, Mark, Pen, Plot, plain, spread, tidy

from .ladder import Ladder, draw_ladder
from .model import ACCUMULATORS, sum_of
from .story import INTERVALS, State, Story, story
from .words import error

POINTS = 76  # of a curve, before those on a straight line are left out
MOST_TICKS = 6
MOST_TEETH = 32  # that are wide enough to show what happens within them
BEND = 1 / 400  # of the axis: a point this close to a straight line is on it


def draw(state: State, width: float) -> Iterator[Mark]:
    plot, still, curves = sums_of(state.story, width)
    pen = plot.pen
    ladder = Ladder(pen, pen.pick(Box(0, 240, width, 172), Box(556, 28, 284, 300)), state)
    if not pen.narrow:  # from the current sum to the zoom onto it
        at = plot.at(state.at + 1, state.register if state.story.promotes else state.sum)
        yield pen.path(
            "beam", [(ladder.box.x, ladder.box.y), at, (ladder.box.x, ladder.box.bottom)], "grid", close=True
        )
    yield from still
    yield from (curve.until(state.at + 1) for curve in curves)
    yield from draw_gap(plot, state)
    yield from draw_stuck(plot, state)
    yield from draw_ends(plot, state)
    yield from draw_ladder(ladder)


@lru_cache(maxsize=2)  # for all steps of a story
def sums_of(story: Story, width: float) -> tuple[Plot, list[Mark], list[Growing]]:
    """The plot of a story's sums; its axes, and the exact sum as a ghost from the start; the sums as they grow."""
    pen, count = Pen(width), story.count
    box = pen.pick(Box(34, 22, 220, 150), Box(44, 28, 388, 300))
    terms = Axis("terms added", span=(0, count), ticks=tuple(count * part / 4 for part in range(5)))
    sums = Axis("sum", span=span(story.kind, count), ticks=ticks(story.kind, count))
    plot = Plot(pen, box, terms, sums, "sum")
    curves = [growing(plot, "held", "data", *partial(story))]
    if story.promotes:  # what the tensor core holds by itself
        curves.insert(0, growing(plot, "register", "kept thin", *register(story)))
    return plot, [*plot.axes(), plot.curve("exact", *exact(story), "ghost")], curves


class Growing(NamedTuple):
    """A curve of which each step shows a longer part."""

    whole: Mark
    reach: dict[int, float]  # the share of its length up to the last point at a number of terms

    def until(self, terms: int) -> Mark:
        share = self.reach[terms]
        dash = {"pathLength": 100, "stroke-dasharray": f"{tidy(share * 100)} 200"} if share < 1 else {}
        return self.whole._replace(shape={**self.whole.shape, **dash})


def growing(plot: Plot, key: str, role: str, places: list[int], sums: list[float]) -> Growing:
    """A curve through sums at numbers of terms."""
    points = [plot.at(x, y) for x, y in zip(places, sums, strict=True)]
    lengths = list(accumulate((math.dist(here, there) for here, there in pairwise(points)), initial=0.0))
    shares = {place: length / lengths[-1] for place, length in zip(places, lengths, strict=True)}
    return Growing(plot.pen.path(key, points, role), shares)


def draw_gap(plot: Plot, state: State) -> Iterator[Mark]:
    """The distance between the two sums at the current term."""
    pen, x = plot.pen, state.at + 1
    at, to = plot.at(x, state.sum), plot.at(x, state.exact)
    long = abs(at[1] - to[1])
    if long >= 5:
        yield pen.line("gap", *at, *to, "dropped")
        yield pen.circle("exact-now", *to, 3.5, "pad")
    if long >= 1.6 * pen.size and not state.last and state.story.kind != "gaussian":
        middle = max(at[1], to[1]) - min(long / 2, 3 * pen.size)
        yield pen.text("gap-label", at[0] + 8, middle, f"{plain(state.exact - state.sum)} lost",
                       "dropped strong", middle=True)  # fmt: skip
    if state.story.promotes:
        yield pen.circle("register-now", *plot.at(x, state.register), 3.5, "kept")
    yield pen.circle("held-now", *at, 4.5, "hot")


def draw_stuck(plot: Plot, state: State) -> Iterator[Mark]:
    """Where a sum of positive terms stopped growing."""
    run, pen = state.story.run, plot.pen
    if not state.story.stalls or state.at < run.stuck_after:
        return
    words = f"stuck since term {run.stuck_after:,}"
    x, y = plot.at(run.stuck_after, state.sum)
    if y + 2 * pen.size < plot.box.bottom:
        yield pen.text("stuck", x, y + 1.4 * pen.size, words, "note")
    elif x + 38 + pen.room(words) < plot.at(state.at + 1, 0)[0] - 8:  # on the line, clear of the ghost and of the gap
        yield pen.text("stuck", x + 38, y - 8, words, "note")


def draw_ends(plot: Plot, state: State) -> Iterator[Mark]:
    """Names and numbers at the right ends of the curves."""
    pen, story, exact = plot.pen, state.story, float(state.story.run.exact[-1])
    labels = [("exact", exact, f"exact {plain(exact)}", "note")]
    if state.last:
        off = abs(exact - state.sum)
        seen = abs(plot.at(0, exact)[1] - plot.at(0, state.sum)[1]) >= 3.9 * pen.size
        words = "off by" if story.kind == "gaussian" or state.sum > exact else "lost"
        if seen:
            labels.append(("gap", exact * 0.5 + state.sum * 0.5, f"{words} {plain(off)}", "dropped strong"))
            labels.append(("error", exact * 0.49 + state.sum * 0.51, error(state.story.run.error), "dropped"))
        labels.append(("sum", state.sum, f"sum {plain(state.sum)}", "value strong"))
        if not seen:
            words = error(state.story.run.error) + (" off" if state.story.run.error >= 0.01 else "")
            labels.append(("error", min(state.sum, exact) - 0.001, words, "note"))
    if story.promotes:
        peak = 0.0 if story.kind == "gaussian" else float(story.interval)
        labels.append(("register", peak, "tensor core", "kept"))
    heights = [plot.at(story.count, value)[1] for _, value, _, _ in labels]
    places = spread(heights, 1.3 * pen.size, plot.box.y, plot.box.bottom)
    # By name, so that labels which change places are still drawn in one order.
    for (key, _, words, role), y in sorted(zip(labels, places, strict=True)):
        yield pen.text(f"end-{key}", plot.box.right + 10, y, words, role, middle=True)


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


def exact(story: Story) -> tuple[list[int], list[float]]:
    """The curve of the sum of the unrounded terms."""
    return curve(story, story.run.exact, set(), set())


def partial(story: Story) -> tuple[list[int], list[float]]:
    """The curve of what the accumulator holds, through every moment."""
    return curve(story, story.run.partial, {at + 1 for at in story.moments}, {story.run.stuck_after})


def register(story: Story) -> tuple[list[int], list[float]]:
    """The curve of what the tensor core holds by itself; at a promotion it is drawn full, and then empty."""
    held = np.append(0.0, story.before + story.addends)
    ends = set(range(story.interval, story.count + 1, story.interval))
    at = {0, *ends, *(moment + 1 for moment in story.moments)}
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
