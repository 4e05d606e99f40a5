"""The picture: the running sum under the exact one, through as few points as it takes; and a zoom onto it."""

from __future__ import annotations

import math
from collections.abc import Iterator
from functools import lru_cache
from itertools import accumulate, pairwise
from typing import NamedTuple

from loom.draw import Axis, Box, Mark, Pen, Plot, count, dodge, headline, significant, tidy

from .curves import exact, partial, register, span, ticks
from .ladder import Ladder, draw_ladder
from .model import sum_of
from .story import CHOICES, State, Story
from .words import error, number


def draw(state: State, width: float) -> Iterator[Mark]:
    plot, still, curves = sums_of(state.story, width)
    pen = plot.pen
    ladder = Ladder(pen, pen.pick(Box(0, 212, width, 104), Box(556, 28, 284, 248)), state)
    yield from still
    yield from (curve.until(state.at + 1) for curve in curves)
    yield from draw_gap(plot, state)
    yield from draw_stuck(plot, state)
    yield from draw_ends(plot, state)
    yield from draw_answer(plot, state)
    yield from draw_ladder(ladder)


@lru_cache(maxsize=2)  # for all steps of a story
def sums_of(story: Story, width: float) -> tuple[Plot, list[Mark], list[Growing]]:
    """The plot of a story's sums; its axes, and the exact sum as a ghost from the start; the sums as they grow."""
    pen, count = Pen(width), story.count
    box = pen.pick(Box(34, 54, 220, 102), Box(44, 28, 388, 236))
    terms = Axis("terms added", span=(0, count), ticks=tuple(count * part / 4 for part in range(5)))
    sums = Axis("sum", span=span(story.kind, count), ticks=ticks(story.kind, count))
    plot = Plot(pen, box, terms, sums, "sum")
    curves = [growing(plot, "held", "data steady", *partial(story))]
    if story.promotes:  # what the tensor core holds by itself
        curves.insert(0, growing(plot, "register", "kept thin steady", *register(story)))
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
        yield pen.knob("end", *at, "accumulator", ends(plot, state.story), "accumulator, by where its sum ends")
    else:
        yield pen.circle("held-now", *at, 5, "hot steady", read=told)


def ends(plot: Plot, story: Story) -> list[tuple[float, float]]:
    """Where the sums of all accumulators end."""
    runs = (sum_of(story.kind, story.count, name, story.promote) for name in CHOICES)
    return [plot.at(story.count, float(run.partial[-1])) for run in runs]


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
    if y + 2 * pen.size < plot.box.bottom:
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
    if story.promotes:
        peak = 0.0 if story.kind == "gaussian" else float(story.interval)
        labels.append(("register", peak, "tensor core", "kept"))
    heights = [plot.at(story.count, value)[1] for _, value, _, _ in labels]
    places = dodge(heights, 1.3 * pen.size, plot.box.y, plot.box.bottom)
    # By name, so that labels which change places are still drawn in one order.
    for (key, _, words, role), y in sorted(zip(labels, places, strict=True)):
        yield pen.text(f"end-{key}", plot.box.right + pen.pick(11, 18), y, words, role, middle=True)
