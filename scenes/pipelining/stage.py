"""Where things stand: lanes over time, and under them the period of every number of stages and the memory they take."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property

from loom.draw import Box, Mark, Pen

from .model import STAGES, Pipeline

NAMES = {"ideal": "no waits", "compute": "compute", "pipe": "memory pipe"}
SHORT = {**NAMES, "pipe": "memory"}


@dataclass(frozen=True)
class Stage:
    """The geometry. Time goes from left to right in all lanes, and the window fills them."""

    pen: Pen
    window: int  # cycles

    @property
    def names(self) -> dict[str, str]:
        return SHORT if self.pen.narrow else NAMES

    @cached_property
    def margin(self) -> float:
        """The width kept for the names of the lanes."""
        return self.pen.room([*self.names.values(), "buffer 1"]) + 10

    def x(self, cycle: float) -> float:
        """Where a moment stands; what comes after the window stands at its end."""
        return self.margin + min(cycle, self.window) / self.window * (self.pen.width - self.margin - 1)

    @cached_property
    def rows(self) -> dict[str, tuple[float, float]]:
        """The top and the height of each lane."""
        narrow = self.pen.narrow
        top = {"ideal": 24, "compute": 41, "pipe": 97} if narrow else {"ideal": 27, "compute": 50, "pipe": 121}
        tall = {"ideal": 10, "compute": 24, "pipe": 9} if narrow else {"ideal": 14, "compute": 32, "pipe": 13}
        first, pitch, height = (113, 19, 15) if narrow else (144, 24, 19)
        lanes = {f"buffer {number}": (float(first + (number - 1) * pitch), float(height)) for number in STAGES}
        return {lane: (float(top[lane]), float(tall[lane])) for lane in top} | lanes

    def span(self, lane: str, start: float, end: float) -> Box:
        """The box of a stretch of time in a lane."""
        top, height = self.rows[lane]
        left, right = self.x(start), self.x(end)
        return Box(left + 0.5, top, max(right - left - 1, 0.5), height)

    @property
    def floor(self) -> float:
        """The foot of the lowest lane."""
        top, height = self.rows[f"buffer {STAGES[-1]}"]
        return top + height + 3

    @property
    def chart(self) -> Box:
        return Box(0, 242, 328, 104) if self.pen.narrow else Box(0, 304, 424, 126)

    @property
    def memory(self) -> Box:
        return Box(0, 368, 328, 88) if self.pen.narrow else Box(476, 304, 364, 126)


def around(key: str, pen: Pen, box: Box, words: str) -> Iterable[Mark]:
    """A stretch of waiting: hatched, with its words in a gap of the hatching where they have room."""
    room = pen.room(words) + 5
    sides = [box]
    if words and room + 5 <= box.width:
        side = (box.width - room) / 2
        sides = [Box(box.x, box.y, side, box.height), Box(box.right - side, box.y, side, box.height)]
    yield pen.rect(key, box, "dropped outline", round=1)
    hatched = "".join(str(pen.hatch("", one).shape["d"]) for one in sides)
    yield Mark(f"{key}-hatch", "path", "dropped thin", {"d": hatched})
    if len(sides) == 2:
        middle = (box.x + box.width / 2, box.y + box.height / 2)
        yield pen.text(f"{key}-text", *middle, words, "dropped", anchor="middle", middle=True)


def steady_span(pipeline: Pipeline) -> tuple[int, int, int]:
    """One period of the steady state, in the middle of the window: tiles, from, to [cycles].

    The round trip of the first buffer where that is the bound, one tile's turn where arithmetic or memory is.
    """
    times = pipeline.shown
    if pipeline.bound == "round trip":
        return pipeline.stages, int(times.end[0]), int(times.end[pipeline.stages])
    tile = int((times.start < pipeline.trip).sum())
    start = int(times.start[tile])
    return 1, start, start + pipeline.floor
