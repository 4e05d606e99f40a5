"""The picture of two sources: a square full of waves, and what a screen at its right side sees."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from loom.draw import Axis, Box, Mark, Pen, Plot, colorbar, field, memoized
from loom.scene import Moment

from .model import DISTANCES, SIDE, Pair, strength

X = Axis("x", "wavelengths", (0, SIDE))
Y = Axis("y", "wavelengths", (-SIDE / 2, SIDE / 2), ticks=(-SIDE / 2, SIDE / 2))  # none where a source may be
SHOWN = {
    "one": Axis("swing of one", span=(-1, 1)),
    "both": Axis("swing of both", span=(-2, 2)),
    "mean": Axis("strength", "%", (0, 100)),
}
LEVELS = 8


def draw(moment: Moment, width: float) -> Iterator[Mark]:
    pen, pair = Pen(width), moment.result
    side = pen.pick(196, 262)
    square = Plot(pen, Box(pen.pick(26, 40), 26, side, side), X, Y)
    yield from square.axes()
    yield from shown(square, pair, moment.phase)
    if moment.phase == "mean":
        yield from directions(square, pair)
    yield from sources(square, pair, moment.phase)
    yield from screen(pen, Box(square.box.right + pen.pick(14, 24), 26, pen.pick(66, 120), side), pair)
    yield from facts(pen, square.box, pair, moment.phase)


@memoized
def shown(square: Plot, pair: Pair, what: str) -> Iterator[Mark]:
    """What the step is about, as shades."""
    scale = 100 if what == "mean" else 1
    yield from field(square, "field", scale * pair.picture(what), SHOWN[what], levels=LEVELS)


def directions(square: Plot, pair: Pair) -> Iterator[Mark]:
    """Lines from the middle in the directions in which nothing arrives far away."""
    plot = replace(square, x=replace(X, clip=True), y=replace(Y, clip=True))
    for at, angle in enumerate(pair.angles):
        for side, sign in (("up", 1), ("down", -1)):
            end = 2 * SIDE * math.cos(math.radians(angle)), sign * 2 * SIDE * math.sin(math.radians(angle))
            yield plot.curve(f"still-{at}-{side}", [0, end[0]], [0, end[1]], "hot dashed")


def sources(square: Plot, pair: Pair, what: str) -> Iterator[Mark]:
    """The upper source can be taken hold of; the lower one goes the other way."""
    x, y = square.at(0, -pair.distance / 2)
    yield square.pen.circle("lower", x, y, 5, "ghost outline" if what == "one" else "hot")
    rail = [square.at(0, distance / 2) for distance in DISTANCES]
    yield square.pen.knob("upper", *square.at(0, pair.distance / 2), "distance", rail)


@memoized
def screen(pen: Pen, box: Box, pair: Pair) -> Iterator[Mark]:
    """How strong the waves are at the right side of the square is, with the height as in the square."""
    plot = Plot(pen, box, Axis("strong", "%", (0, 100)), Y, "screen")
    ys = np.linspace(-SIDE / 2, SIDE / 2, 161)
    strong = 100 * strength(pair.distance, np.full_like(ys, SIDE), ys)
    left, bottom = [0.0] * len(ys), box.bottom
    yield pen.line("screen-edge", box.x, box.y, box.x, bottom)
    ring = [*plot.places(strong, ys), *reversed(plot.places(left, ys))]
    yield pen.outline("screen-area", [ring], "data soft solid")
    yield plot.curve("screen-curve", strong, ys, "data")
    title = pen.pick("", "strength ") + f"at x = {SIDE:g}"
    yield pen.text("screen-title", box.x, box.y - 0.75 * pen.size, title, "note")
    for tick in (0, 100):
        x, _ = plot.at(tick, -SIDE / 2)
        yield pen.line(f"screen-tick-{tick}", x, bottom, x, bottom + 4)
        yield pen.text(f"screen-number-{tick}", x, bottom + 5 + pen.size, f"{tick}", "note", anchor="middle")
    yield pen.text("screen-unit", box.right, bottom + 9 + 2 * pen.size, "%", "note", anchor="middle")


def facts(pen: Pen, square: Box, pair: Pair, what: str) -> Iterator[Mark]:
    """The number that answers the question, and what the shades mean."""
    x, y = (square.x, square.bottom + 72) if pen.narrow else (500, 60)
    yield pen.text("angle", x, y, f"{pair.angles[0]:.1f}°", "hot strong answer", size=pen.huge)
    lines = ("off straight ahead: the first", "direction in which nothing arrives")
    for at, words in enumerate(lines):
        left, down = (x + 96, y - 14 + 15 * at) if pen.narrow else (x, y + 24 + 19 * at)
        yield pen.text(f"angle-{at}", left, down, words, "note")
    count = f"still directions: {2 * len(pair.angles)}"
    yield pen.text("count", x + pen.pick(96, 0), y + pen.pick(18, 70), count, "label")
    strip = Box(x, y + pen.pick(46, 140), pen.pick(200, 240), 10)
    yield from colorbar(pen, f"scale-{what}", strip, SHOWN[what], levels=LEVELS)
