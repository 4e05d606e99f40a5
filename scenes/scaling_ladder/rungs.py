"""The ladder: decibels over bits for every element format and every size of group."""

from __future__ import annotations

from collections.abc import Iterator

from loom.draw import Axis, Box, Mark, Pen, Plot, spread

from .labels import Room
from .model import ELEMENTS
from .narration import fixed
from .states import Rung, State

SIDES = (("INT8", "E4M3"), ("INT4", "E2M1"))  # formats of one width, whose lines end above each other
ENOUGH = 1.0  # [dB] by which outliers must move a line before it is drawn without them, too


def draw_ladder(pen: Pen, state: State) -> Iterator[Mark]:
    box = Box(30, 44, 290, 320) if pen.narrow else Box(46, 44, 780, 330)
    level = "signal to noise" if state.data == "bell" or pen.narrow else "signal to noise outside the outlier channels"
    plot = Plot(pen, box, Axis("bits per number", span=(3, 10.8), ticks=(4, 5, 6, 7, 8, 9, 10)),
                Axis(level, "dB", (0, 48), ticks=(0, 12, 24, 36, 48)), "l")  # fmt: skip
    yield from plot.axes(x_ticks=7)
    room = Room(pen, box)
    if state.data == "outlier":
        yield from _without(plot, state, room)
    for element in ELEMENTS:
        line = [rung for rung in state.rungs(element) if rung.scheme.scale != "channel"]
        room.keep_line([plot.at(rung.bits, rung.level) for rung in line])
        role = "data" if element == state.scheme.element else "axis"
        yield plot.curve(f"c-{element}", [r.bits for r in line], [r.level for r in line], role)
    for element in ELEMENTS:
        for rung in state.rungs(element):
            room.keep(*plot.at(rung.bits, rung.level), 13, 11)
            yield _dot(plot, state, rung)
    yield from _names(plot, state, room)
    yield from _labels(plot, state, room)


def _without(plot: Plot, state: State, room: Room) -> Iterator[Mark]:
    """The chosen format's line where there are no outliers."""
    here = [rung for rung in state.rungs(state.scheme.element) if rung.scheme.scale != "channel"]
    there = [rung for rung in state.rungs(state.scheme.element, "bell") if rung.scheme.scale != "channel"]
    if max(b.level - a.level for a, b in zip(here, there, strict=True)) < ENOUGH:
        return
    yield plot.curve("ghost", [r.bits for r in there], [r.level for r in there], "ghost")
    places = [plot.at(rung.bits, rung.level) for rung in there]
    room.keep_line(places)
    words = "without outliers"
    x, y = max(places[-1][0], plot.box.x + plot.pen.room(words) + 4), places[-1][1]
    yield plot.pen.text("ghost-name", x, y - 8, words, "note", anchor="end")
    room.keep(x - plot.pen.room(words) / 2, y - 12, plot.pen.room(words), plot.pen.size)


def _dot(plot: Plot, state: State, rung: Rung) -> Mark:
    """One rung, which is a button. Scales for channels stand off the lines, as rings."""
    scheme = rung.scheme
    mine, now = scheme.element == state.scheme.element, scheme == state.scheme
    role = "hot" if now else "data" if mine else "quiet"
    if scheme.scale == "channel" and not now:
        role = "data outline" if mine else "axis outline"
    words = f"{scheme.element}, a scale for each {scheme.scale}: {fixed(rung.level)} dB"
    key, place, radius = f"d-{scheme.element}-{scheme.scale}", plot.at(rung.bits, rung.level), 7 if now else 4.5
    press = {"element": scheme.element, "scale": scheme.scale}
    return plot.pen.circle(key, *place, radius, role, set=press, label=words)


def _names(plot: Plot, state: State, room: Room) -> Iterator[Mark]:
    """The element formats, at the right ends of their lines."""
    pen = plot.pen
    for pair in SIDES:
        ends = [plot.at(rung.bits, rung.level) for rung in (state.rungs(element)[-2] for element in pair)]
        places = spread([y for _, y in ends], 1.2 * pen.size, 0, plot.box.bottom - pen.size / 2)
        for element, (x, _), y in zip(pair, ends, places, strict=True):
            mine = element == state.scheme.element
            wide = pen.room(element, strong=mine)
            yield pen.text(f"n-{element}", x + 11, y, element, "label strong" if mine else "note", middle=True)
            room.keep(x + 11 + wide / 2, y, wide, pen.size)


def _labels(plot: Plot, state: State, room: Room) -> Iterator[Mark]:
    """Which rung is which, on the line of the chosen format: the chosen one first, then where there is room."""
    wanted = sorted(state.rungs(state.scheme.element), key=lambda rung: rung.scheme != state.scheme)
    for rung in wanted:
        now = rung.scheme == state.scheme
        words = f"{rung.scheme.scale}, {fixed(rung.level)} dB" if now else rung.scheme.scale
        place = room.find(*plot.at(rung.bits, rung.level), words, strong=now)
        if place:
            role = "hot strong" if now else "label"
            yield plot.pen.text(f"r-{rung.scheme.scale}", *place, words, role, middle=True)
