"""Where things stand: two steps as bars, and under them a chart over the users and a map of users and tokens."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from loom.draw import Axis, Box, Pen, Plot

from .model import BATCHES, CONTEXTS

TOKENS = (
    256,
    CONTEXTS[-1],
)  # in a conversation; the shortest can't be chosen, but where arithmetic leads is told there
TIMES = (3e-4, 20.0)  # [s]: the same for all choices, so that places can be compared
USERS = Axis("users", span=(BATCHES[0], BATCHES[-1]), log=True, clip=True)
Point = tuple[float, float]


@dataclass(frozen=True)
class Stage(Pen):
    """A pen that knows the places. Where there is room for one, the map takes the place of the chart."""

    chart_box: Box
    map_box: Box
    bars: Box  # as long as the longest step with one more user; its height is that of one bar
    pitch: float  # from one bar to the next
    told: float  # where the words of a bar begin beside it, or end above it
    facts: float  # their baseline
    aside: float  # from the edge of chart and map to the names beside them: a knob has room there

    def scale(self, box: Box) -> float:
        """Where the names of a scale end: before a knob at its foot."""
        return box.x - self.aside + 2

    @property
    def title(self) -> float:
        """The baseline of the words over chart and map: a knob has room under them."""
        return self.chart_box.y - 20

    @cached_property
    def chart(self) -> Plot:
        return Plot(self, self.chart_box, USERS, Axis("time of a step", "s", TIMES, log=True, clip=True), "chart")

    @cached_property
    def map(self) -> Plot:
        return Plot(self, self.map_box, USERS, Axis("tokens", span=TOKENS, log=True, clip=True), "map")

    @cached_property
    def rail(self) -> tuple[Point, ...]:
        """The places of all contexts for the first number of users, and so on."""
        return tuple(self.map.at(batch, context) for batch in BATCHES for context in CONTEXTS)


WIDE = Stage(840, chart_box=Box(72, 172, 290, 140), map_box=Box(520, 172, 210, 140), bars=Box(94, 54, 492, 22),
             pitch=30, told=596, facts=13, aside=20)  # fmt: skip
NARROW = Stage(328, chart_box=Box(56, 146, 186, 106), map_box=Box(56, 146, 186, 106), bars=Box(0, 54, 328, 10),
               pitch=30, told=328, facts=0, aside=16)  # fmt: skip
