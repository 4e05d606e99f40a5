"""Where things stand: lanes over time, and under them the period of every number of stages and the memory they take."""

from __future__ import annotations

from collections.abc import Iterator

from loom.draw import Box, Mark, Pen

from .model import STAGES

NAMES = {"ideal": "no waits", "compute": "compute", "pipe": "memory pipe"}
SHORT = {**NAMES, "pipe": "memory"}


class Stage:
    """The geometry. Time goes from left to right in all lanes, and the window [cycles] fills them."""

    def __init__(self, width: float, window: int) -> None:
        self.pen, self.window = Pen(width), window
        pen = self.pen
        self.names = pen.pick(SHORT, NAMES)
        self.margin = pen.room([*self.names.values(), "buffer 1"]) + 10  # for the names of the lanes
        tops, heights = pen.pick(((24, 41, 97), (10, 24, 9)), ((27, 50, 121), (14, 32, 13)))
        first, pitch, height = pen.pick((113, 19, 15), (144, 24, 19))
        lanes = [*zip(NAMES, tops, heights, strict=True)]
        lanes += [(f"buffer {number}", first + (number - 1) * pitch, height) for number in STAGES]
        self.rows = {lane: Box(self.margin, top, width - self.margin - 1, tall) for lane, top, tall in lanes}
        self.floor = self.rows[f"buffer {STAGES[-1]}"].bottom + 3
        self.chart = pen.pick(Box(0, 242, 328, 104), Box(0, 304, 424, 126))
        self.memory = pen.pick(Box(0, 368, 328, 88), Box(476, 304, 364, 126))

    def x(self, cycle: float) -> float:
        """Where a moment stands; what comes after the window stands at its end."""
        return self.margin + min(cycle, self.window) / self.window * (self.pen.width - self.margin - 1)

    def span(self, lane: str, start: float, end: float) -> Box:
        """The box of a stretch of time in a lane."""
        row, left, right = self.rows[lane], self.x(start), self.x(end)
        return Box(left + 0.5, row.y, max(right - left - 1, 0.5), row.height)

    def words(self, key: str, box: Box, *choices: str, role: str = "value") -> Iterator[Mark]:
        """The first of the choices that has room in the box, if any."""
        fitting = (words for words in choices if self.pen.room(words, strong="strong" in role) + 2 <= box.width)
        for words in [*fitting][:1]:
            middle = (box.x + box.width / 2, box.y + box.height / 2)
            yield self.pen.text(key, *middle, words, role, anchor="middle", middle=True)

    def waiting(self, key: str, box: Box, words: str) -> Iterator[Mark]:
        """A stretch of waiting: hatched, with its words in a gap of the hatching where they have room."""
        room, sides = self.pen.room(words) + 5, [box]
        fits = words and room + 5 <= box.width
        if fits:
            side = (box.width - room) / 2
            sides = [Box(box.x, box.y, side, box.height), Box(box.right - side, box.y, side, box.height)]
        yield self.pen.rect(key, box, "dropped outline", round=1)
        yield self.pen.hatches(f"{key}-hatch", sides, "dropped thin")
        if fits:
            yield from self.words(f"{key}-text", box, words, role="dropped")
