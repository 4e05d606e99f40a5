"""Where things stand: bytes in flight as an area, time across and rate up; beside it the rate for any area."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

from loom.draw import Axis, Box, Pen, Plot

from .model import COUNTS, Traffic

BYTES = Axis("bytes in flight on an SM", "B", (100.0, 150_000.0), log=True, ticks=(128, 1024, 8192, 65536))
RATES = Axis("rate", "GB/s", (30.0, 16_000.0), log=True, ticks=(100, 1000, 10_000))
Point = tuple[float, float]


@dataclass(frozen=True)
class Stage(Pen):
    """A pen that knows the places. Time has one scale; every GPU is as high as its share of the bandwidth."""

    corner: Point  # where time and rate are 0
    nanosecond: float
    height: float  # of an SM's share of the bandwidth
    end: float  # the right edge, where a long queue is cut
    plot_box: Box

    def area(self, seconds: float, share: float) -> Box:
        """A time by a share of what one SM can have of the bandwidth, at most 1."""
        x, y = self.corner
        high = share * self.height
        return Box(x, y - high, min(seconds * 1e9 * self.nanosecond, self.end - x), high)

    def cells(self, traffic: Traffic) -> list[list[Point]]:
        """Lines between the columns of warps and the rows of their loads: each cell is as large as a load."""
        x, bottom = self.corner
        whole = self.area(traffic.wait, traffic.used / 100)
        step = traffic.wait * 1e9 * self.nanosecond / traffic.warps
        columns = [x + at * step for at in range(1, traffic.warps) if x + at * step < self.end]
        across = [[(row.x, row.y), (row.right, row.y)] for row in whole.rows(traffic.loads)[1:]]
        return [*across, *([(column, whole.y), (column, bottom)] for column in columns)]

    def edge(self, traffic: Traffic) -> Point:
        """The upper end of the area: it rises as long as memory is not busy, and then goes on to the right."""
        area = self.area(traffic.wait, traffic.used / 100)
        return round(area.right, 1), round(area.y, 1)

    @property
    def plot(self) -> Plot:
        return Plot(self, self.plot_box, BYTES, RATES, "law")

    def on_curve(self, traffic: Traffic) -> Point:
        return self.plot.at(traffic.in_flight, traffic.rate / 1e9)

    def rail(self, traffic: Traffic) -> list[Point]:
        """The place of every number of warps."""
        return rail_of(self, traffic.at(COUNTS[0]))


@cache
def rail_of(stage: Stage, few: Traffic) -> list[Point]:
    """The same for all that differ in their warps alone."""
    return [stage.on_curve(few.at(warps)) for warps in COUNTS]


@cache
def edges_of(stage: Stage, few: Traffic) -> list[Point]:
    """The upper ends of the areas of every number of warps; those that are cut share a place."""
    return [stage.edge(few.at(warps)) for warps in COUNTS]


NARROW = Stage(328, (8, 106), 0.5, 54, 322, Box(46, 165, 270, 76))
WIDE = Stage(840, (8, 258), 0.8, 162, 440, Box(530, 40, 300, 218))
