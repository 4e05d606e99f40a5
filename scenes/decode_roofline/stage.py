"""Where things stand: the time of a step over the users, under it users and tokens as a map, and sums beside them."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from loom.draw import Axis, Box, Pen, Plot

from .model import BATCHES, CONTEXTS

TOKENS = (
    256,
    CONTEXTS[-1],
)  # in a conversation; the shortest can't be chosen, but where arithmetic leads is told there
TIMES = (5e-4, 20.0)  # [s]: the same for all choices, so that places can be compared
USERS = Axis("users", span=(BATCHES[0], BATCHES[-1]), log=True, clip=True)
Point = tuple[float, float]


@dataclass(frozen=True)
class Stage(Pen):
    """A pen that knows the places. Chart and map share their users."""

    chart_box: Box
    map_box: Box
    bars: Box
    facts: Point  # the baseline of the first line
    aside: float  # from the edge of chart and map to the names beside them: a knob has room there

    @property
    def scale(self) -> float:
        """Where the names of a scale end: before a knob at its foot."""
        return self.map_box.x - self.aside + 2

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


WIDE = Stage(840, chart_box=Box(72, 26, 378, 124), map_box=Box(72, 182, 378, 122), bars=Box(580, 116, 260, 0),
             facts=(580, 262), aside=20)  # fmt: skip
NARROW = Stage(328, chart_box=Box(56, 126, 190, 70), map_box=Box(56, 222, 190, 64), bars=Box(0, 52, 328, 0),
               facts=(0, 0), aside=16)  # fmt: skip
