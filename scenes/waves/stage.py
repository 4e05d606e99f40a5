"""Where things stand: SMs over time, the saw of busy time over tiles, and a bar for each schedule."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from loom.draw import Axis, Box, Pen, Plot

from .model import MOST, SCHEDULES, SMS, TILE, Launch, Span, launches

# That the reader may choose: where waves fill and overflow, squares of tiles, and about every twelfth number besides.
MARKED = {1, *(SMS * wave + more for wave in range(1, 5) for more in (0, 1)), 33, 67, 100, 121, 144, 256, 400, 484, 512}
EVENLY = {tiles for tiles in range(12, MOST + 1, 12) if MARKED.isdisjoint(range(tiles - 4, tiles + 5))}
TILES = tuple(sorted(MARKED | EVENLY))
THIN = 6.0  # the least height of a few SMs, so that one of many can be seen
SIDES = (1024, 1536, 2048, 2560)  # of square results, named above the saw


@dataclass(frozen=True)
class Stage(Pen):
    """A pen that knows the places."""

    chart: Box  # SMs over time
    saw: Box
    bars: Box
    answer: tuple[float, float]

    @cached_property
    def plot(self) -> Plot:
        return Plot(self, self.saw, Axis("tiles of C", span=(-SMS / 6, MOST), ticks=tuple(range(SMS, MOST, SMS))),
                    Axis("tensor cores busy", "%", span=(0, 100), ticks=(0, 50, 100)), "saw")  # fmt: skip

    @cached_property
    def rows(self) -> list[Box]:
        """A row for each schedule."""
        return self.bars.rows(len(SCHEDULES), self.pick(4, 5))

    def window(self, tiles: int) -> int:
        """The time that the chart is wide: the slowest schedule has room for two waves of tiles, or three, or all.

        So a tile more changes what stands in the chart, and not its measure [units].
        """
        room = next(most for most in (2 * SMS, 3 * SMS, MOST) if tiles <= most)
        return max(launch.time for launch in launches(room).values())

    def area(self, span: Span, window: int) -> Box:
        """The part of the chart that some SMs take for some time."""
        box, unit = self.chart, self.chart.width / window
        top, foot = (self._height(sm) for sm in (span.first, span.last))
        return Box(box.x + span.start * unit, box.y + top, (span.end - span.start) * unit, foot - top)

    def _height(self, sm: int) -> float:
        """How far down an SM begins: those at the very top have more room, those at the very bottom too."""
        whole, each = self.chart.height, self.chart.height / SMS
        return each * sm if sm in (0, SMS) else min(max(each * sm, THIN), whole - THIN)

    def rail(self, schedule: str) -> list[tuple[float, float]]:
        return [self.plot.at(tiles, Launch(tiles, schedule).busy) for tiles in TILES]

    @cached_property
    def sides(self) -> dict[int, float]:
        """Where square results stand above the saw."""
        return {side: self.plot.at((side // TILE) ** 2, 0)[0] for side in SIDES}


NARROW = Stage(328, Box(30, 62, 298, 100), Box(30, 236, 284, 62), Box(0, 62, 328, 108), (0, 24))
WIDE = Stage(840, Box(152, 68, 648, 102), Box(152, 222, 648, 72), Box(0, 200, 834, 112), (0, 30))
