"""Where things stand: a lane for each device over one stretch of time, what it holds beside it, and their sum below."""

from __future__ import annotations

from loom.draw import Box, Pen

from .model import Pipeline


class Stage:
    """Time goes from left to right; `right` is the column of the answer, on a phone the rows above and below."""

    def __init__(self, width: float, case: Pipeline) -> None:
        self.pen, self.case = Pen(width), case
        pen = self.pen
        self.chart = pen.pick(Box(20, 76, 224, 112), Box(44, 38, 504, 208))
        self.pitch = min(self.chart.height / case.stages, pen.pick(40, 72))
        top = self.chart.y + (self.chart.height - self.pitch * case.stages) / 2
        self.lanes = Box(self.chart.x, top, self.chart.width, self.pitch * case.stages)
        self.holds = self.chart.right + pen.pick(12, 18)
        self.track = pen.pick(36, 62)  # units: how long the bar of a device is that holds the whole batch
        self.sum = pen.pick(Box(20, 212, 224, 11), Box(44, 280, 504, 20))
        self.every = -(-1.3 * pen.size // self.pitch)  # lanes from one that is named to the next

    @property
    def unit(self) -> float:
        """The width of one forward."""
        return self.chart.width / self.case.time

    def x(self, time: float) -> float:
        return self.chart.x + time * self.unit

    def row(self, device: int) -> Box:
        """The lane of a device."""
        gap = self.pitch % 3 or 3  # what is left can be shared by three kinds of work
        return Box(self.lanes.x, self.lanes.y + device * self.pitch, self.lanes.width, self.pitch - gap)

    def named(self, device: int) -> bool:
        """Whether there is room for words beside a lane."""
        last = self.case.stages - 1
        return device == last or (device % self.every == 0 and last - device >= self.every)
