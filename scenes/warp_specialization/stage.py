"""Where things stand: three rows of lanes over one time axis."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from loom.draw import Box, Pen

from .model import Schedule

AXIS = 40  # [units] that the time axis shows
COPIES, CORES, FIRST, SECOND = range(4)  # the lanes of a row, from the top
GLOW = 18  # how far a handle reaches, with the ring around it
HOMES = {"Ampere": "registers", "Hopper": "registers", "Blackwell": "TMEM"}
SHORT = {"registers": "regs"}


class Chart:
    """Lanes of all rows over one time axis."""

    def __init__(self, pen: Pen) -> None:
        self.pen = pen
        self.left, right = pen.pick((52, 8), (256, 106))
        self.unit = (pen.width - self.left - right) / AXIS
        self.heights: Sequence[float] = pen.pick((9, 17, 12, 12), (14, 25, 18, 18))
        self.gap, self.over, self.apart = pen.pick((2, 24, 6), (3, 0, 26))
        self.top = pen.pick(0, 25)
        self.pitch = self.over + sum(self.heights) + 3 * self.gap + self.apart
        self.bottom = self.top + 3 * self.pitch - self.apart

    def x(self, time: float) -> float:
        return self.left + float(time) * self.unit

    def row(self, at: int, run: Schedule) -> Row:
        return Row(self, at, run)


@dataclass(frozen=True)
class Row:
    """A generation's lanes. On Ampere all warps work as one: the last two lanes are one."""

    chart: Chart
    at: int
    run: Schedule

    @property
    def pen(self) -> Pen:
        return self.chart.pen

    @property
    def name(self) -> str:
        return self.run.generation

    @property
    def joined(self) -> bool:
        return self.name == "Ampere"

    @property
    def home(self) -> str:
        """Where the sums are."""
        return HOMES[self.name]

    @cached_property
    def top(self) -> float:
        return self.chart.top + self.at * self.chart.pitch

    @property
    def heading(self) -> tuple[float, float]:
        """Where the generation's name stands."""
        return 0, self.top + self.pen.pick(16, 8)

    @property
    def crew(self) -> tuple[float, float]:
        """The top and the foot of the place for its warps, where there is room below its name."""
        return self.top + 13, self.reach[1] + 7

    @property
    def after_name(self) -> float:
        """Where words behind the name begin."""
        return self.pen.text_width(self.name, size=self.pen.large, strong=True) + 8

    @property
    def key(self) -> tuple[float, float]:
        """On a phone, where the words begin that say what the lanes' marks are."""
        x, y = self.heading
        return x + self.after_name + 62, y

    @property
    def score(self) -> tuple[float, float, float]:
        """The right end and the baseline of the number that the row comes to, and its size."""
        big = self.name == "Blackwell"
        return self.pen.width, self.top + self.pen.pick(17, 36), self.pen.huge if big else self.pen.large

    @property
    def lanes(self) -> list[tuple[int, str]]:
        """The lanes and their names."""
        copies, cores = self.pen.pick(("copy", "cores"), ("copies", "tensor cores"))
        home = self.pen.pick(SHORT.get(self.home, self.home), self.home)
        groups = [(FIRST, home)] if self.joined else [(FIRST, f"{home} 1"), (SECOND, f"{home} 2")]
        return [(COPIES, copies), (CORES, cores), *groups]

    @property
    def reach(self) -> tuple[float, float]:
        """The top and the foot of its lanes."""
        last = self.box(FIRST if self.joined else SECOND)
        return self.box(COPIES).y, last.bottom

    def group(self, tile: int) -> int:
        """0 or 1: the warpgroup that writes a tile out, and the accumulator that it takes."""
        return 0 if self.joined else tile % 2

    def box(self, lane: int, start: float = 0, end: float = 0) -> Box:
        """A stretch of a lane."""
        chart = self.chart
        top = self.top + chart.over + sum(chart.heights[:lane]) + lane * chart.gap
        height = chart.heights[lane] + (chart.heights[SECOND] + chart.gap if self.joined and lane == FIRST else 0)
        return Box(chart.x(start), top, float(end - start) * chart.unit, height)


def middle_of(box: Box) -> float:
    return box.y + box.height / 2
