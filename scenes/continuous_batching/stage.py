"""Where things stand: the queue over the slots, time to the right; beside them, or below, each request or the curve."""

from __future__ import annotations

from dataclasses import dataclass

from loom.draw import Axis, Box, Pen, Plot

from .model import EIGHT, SLOTS, SPAN

STEPS = 13  # of the eight requests' time line, whatever the policy
QUEUED = 24  # waiting requests at the top of the queue's room
MOST = 400.0  # steps: the top of the curve
LOAD = Axis("load", "%", (0.0, 125.0), ticks=(0, 100))
WAIT = Axis("wait", "steps", (0.0, MOST), ticks=(0, 200, 400), clip=True)
LONGEST = 12  # steps: of all latencies of the eight requests


@dataclass(frozen=True)
class Stage(Pen):
    """A pen that knows the places."""

    queue: Box
    slots: Box
    each: Box  # a bar for each of the eight requests
    plot_box: Box
    answer: tuple[float, float]
    outlook: float  # the line that says what becomes of a stream, while the eight requests are looked at

    def x(self, time: float, whole: float) -> float:
        """The place of a time on a line of `whole` steps."""
        return self.slots.x + self.slots.width * min(time / whole, 1)

    def slot(self, slot: int) -> Box:
        return self.slots.rows(SLOTS, self.pick(2, 4))[slot]

    def place(self, place: int) -> Box:
        """A row of the queue of the eight: each of them that comes while all slots are held has its own."""
        return self.queue.rows(SLOTS, 2)[place]

    def row(self, request: int) -> Box:
        """The bar's row of one of the eight."""
        return self.each.rows(len(EIGHT), self.pick(3, 5))[request]

    def span(self, box: Box, start: float, end: float, whole: float, gap: float = 1) -> Box:
        """A stretch of time on a row."""
        left = round(self.x(start, whole))
        return Box(left, box.y, max(round(self.x(end, whole)) - gap - left, 0.5), box.height)

    @property
    def plot(self) -> Plot:
        return Plot(self, self.plot_box, LOAD, WAIT, "curve")

    @property
    def seen(self) -> int:
        """Steps of the stream that lie within one unit and a half."""
        return round(1.5 * SPAN / self.slots.width)


WIDE = Stage(840, queue=Box(4, 34, 500, 74), slots=Box(4, 142, 500, 148), each=Box(580, 112, 210, 178),
             plot_box=Box(590, 156, 238, 132), answer=(560, 34), outlook=330)  # fmt: skip
NARROW = Stage(328, queue=Box(2, 60, 324, 50), slots=Box(2, 130, 324, 70), each=Box(18, 222, 264, 82),
               plot_box=Box(38, 240, 282, 48), answer=(0, 26), outlook=336)  # fmt: skip
