"""The ladder: decibels over bits for every element format and every size of group."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise

from loom.draw import Axis, Box, Mark, Pen, Plot, fixed, spread

from .model import ELEMENTS, Scheme
from .stored import Rung, Stored

SIDES = (("INT8", "E4M3"), ("INT4", "E2M1"))  # formats of one width, whose lines end above each other
ENOUGH = 1.0  # [dB] by which outliers must move a line before it is drawn without them, too
PARTS = 24  # places along a stretch of line that no label may cover
GAP = 5  # between two labels


Edges = tuple[float, float, float, float]  # left, top, right, bottom


class Room:
    """Where a label beside a dot finds room in a plot's box, by what is taken of it."""

    def __init__(self, pen: Pen, box: Box) -> None:
        self.pen, self.box = pen, box
        self.taken: list[Edges] = []

    def keep(self, x: float, y: float, width: float, height: float) -> None:
        """Take the place around a point."""
        self.taken.append((x - width / 2, y - height / 2, x + width / 2, y + height / 2))

    def keep_line(self, points: Sequence[tuple[float, float]]) -> None:
        """Take the places along a line."""
        for (x1, y1), (x2, y2) in pairwise(points):
            for part in range(PARTS + 1):
                self.keep(x1 + (x2 - x1) * part / PARTS, y1 + (y2 - y1) * part / PARTS, 2, 2)

    def find(self, x: float, y: float, words: str, strong: bool = False) -> tuple[float, float] | None:
        """Take a place beside a dot for a label: its left end, and the middle of its height. None without room."""
        wide, high = self.pen.room(words, strong=strong), self.pen.size
        beside, over = 11.0, high + 2
        sides = [(beside, 0.0), (-beside - wide, 0.0), (-wide / 2, -over), (-wide / 2, over)]
        if strong:
            sides += [(beside, over), (-beside - wide, -over), (beside, -over), (-beside - wide, over)]
        width, height = 2 * (beside + wide), 2 * over + high  # of all that the sides reach
        near = self.touching(Box(x - width / 2, y - height / 2, width, height), self.taken)
        for right, down in sides:
            spot = Box(x + right, y + down - high / 2, wide, high)
            inside = self.box.x < spot.x and spot.right <= self.box.right and spot.bottom <= self.box.bottom
            if inside and not self.touching(spot, near):
                self.keep(spot.x + wide / 2, y + down, wide + 2 * GAP, high)
                return spot.x, y + down
        return None

    def touching(self, spot: Box, taken: Sequence[Edges]) -> list[Edges]:
        """The taken places that a place would touch."""
        x, y, far, foot = spot.x, spot.y, spot.right, spot.bottom
        return [edges for edges in taken if edges[0] < far and edges[2] > x and edges[1] < foot and edges[3] > y]


def draw_ladder(pen: Pen, stored: Stored) -> Iterator[Mark]:
    box = pen.pick(Box(30, 44, 290, 320), Box(46, 44, 780, 330))
    whole = stored.data == "bell" or pen.narrow
    level = "signal to noise" if whole else "signal to noise outside the outlier channels"
    plot = Plot(pen, box, Axis("bits per number", span=(3, 10.8), ticks=(4, 5, 6, 7, 8, 9, 10)),
                Axis(level, "dB", (0, 48), ticks=(0, 12, 24, 36, 48)), "l")  # fmt: skip
    yield from plot.axes(x_ticks=7)
    room, mine = Room(pen, box), stored.scheme.element
    if stored.data == "outlier":
        yield from _without(plot, stored, room)
    for element in ELEMENTS:
        yield _line(plot, room, f"c-{element}", stored.line(element), "data" if element == mine else "axis")
    for element in ELEMENTS:
        for rung in stored.rungs(element):
            room.keep(*plot.at(rung.bits, rung.level), 13, 11)
            yield _dot(plot, stored.scheme, rung)
    yield from _names(plot, stored, room)
    # Which rung is which, on the line of the chosen format: the chosen one first, then where there is room.
    for rung in sorted(stored.rungs(mine), key=lambda rung: rung.scheme != stored.scheme):
        now = rung.scheme == stored.scheme
        words = f"{rung.scheme.scale}, {fixed(rung.level, 1)} dB" if now else rung.scheme.scale
        place = room.find(*plot.at(rung.bits, rung.level), words, strong=now)
        if place:
            yield pen.text(f"r-{rung.scheme.scale}", *place, words, "hot strong" if now else "label", middle=True)


def _line(plot: Plot, room: Room, key: str, rungs: Sequence[Rung], role: str) -> Mark:
    room.keep_line([plot.at(rung.bits, rung.level) for rung in rungs])
    return plot.curve(key, [rung.bits for rung in rungs], [rung.level for rung in rungs], role)


def _without(plot: Plot, stored: Stored, room: Room) -> Iterator[Mark]:
    """The chosen format's line where there are no outliers."""
    pen, words = plot.pen, "without outliers"
    here, there = (stored.line(stored.scheme.element, data) for data in ("outlier", "bell"))
    if max(b.level - a.level for a, b in zip(here, there, strict=True)) < ENOUGH:
        return
    yield _line(plot, room, "ghost", there, "ghost")
    x, y = plot.at(there[-1].bits, there[-1].level)
    wide = pen.room(words)
    x = max(x, plot.box.x + wide + 4)
    yield pen.text("ghost-name", x, y - 8, words, "note", anchor="end")
    room.keep(x - wide / 2, y - 12, wide, pen.size)


def _dot(plot: Plot, chosen: Scheme, rung: Rung) -> Mark:
    """One rung, which is a button. Scales for channels stand off the lines, as rings."""
    scheme = rung.scheme
    mine, now = scheme.element == chosen.element, scheme == chosen
    role = "hot" if now else "data" if mine else "quiet"
    if scheme.scale == "channel" and not now:
        role = "data outline" if mine else "axis outline"
    words = f"{scheme.element}, a scale for each {scheme.scale}: {fixed(rung.level, 1)} dB"
    press = {"element": scheme.element, "scale": scheme.scale}
    return plot.pen.circle(f"d-{scheme.element}-{scheme.scale}", *plot.at(rung.bits, rung.level), 7 if now else 4.5,
                           role, set=press, label=words)  # fmt: skip


def _names(plot: Plot, stored: Stored, room: Room) -> Iterator[Mark]:
    """The element formats, at the right ends of their lines."""
    pen = plot.pen
    for pair in SIDES:
        rungs = [stored.rung("block 16", element) for element in pair]
        ends = [plot.at(rung.bits, rung.level) for rung in rungs]
        places = spread([y for _, y in ends], 1.2 * pen.size, 0, plot.box.bottom - pen.size / 2)
        for element, (x, _), y in zip(pair, ends, places, strict=True):
            mine = element == stored.scheme.element
            wide = pen.room(element, strong=mine)
            yield pen.text(f"n-{element}", x + 11, y, element, "label strong" if mine else "note", middle=True)
            room.keep(x + 11 + wide / 2, y, wide, pen.size)
