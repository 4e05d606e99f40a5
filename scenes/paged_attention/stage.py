"""Where things stand: rows of slots, a line for each request, and two bars that share the scale of the memory."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache

from loom.draw import Box, Mark, Pen

from .model import NAMES, SLOTS

COLUMNS = 32
ROWS = SLOTS // COLUMNS
HATCH = 6  # units from line to line
COLOURS = dict(zip(NAMES, (6, 2, 3, 4, 5, 1), strict=True))  # grey is for A, which is gone when the memory fills up


class Stage:
    """The geometry: on a phone all in one column; where there is room, the requests stand beside the memory."""

    def __init__(self, width: float) -> None:
        self.pen = pen = Pen(width)
        self.answer = pen.pick((0.0, pen.huge - 2), (556.0, pen.huge))
        self.memory = pen.pick(Box(0, 38, 328, 8 * 16 - 3), Box(34, 26, 480, 8 * 25 - 5))
        self.row_gap = pen.pick(3, 5)
        self.rows = self.memory.rows(ROWS, self.row_gap)
        self.unit = self.memory.width / COLUMNS
        self.requests = pen.pick(Box(0, 169, 328, 6 * 14.5), Box(556, 78, 284, 6 * 24))
        self.bars = pen.pick(Box(0, 282, 328, 54), Box(136, 238, 552, 88))  # of both memories, without their words

    def run(self, first: int, end: int) -> Box:
        """The box of neighbouring slots of one row."""
        row = self.rows[first // COLUMNS]
        return Box(row.x + first % COLUMNS * self.unit, row.y, (end - first) * self.unit, row.height)

    def centred(self, key: str, box: Box, words: str, role: str) -> Mark:
        """Words in the middle of a box."""
        return self.pen.text(key, box.x + box.width / 2, box.y + box.height / 2, words, role, anchor="middle",
                             middle=True)  # fmt: skip

    def at_end(self, key: str, x: float, box: Box, words: str, role: str = "note") -> Mark:
        """Words that end at `x`, halfway down a box."""
        return self.pen.text(key, x, box.y + box.height / 2, words, role, anchor="end", middle=True)


@cache
def stage_of(width: float) -> Stage:
    return Stage(width)


def runs(slots: Iterable[int], every: int = COLUMNS) -> list[tuple[int, int]]:
    """Neighbouring slots joined, first and end of each; cut at each multiple of `every`."""
    found: list[tuple[int, int]] = []
    for slot in slots:
        if found and found[-1][1] == slot and slot % every:
            found[-1] = (found[-1][0], slot + 1)
        else:
            found.append((slot, slot + 1))
    return found


def series(name: str) -> str:
    """The colour of a request."""
    return f"series-{COLOURS[name]}"
