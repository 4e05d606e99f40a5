"""The picture: the running sum under the exact one, and a zoom onto the numbers around it."""

from __future__ import annotations

from collections.abc import Iterator

from loom.draw import Axis, Box, Mark, Pen, Plot, plain, spread

from .curves import curve, register, span, ticks
from .ladder import Ladder, draw_ladder
from .moments import State
from .words import error

QUARTERS = (0.0, 0.25, 0.5, 0.75, 1.0)


def draw(state: State, width: float) -> Iterator[Mark]:
    pen = Pen(width)
    sums = Box(34, 22, 220, 150) if pen.narrow else Box(44, 28, 388, 300)
    ladder = Ladder(pen, Box(0, 240, width, 172) if pen.narrow else Box(556, 28, 284, 300), state)
    plot = sums_plot(pen, sums, state)
    if not pen.narrow:
        yield from draw_beam(plot, ladder)
    yield from plot.axes()
    yield from draw_curves(plot, state)
    yield from draw_gap(plot, state)
    yield from draw_stuck(plot, state)
    yield from draw_ends(plot, state)
    yield from draw_ladder(ladder)


def sums_plot(pen: Pen, box: Box, state: State) -> Plot:
    low, high = span(state.story)
    count = state.story.count
    quarters = tuple(count * part for part in QUARTERS)
    return Plot(pen, box, Axis("terms added", span=(0, count), ticks=quarters),
                Axis("sum", span=(low, high), ticks=ticks(state.story)), "sum")  # fmt: skip


def draw_beam(plot: Plot, ladder: Ladder) -> Iterator[Mark]:
    """From the current sum to the zoom onto it."""
    state = ladder.state
    at = plot.at(state.at + 1, state.register if state.story.promotes else state.sum)
    ends = [(ladder.box.x, ladder.box.y), at, (ladder.box.x, ladder.box.bottom)]
    yield plot.pen.path("beam", ends, "grid", close=True)


def draw_curves(plot: Plot, state: State) -> Iterator[Mark]:
    """The exact sum as a ghost from the start, and the accumulator's as far as it has come."""
    story = state.story
    places, values = curve(story, "exact")
    yield plot.curve("exact", places, values, "ghost")
    if story.promotes:
        yield draw_register(plot, state)
    places, values = curve(story, "partial")
    yield plot.curve("held", places, values, "data", drawn=places.index(state.at + 1) / (len(places) - 1))


def draw_register(plot: Plot, state: State) -> Mark:
    """What the tensor core holds by itself: back to 0 at every promotion."""
    places, values = register(state.story)
    done = len(places) - places[::-1].index(state.at + 1) - 1
    return plot.curve("register", places, values, "kept thin", drawn=done / (len(places) - 1))


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
    run, pen = state.run, plot.pen
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
    pen, story, exact = plot.pen, state.story, float(state.run.exact[-1])
    labels = [("exact", exact, f"exact {plain(exact)}", "note")]
    if state.last:
        off = abs(exact - state.sum)
        seen = abs(plot.at(0, exact)[1] - plot.at(0, state.sum)[1]) >= 3.9 * pen.size
        words = "off by" if story.kind == "gaussian" or state.sum > exact else "lost"
        if seen:
            labels.append(("gap", exact * 0.5 + state.sum * 0.5, f"{words} {plain(off)}", "dropped strong"))
            labels.append(("error", exact * 0.49 + state.sum * 0.51, error(state.run.error), "dropped"))
        labels.append(("sum", state.sum, f"sum {plain(state.sum)}", "value strong"))
        if not seen:
            words = error(state.run.error) + (" off" if state.run.error >= 0.01 else "")
            labels.append(("error", min(state.sum, exact) - 0.001, words, "note"))
    if story.promotes:
        peak = 0.0 if story.kind == "gaussian" else float(story.interval)
        labels.append(("register", peak, "tensor core", "kept"))
    heights = [plot.at(story.count, value)[1] for _, value, _, _ in labels]
    places = spread(heights, 1.3 * pen.size, plot.box.y, plot.box.bottom)
    # By name, so that labels which change places are still drawn in one order.
    for (key, _, words, role), y in sorted(zip(labels, places, strict=True)):
        yield pen.text(f"end-{key}", plot.box.right + 10, y, words, role, middle=True)
