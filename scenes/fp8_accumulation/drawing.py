"""The picture: the running sum under the exact one, through as few points as it takes; and a zoom onto it."""

from __future__ import annotations

import math
from collections.abc import Iterator
from functools import lru_cache
from itertools import accumulate, groupby, pairwise
from typing import NamedTuple

import numpy as np

from loom.draw import Axis, Box, Mark, Pen, Plot, count, dodge, headline, significant, tidy

from .curves import exact, partial, plotted, register, span, ticks
from .ladder import Ladder, draw_ladder
from .model import sum_of
from .story import CHOICES, State, Story
from .words import error, number

HAIR = 0.25  # units between ends of sums that are equal
STRETCHES = 64  # of the axis: each is one term of the shortest sums


def draw(now: State, width: float) -> Iterator[Mark]:
    state, (plot, still, curves) = plotted(now), sums_of(now.story, width)
    pen = plot.pen
    ladder = Ladder(pen, pen.pick(Box(0, 212, width, 104), Box(556, 28, 284, 248)), now)
    yield from still
    yield from draw_asked(curves[-1], state)
    found = [*draw_lost(plot, state), *(curve.until(state.at + 1) for curve in curves)]
    found += [*draw_gap(plot, state), *draw_stuck(plot, state), *draw_ends(plot, state), *draw_answer(plot, state)]
    found += draw_ladder(ladder)
    yield from map(kept_back, found) if is_asked(state) else found
    words = "a term, between numbers that can be held"  # under the zoom, also where its numbers wait for the guess
    yield pen.text("zoom-words", ladder.box.x, ladder.box.bottom + pen.pick(16, 22), words, "note")


def is_asked(state: State) -> bool:
    """Whether the picture answers where a sum stops, and may have to wait for a guess."""
    return state.last and state.story.stalls


def draw_lost(plot: Plot, state: State) -> Iterator[Mark]:
    """Along the axis, the terms that changed nothing; where they are thin, the stretches that mostly did not."""
    if state.lost_so_far and state.story.kind != "gaussian":
        left, right = plot.box.x, plot.at(state.at + 1, 0)[0]
        heights = [plot.box.bottom - row for row in (1.5, 4.5)]  # two lines, as one of them is too thin
        lines = plot.pen.strokes("lost", [[(left, y), (right, y)] for y in heights], "dropped thick steady")
        yield lines._replace(shape={**lines.shape, "stroke-dasharray": lost_runs(state.story, plot.box.width)})


@lru_cache(maxsize=4)  # for all steps of a story, at either width
def lost_runs(told: Story, wide: float) -> str:
    """The lengths of what is lost along the axis, and of what is kept between."""
    mostly = told.run.ignored.reshape(STRETCHES, -1).mean(axis=1) > 0.5
    runs = [len(list(run)) * wide / STRETCHES for _, run in groupby(np.append(False, mostly).tolist())]
    runs[0] -= wide / STRETCHES  # what was put before, so that a gap is always first
    return " ".join(f"{run:g}" for run in (0, *runs))


def draw_asked(held: Growing, state: State) -> Iterator[Mark]:
    """What a reader who has to guess the end sees of the sum: how it grows, while it does."""
    if is_asked(state):
        told = state.story
        start = told.moments[max(told.turn - 2, 1)] + 1  # well before what happens, which would be half the answer
        yield held.until(start)._replace(key="asked")


def kept_back(mark: Mark) -> Mark:
    """A mark that waits for the reader's guess.

    The exact sum is part of the question; the last term between the format's numbers is there to reason from.
    """
    given = mark.key in ("end-exact", "base", "base-dot", "term") or "answer" in mark.role.split()
    given |= mark.key.startswith("rung-") and mark.tag == "line"
    return mark if given else mark._replace(role=f"{mark.role} answer")


@lru_cache(maxsize=2)  # for all steps of a story
def sums_of(story: Story, width: float) -> tuple[Plot, list[Mark], list[Growing]]:
    """The plot of a story's sums; its axes, and the exact sum as a ghost from the start; the sums as they grow."""
    pen, most = Pen(width), story.count
    box = pen.pick(Box(34, 54, 208, 96), Box(44, 28, 388, 236))
    terms = Axis("terms added", span=(0, most), ticks=tuple(most * part / 4 for part in range(5)))
    sums = Axis("sum", span=span(story.kind, most), ticks=ticks(story.kind, most))
    plot = Plot(pen, box, terms, sums, "sum")
    curves = [growing(plot, "held", "data steady", *partial(story))]
    if story.promotes:  # what the tensor core holds by itself
        curves.insert(0, growing(plot, "register", "kept thin steady", *register(story)))
    return plot, [*plot.axes(drop=7), plot.curve("exact", *exact(story), "ghost")], curves


