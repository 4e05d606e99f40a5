"""Where things stand: the ring with an array for each GPU, and the time over what each GPU holds."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from loom.draw import Axis, Box, Pen, Plot

from .pace import CROWDED

SIZES = (*[digit * 10**power for power in range(3, 9) for digit in (1, 3)], 10**9)  # that each GPU may hold [B]


@dataclass(frozen=True)
class Table:
    """The arrays as rows, one under the other, so that columns are what is added up."""

    box: Box
    gpus: int
    most: tuple[float, float]  # the largest cell
    gap: float  # between rows
    apart: float = 0.0  # room between the arrays and the row of their sums; 0 without that row

    @property
    def cell(self) -> tuple[float, float]:
        """Width and height of a chunk."""
        wide, tall = self.box.width / self.gpus, (self.box.height - self.apart) / (self.gpus + bool(self.apart))
        return min(wide, self.most[0]), min(tall, self.most[1] + self.gap) - self.gap

    @property
    def rows(self) -> list[Box]:
        wide, tall = self.cell
        return Box(self.box.x, self.box.y, wide * self.gpus, tall).vstack(*[tall] * self.gpus, gap=self.gap)

    @property
    def sums(self) -> list[Box]:
        """Under each column, a place for what all need to have."""
        last = self.rows[-1]
        return Box(last.x, last.bottom + self.gap + self.apart, last.width, last.height).columns(self.gpus)

    def place(self, gpu: int, chunk: int) -> Box:
        return self.rows[gpu].columns(self.gpus)[chunk]

    def fill(self, gpu: int, chunk: int, summands: int) -> Box:
        """What fills a chunk. Where no number stands in it, it is as high as there are summands."""
        side = 1.5 if self.gpus < CROWDED else 0.5
        inner = self.place(gpu, chunk).inset(side, 1, side, 1)
        tall = inner.height * summands / self.gpus if self.gpus >= CROWDED else inner.height
        return Box(inner.x, inner.bottom - tall, inner.width, tall)


@dataclass(frozen=True)
class Stage(Pen):
    """A pen that knows the places. On a phone the arrays step aside in the last chapter, where the time is shown."""

    arrays: Box
    aside: Box  # the arrays in the last chapter
    most: tuple[float, float]
    sent: Box  # the room for what is sent, as lengths
    plot_box: Box
    bars: Box

    def table(self, gpus: int, aside: bool = False) -> Table:
        if aside:
            return Table(self.aside, gpus, (34, 28), 1.5)
        gap, apart = {2: (12, 10), 4: (7, 8), 8: (4, 6), CROWDED: (3, 0)}[gpus]
        return Table(self.arrays, gpus, self.most, gap, apart)

    @cached_property
    def plot(self) -> Plot:
        return Plot(self, self.plot_box, Axis("each GPU holds", "B", (SIZES[0] / 2, SIZES[-1]), log=True),
                    Axis("time", "s", (5e-6, 6e-2), log=True), "time")  # fmt: skip


WIDE = Stage(840, arrays=Box(84, 76, 372, 240), aside=Box(0, 0, 0, 0), most=(140, 70),
             sent=Box(512, 76, 324, 240), plot_box=Box(546, 52, 276, 148), bars=Box(500, 256, 322, 78))  # fmt: skip
NARROW = Stage(328, arrays=Box(40, 68, 286, 211), aside=Box(206, 4, 120, 82), most=(100, 64),
               sent=Box(40, 38, 262, 6), plot_box=Box(46, 114, 272, 80), bars=Box(0, 232, 328, 47))  # fmt: skip
