"""The chart: the value after each update, against the exact line."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property, lru_cache

import numpy as np

from loom.draw import Axis, Box, Mark, Pen, Plot

from .._formats.floats import spacing
from .model import Array
from .story import Journey, Story
from .words import amount, number

POINTS = 60  # of a curve
BEND = 1 / 300  # of the height: a point this close to a straight line is on it
MOST_LINES = 12  # of the format's numbers that the chart shows
TEETH = 40  # of the band's hatching


@dataclass(frozen=True, eq=False)
class Chart:
    """The plot of a few updates, or of all."""

    pen: Pen
    story: Story
    close: bool  # whether it shows a few

    @property
    def journey(self) -> Journey:
        return self.story.near if self.close else self.story.far

    @cached_property
    def box(self) -> Box:
        """The field between the axes: numbers stand left of it, names of curves right."""
        return self.pen.pick(Box(46, 168, 172, 112), Box(64, 194, 640, 122))

    @cached_property
    def plot(self) -> Plot:
        return Plot(self.pen, self.box, Axis("updates", span=(0, self.journey.count)), Axis("", span=self.span))

    @cached_property
    def span(self) -> tuple[float, float]:
        """The lowest and highest value, the same for every mode."""
        journey = self.journey
        top = max(float(path.max()) for path in (journey.exact, *journey.paths.values()))
        if not self.close:
            top = max(top, float(self.story.band[1].max()))
        room = top - journey.start
        return journey.start - 0.06 * room, top + 0.04 * room

    @cached_property
    def lines(self) -> list[float]:
        """The numbers of the format in view; none if they lie too close."""
        value, found = self.journey.start, list[float]()
        while value <= self.span[1] and len(found) <= MOST_LINES:
            found.append(value)
            value += float(spacing(value, self.story.fmt.name))
        return found if len(found) <= MOST_LINES else []

    @cached_property
    def axes(self) -> list[Mark]:
        """The axes with their numbers, and lines across."""
        pen, box, plot, count = self.pen, self.box, self.plot, self.journey.count
        lines = self.lines if self.close else []
        ticks = lines[:: 1 + len(lines) // 5] or [tick for tick in plot.y.tick_values(4) if tick >= self.journey.start]
        heights = [plot.at(0, value)[1] for value in lines or ticks]
        marks = [
            pen.strokes("grid", [[(box.x, y), (box.right, y)] for y in heights], "grid"),
            pen.line("x", box.x, box.bottom, box.right, box.bottom),
        ]
        for index, tick in enumerate(ticks):
            words = number(tick, self.story) if self.close else amount(tick)
            words = words if pen.text_width(words) <= box.x - 6 else amount(tick)
            marks.append(
                pen.text(f"y{index}", box.x - 6, plot.at(0, tick)[1], words, "note", anchor="end", middle=True)
            )
        foot = box.bottom + 5 + pen.size
        for index, tick in enumerate((0, count // 2, count)):
            marks.append(
                pen.text(f"x{index}", plot.at(tick, self.span[0])[0], foot, f"{tick:,}", "note", anchor="middle")
            )
        right = box.right + pen.text_width(f"{count:,}") / 2 + 8
        return [*marks, pen.text("x-title", right, foot, "updates", "note")]

    @cached_property
    def curves(self) -> dict[str, Mark]:
        """The exact value, that under every mode, and the mean of all runs."""
        mean = {} if self.close else {"mean": self.story.mean}
        return {name: self.curve(values) for name, values in (self.journey.paths | mean).items()} | {
            "exact": self.curve(self.journey.exact, smooth=True)
        }

    def curve(self, values: Array, smooth: bool = False) -> Mark:
        """A path through the values: every step of it if these are few, else a polyline close to them."""
        changes = np.flatnonzero(np.diff(values))
        if not smooth and changes.size <= POINTS and changes.size < values.size - 1:
            places = [0, *changes + 1, values.size - 1]
            return self.plot.stairs("", places, values[places].tolist())
        places = knots(values, (self.span[1] - self.span[0]) * BEND)
        return self.plot.curve("", places, values[places].tolist())

    @cached_property
    def shares(self) -> dict[str, list[float]]:
        """How much of the length of each mode's line is behind after each update, 0 to 1."""
        (low, high), across = self.span, self.box.width / self.journey.count
        found = {}
        for mode, values in self.journey.paths.items():
            lengths = np.hypot(across, np.diff(values) * self.box.height / (high - low)).cumsum()
            found[mode] = [0.0, *(lengths / lengths[-1]).tolist()]
        return found

    @cached_property
    def band(self) -> Mark:
        """Between these, nine in ten runs of stochastic rounding: an outline, and hatching as no path is filled."""
        low, high = self.story.band
        most = (self.span[1] - self.span[0]) * BEND * 3
        edges = [[self.plot.at(x, float(edge[x])) for x in knots(edge, most)] for edge in (low, high)]
        teeth = np.linspace(0, low.size - 1, TEETH + 1).round().astype(int)[1:].tolist()
        hatching = [[self.plot.at(x, float(edge[x])) for edge in (low, high)] for x in teeth]
        return self.pen.strokes("band", [*edges, *hatching], "kept soft thin")


@lru_cache(maxsize=4)  # the modes and steps of a story share it: close or not, at either width
def chart(story: Story, close: bool, width: float) -> Chart:
    """The plot of a few updates or of all at this width."""
    return Chart(Pen(width), story, close)


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
