"""The chart: the value after each update, against the exact line."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from loom.draw import Axis, Box, Mark, Pen, Plot, spread

from .._formats.floats import spacing
from .model import MODES, RUNS, Array
from .moments import FEW, MANY, ROUND, RUNS_STEP, SUM, State
from .words import amount, number

POINTS = 60  # of a curve
BEND = 1 / 300  # of the height: a point this close to a straight line is on it
MOST_LINES = 12  # of the format's numbers that the chart shows
TEETH = 40  # of the band's hatching


@dataclass(frozen=True)
class Chart:
    """The plot of one step."""

    pen: Pen
    box: Box
    state: State

    @cached_property
    def plot(self) -> Plot:
        count = self.state.journey.count
        return Plot(self.pen, self.box, Axis("updates", span=(0, count)), Axis("", span=self.span))

    @cached_property
    def span(self) -> tuple[float, float]:
        """The lowest and highest value, the same for every mode."""
        story, journey = self.state.story, self.state.journey
        tops = [journey.exact.max(), *(path.max() for path in journey.paths.values())]
        if not self.state.close:
            tops.append(story.band[1].max())
        room = max(tops) - journey.start
        return journey.start - 0.06 * room, max(tops) + 0.04 * room

    @cached_property
    def lines(self) -> list[float]:
        """The numbers of the format in view; none if they lie too close."""
        value, found = self.state.journey.start, list[float]()
        while value <= self.span[1] and len(found) <= MOST_LINES:
            found.append(value)
            value += float(spacing(value, self.state.story.fmt.name))
        return found if len(found) <= MOST_LINES else []

    @cached_property
    def ticks(self) -> list[float]:
        """Values with a number at the axis."""
        if not self.state.close or not self.lines:
            return [tick for tick in Axis("", span=self.span).marks(4) if tick >= self.state.journey.start]
        return self.lines[:: 1 + len(self.lines) // 5]


def draw_chart(chart: Chart) -> Iterator[Mark]:
    state = chart.state
    yield from draw_axes(chart)
    if state.step == RUNS_STEP:
        yield from draw_band(chart)
    if state.step >= SUM:
        yield curve(chart, "exact", chart.state.journey.exact, "ghost")
    if state.step == RUNS_STEP:
        yield from draw_modes(chart)
    if state.step >= FEW and not (state.step == RUNS_STEP and state.mode != "stochastic"):
        yield curve(chart, "path", state.path, "data thin" if state.step == RUNS_STEP else "data")
    yield from draw_now(chart)
    if state.step >= FEW:
        yield from draw_names(chart)


def draw_axes(chart: Chart) -> Iterator[Mark]:
    pen, box, plot, story = chart.pen, chart.box, chart.plot, chart.state.story
    yield pen.text("y-title", 0, box.y - 0.8 * pen.size, story.task, "label strong")
    if words := remark(chart):
        yield pen.text("remark", box.right, box.y - 0.8 * pen.size, words, "note", anchor="end")
    heights = [plot.at(0, value)[1] for value in (chart.lines if chart.state.close else []) or chart.ticks]
    yield pen.strokes("grid", [[(box.x, y), (box.right, y)] for y in heights], "grid")
    yield pen.line("x", box.x, box.bottom, box.right, box.bottom, "axis")
    for index, tick in enumerate(chart.ticks):
        words = number(tick, story) if chart.state.close else amount(tick)
        words = words if pen.room(words) <= box.x - 6 else amount(tick)
        yield pen.text(f"y{index}", box.x - 6, plot.at(0, tick)[1], words, "note", anchor="end", middle=True)
    count = chart.state.journey.count
    for index, tick in enumerate((0, count // 2, count)):
        x = plot.at(tick, 0)[0]
        yield pen.text(f"x{index}", x, box.bottom + 5 + pen.size, f"{tick:,}", "note", anchor="middle")
    yield pen.text("x-title", box.right + pen.room(f"{count:,}") / 2 + 8, box.bottom + 5 + pen.size, "updates", "note")


def remark(chart: Chart) -> str:
    """What the lines across are, or the band."""
    if chart.state.step == RUNS_STEP:
        return f"{RUNS} runs: mean, and nine in ten" if np.ptp(chart.state.story.far.walks[-1]) else ""
    return f"each line: a number of {chart.state.story.fmt.name}" if chart.state.close and chart.lines else ""


def curve(chart: Chart, key: str, values: Array, role: str) -> Mark:
    """A path through the values: every step of it if these are few, else a polyline close to them."""
    changes = np.flatnonzero(np.diff(values))
    if key != "exact" and changes.size <= POINTS and changes.size < values.size - 1:
        places = [0, *changes + 1, values.size - 1]
        return chart.plot.stairs(key, places, values[places].tolist(), role)
    places = knots(values, (chart.span[1] - chart.span[0]) * BEND)
    return chart.plot.curve(key, places, values[places].tolist(), role)


def knots(values: Array, most: float) -> list[int]:
    """Places of a polyline that stays within `most` of evenly taken samples (Ramer, Douglas and Peucker)."""
    even = np.unique(np.linspace(0, values.size - 1, POINTS + 1).round().astype(int))
    found, pending = {0, even.size - 1}, [(0, even.size - 1)]
    while pending:
        first, last = pending.pop()
        if last - first < 2:
            continue
        inside = even[first + 1 : last]
        off = np.abs(np.interp(inside, even[[first, last]], values[even[[first, last]]]) - values[inside])
        if off.max() > most:
            middle = first + 1 + int(off.argmax())
            found.add(middle)
            pending += [(first, middle), (middle, last)]
    return even[sorted(found)].tolist()


def draw_band(chart: Chart) -> Iterator[Mark]:
    """Between these, nine in ten runs of stochastic rounding: an outline, and hatching as there is no filled path."""
    low, high = chart.state.story.band
    most = (chart.span[1] - chart.span[0]) * BEND * 3
    edges = [[chart.plot.at(x, edge[x]) for x in knots(edge, most)] for edge in (low, high)]
    teeth = np.linspace(0, low.size - 1, TEETH + 1).round().astype(int)[1:]
    hatching = [[chart.plot.at(x, low[x]), chart.plot.at(x, high[x])] for x in teeth]
    yield chart.pen.strokes("band", [*edges, *hatching], "kept soft thin")


def draw_modes(chart: Chart) -> Iterator[Mark]:
    """The three ways to round, the chosen one strong; of stochastic rounding the mean."""
    state = chart.state
    for mode in MODES:
        values = state.story.mean if mode == "stochastic" else state.journey.paths[mode]
        role = {"stochastic": "kept"}.get(mode, "data" if mode == state.mode else "quiet")
        yield curve(chart, f"m-{mode}", values, role if mode == state.mode else f"{role} thin")


def draw_now(chart: Chart) -> Iterator[Mark]:
    """Where the value is: at its start, after one update, or at the end."""
    state, plot = chart.state, chart.plot
    x = {SUM: 1, ROUND: 1, FEW: state.journey.count, MANY: state.journey.count}.get(state.step, 0)
    if state.step == RUNS_STEP:
        return
    y = state.story.exact if state.step == SUM else state.result if state.step == ROUND else float(state.path[x])
    if state.step >= FEW:
        ends = plot.at(x, float(state.journey.exact[-1])), plot.at(x, y)
        if abs(ends[0][1] - ends[1][1]) > 8:
            yield chart.pen.line("gap", *ends[0], *ends[1], "dropped")
    yield chart.pen.circle("now", *plot.at(x, y), 4.5, "hot" if state.step == SUM else "data")


def draw_names(chart: Chart) -> Iterator[Mark]:
    """Names and last values beside the right ends of the curves; the modes' are buttons."""
    pen, state, box = chart.pen, chart.state, chart.box
    exact = float(state.journey.exact[-1])

    def words(value: float) -> str:
        return number(value, state.story) if state.close and not pen.narrow else amount(value, 3 if pen.narrow else 4)

    labels: list[tuple[str, float, str, str]] = [("exact", exact, f"exact {words(exact)}", "note")]
    if state.step < RUNS_STEP:
        labels.append((state.mode, float(state.path[-1]), f"{state.mode} {words(float(state.path[-1]))}", "label"))
    else:
        ends = {mode: float(state.journey.paths[mode][-1]) for mode in MODES} | {
            "stochastic": float(state.story.mean[-1])
        }
        labels += [(mode, end, f"{mode} {words(end)}", "label") for mode, end in ends.items()]
    places = spread_names(chart, labels)
    for (key, _, text, role), y in zip(labels, places, strict=True):
        strong = f"{role} strong" if key == state.mode else role
        if state.step == RUNS_STEP and key in MODES and key != state.mode:
            back = Box(box.right + 6, y - 0.6 * pen.size, pen.room(text) + 8, 1.2 * pen.size)
            yield pen.rect(f"b-{key}", back, "cell soft", set={"mode": key}, label=f"show {key}")
        yield pen.text(f"e-{key}", box.right + 10, y, text, strong, middle=True)


def spread_names(chart: Chart, labels: Sequence[tuple[str, float, str, str]]) -> list[float]:
    """Heights of the labels, near the ends of their curves and clear of each other."""
    ends = [chart.plot.at(0, value)[1] for _, value, _, _ in labels]
    return spread(ends, 1.35 * chart.pen.size, chart.box.y, chart.box.bottom - 4)
