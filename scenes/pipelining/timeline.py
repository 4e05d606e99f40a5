"""Where things stand: a lane for the arithmetic and one for each buffer, over one stretch of time."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache

from loom.draw import Box, Mark, Pen
from loom.scene import Moment

from .machine import SWEEPS
from .model import STAGES, UNIT, WINDOW


class Stage:
    """Time goes from left to right in all lanes; `now` [cycles] is as far as it has come."""

    def __init__(self, width: float, now: int) -> None:
        self.pen, self.now = Pen(width), now
        pen = self.pen
        self.margin, right = pen.pick(66, 104), pen.pick(8, 186)
        top, tall, gap = pen.pick((64, 34, 10), (36, 46, 14))
        self.pitch, height = pen.pick((25, 21), (36, 30))
        lanes = [("compute", top, tall)]
        lanes += [(f"buffer {number}", top + tall + gap + (number - 1) * self.pitch, height) for number in STAGES]
        self.rows = {lane: Box(self.margin, y, width - self.margin - right, high) for lane, y, high in lanes}
        self.floor = self.rows[f"buffer {STAGES[-1]}"].bottom + 4
        self.score = width - right + 26  # where the numbers beside the lanes begin

    def x(self, cycle: float) -> float:
        """Where a moment stands."""
        return self.margin + float(cycle) / WINDOW * self.rows["compute"].width

    def span(self, lane: str, start: float, end: float) -> Box:
        """The box of a stretch of time in a lane."""
        row, left, right = self.rows[lane], self.x(start), self.x(end)
        return Box(left + 0.5, row.y, right - left - 1, row.height)

    def words(self, key: str, box: Box, *choices: str, role: str = "value") -> Iterator[Mark]:
        """The first of the choices that has room in the box, if any."""
        fitting = (words for words in choices if self.pen.text_width(words, strong="strong" in role) + 4 <= box.width)
        for words in [*fitting][:1]:
            middle = (box.x + box.width / 2, box.y + box.height / 2)
            yield self.pen.text(key, *middle, words, role, anchor="middle", middle=True)


@cache  # one object for each time: what is drawn with it is memoized
def stage_at(width: float, now: int) -> Stage:
    return Stage(width, now)


def now(moment: Moment) -> int:
    """The time that is shown [cycles]; in the last chapter, what lies behind the playhead when it sets out."""
    if moment.phase == "machine" and moment.progress < 1:
        return WINDOW * max(moment.beat - 1, 0) // SWEEPS
    if moment.phase == "fill":
        return UNIT * (moment.beat + 1)
    return int(moment.result.latency + UNIT * (moment.beat + 1)) if moment.phase == "run" else WINDOW
