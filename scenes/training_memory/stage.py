"""Where things stand: a wall of tiles for each stage of ZeRO, and the bytes on a GPU over the number of ranks."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache, cached_property
from math import ceil

from loom.draw import Axis, Box, Pen, Plot

from .model import CAPACITIES, STAGES, Training

RANKS = (1, *[2**power for power in range(3, 11)])  # one GPU, or nodes of eight
SIZE = CAPACITIES["H100"]  # [B]: a tile
LEAST = 1e9  # [B]: what the chart tells from less
GAP, LARGEST = 14.0, 100.0  # between walls, and a tile's side at most [units]
Point = tuple[float, float]


@dataclass(frozen=True)
class Wall:
    """A bar of square tiles, each an H100's bytes: it rises from its foot, and goes on in the next column."""

    x: float
    foot: float
    side: float
    rows: int

    def top(self, size: float) -> float:
        """The upper end of the first column; a tile is always there."""
        return self.foot - self.side * min(max(size / SIZE, 1), self.rows)

    def columns(self, size: float) -> int:
        """How many columns so many bytes take; one is always there."""
        return max(1, ceil(size / SIZE / self.rows))

    def part(self, start: float, end: float) -> list[Point]:
        """The outline of the bytes from one place of the wall to another, always of eight corners: so that it moves."""
        first = min(int(start / SIZE / self.rows), self.columns(end) - 1)
        last, side, rows = self.columns(end) - 1, self.side, self.rows
        low, high = (self.foot - side * (size / SIZE - rows * at) for size, at in ((start, first), (end, last)))
        top, foot = (high, low) if first == last else (self.foot - side * rows, self.foot)
        left, right = self.x + side * first, self.x + side * last
        return [(left, low), (left, top), (right, top), (right, high), (right + side, high), (right + side, foot),
                (left + side, foot), (left + side, low)]  # fmt: skip


@dataclass(frozen=True)
class Stage(Pen):
    """A pen that knows the places."""

    parts: tuple[Point, ...]  # where each part's name begins, by its baseline
    below: float  # how far below its name a part's size stands; 0 to let it follow the name
    bars: Box  # the room of all walls
    chart: Box

    @cache  # noqa: B019 - there are two stages
    def wall(self, zero: int, model: str, split: str) -> Wall:
        """A stage's wall, to one scale for all stages and ranks, by the most that the model can need."""
        slot = self.bars.columns(len(STAGES))[zero]
        one = Training(model, 0, 1, split)
        tiles, room = ceil((one.states + one.activations) / SIZE), slot.width - GAP
        fits = {rows: min(room / ceil(tiles / rows), self.bars.height / rows) for rows in range(1, tiles + 1)}
        rows = max(fits, key=fits.__getitem__)
        return Wall(slot.x, self.bars.bottom, float(min(int(fits[rows]), LARGEST)), rows)

    @cached_property
    def plot(self) -> Plot:
        return Plot(self, self.chart, Axis("ranks", span=(RANKS[0] / 2, RANKS[-1]), log=True),
                    Axis("on each GPU", "B", (LEAST, 1e13), log=True, clip=True), "fit")  # fmt: skip


WIDE = Stage(840, parts=tuple((x, 66.0) for x in (0.0, 146.0, 304.0, 458.0)), below=0,
             bars=Box(0, 118, 492, 200), chart=Box(576, 104, 190, 214))  # fmt: skip
NARROW = Stage(328, parts=tuple((x, 47.0) for x in (0.0, 78.0, 158.0, 240.0)), below=14,
               bars=Box(0, 100, 328, 84), chart=Box(82, 216, 212, 60))  # fmt: skip