class Growing(NamedTuple):
    """A curve of which each step shows a longer part."""

    whole: Mark
    reach: dict[int, float]  # the share of its length up to the last point at a number of terms

    def until(self, terms: int) -> Mark:
        share = self.reach[terms]
        dash = {"pathLength": 100, "stroke-dasharray": f"{tidy(share * 100)} 200"}
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
        yield pen.line("gap", *at, *to, "dropped steady")
        yield pen.circle(
            "exact-now", *to, 3.5, "pad steady", read=f"exact: {number(state.exact)} after {count(x, 'term')}"
        )
    if long >= 1.6 * pen.size and not state.last and state.story.kind != "gaussian":
        middle = max(at[1], to[1]) - min(long / 2, 3 * pen.size)
        yield pen.text("gap-label", at[0] + 8, middle, f"{significant(state.exact - state.sum)} lost",
                       "dropped strong", middle=True)  # fmt: skip
    if state.story.promotes:
        yield pen.circle("register-now", *plot.at(x, state.register), 3.5, "kept steady")
    told = f"after {count(x, 'term')}: {number(state.sum)}; exact: {number(state.exact)}"
    if state.last:
        rail = ends(plot, state.story)
        place = rail[CHOICES.index(state.story.run.accumulator)]
        yield pen.knob("end", *place, "accumulator", rail, "accumulator, by where its sum ends")
    else:
        yield pen.circle("held-now", *at, 5, "hot steady", read=told)


def ends(plot: Plot, story: Story) -> list[tuple[float, float]]:
    """Where the sums of all accumulators end; equal ones a hair apart, so that to take hold of one chooses no other."""
    places: list[tuple[float, float]] = []
    for name in CHOICES:
        x, y = plot.at(story.count, float(sum_of(story.kind, story.count, name, story.promote).partial[-1]))
        while any(abs(y - taken) < HAIR for _, taken in places):
            y += HAIR
        places.append((x, y))
    return places


def draw_answer(plot: Plot, state: State) -> Iterator[Mark]:
    """The sum so far and what it ought to be, where sums of positive terms leave room."""
    pen = plot.pen
    if state.story.kind == "gaussian":
        return
    words, exact = number(state.sum), number(state.exact)
    beside = f"not {exact}" if words != exact else "exact" if state.sum == state.exact else "exact to the digits shown"
    x, y = pen.pick((0, 26), (plot.box.x + 18, plot.box.y + 34))
    yield from headline(pen, x, y, words, [beside], tone="note")


def draw_stuck(plot: Plot, state: State) -> Iterator[Mark]:
    """Where a sum of positive terms stopped growing."""
    run, pen = state.story.run, plot.pen
    if not state.story.stalls or state.at < run.stuck_after:
        return
    words = f"stuck since term {run.stuck_after:,}"
    x, y = plot.at(run.stuck_after, state.sum)
    clear = not state.last or x + pen.text_width(words) < plot.box.right - pen.knob_radius
    if y + 2 * pen.size < plot.box.bottom and clear:
        yield pen.text("stuck", x, y + 1.4 * pen.size, words, "note")
    elif x + 38 + pen.text_width(words) < plot.at(state.at + 1, 0)[0] - 8:  # clear of the ghost and of the gap
        yield pen.text("stuck", x + 38, y - 8, words, "note")


def draw_ends(plot: Plot, state: State) -> Iterator[Mark]:
    """Names and numbers at the right ends of the curves."""
    pen, story, exact = plot.pen, state.story, float(state.story.run.exact[-1])
    labels = [("exact", exact, f"exact {significant(exact)}", "note")]
    if state.last:
        off = abs(exact - state.sum)
        seen = abs(plot.at(0, exact)[1] - plot.at(0, state.sum)[1]) >= 3.9 * pen.size
        words = "off by" if story.kind == "gaussian" or state.sum > exact else "lost"
        if seen:
            labels.append(("gap", exact * 0.5 + state.sum * 0.5, f"{words} {significant(off)}", "dropped strong"))
            labels.append(("error", exact * 0.49 + state.sum * 0.51, error(state.story.run.error), "dropped"))
        labels.append(("sum", state.sum, f"sum {significant(state.sum)}", "value strong"))
        if not seen:
            words = error(state.story.run.error) + (" off" if state.story.run.error >= 0.01 else "")
            labels.append(("error", min(state.sum, exact) - 0.001, words, "note"))
    if state.lost_so_far and story.kind != "gaussian":
        words = f"{pen.pick(f'{state.lost_so_far:,}', count(state.lost_so_far, 'term'))} lost"
        labels.append(("lost", plot.y.span[0], words, "dropped"))
    if story.promotes:
        peak = 0.0 if story.kind == "gaussian" else float(story.interval)
        labels.append(("register", peak, "tensor core", "kept"))
    heights = [plot.at(story.count, value)[1] for _, value, _, _ in labels]
    places = dodge(heights, 1.3 * pen.size, plot.box.y, plot.box.bottom)
    # By name, so that labels which change places are still drawn in one order.
    for (key, _, words, role), y in sorted(zip(labels, places, strict=True)):
        yield pen.text(f"end-{key}", plot.box.right + pen.pick(16, 18), y, words, role, middle=True)
