"""The picture: the product of the two tokens, dials from fast to slow, and the product at all distances."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache

import numpy as np

from loom.draw import Axis, Box, Mark, Pen, Plot, fixed, headline, memoized
from loom.scene import Moment

from .._rope.rotation import PAIRS, score_curve
from .cosines import draw_cosines, draw_frame
from .dials import FEW, SHOWN, draw_dials
from .model import CURVE, DISTANCES, THETA, Pose
from .story import standing, turning

FINE = np.unique([*DISTANCES, *np.geomspace(1, DISTANCES[-1], 240).round()])  # the curve's


def draw(moment: Moment, width: float) -> Iterator[Mark]:
    pen, here = Pen(width), standing(moment)
    still = moment.progress == 1  # while something plays, the handle is a plain dot
    answer, bars, dials, plot = pen.pick(
        (Box(0, 0, 328, 60), Box(0, 58, 328, 38), Box(0, 108, 328, 160), Box(30, 300, 280, 34)),
        (Box(634, 0, 206, 116), Box(634, 134, 206, 76), Box(0, 0, 628, 216), Box(36, 245, 784, 50)),
    )
    yield from draw_answer(pen, answer, here)
    yield from draw_frame(pen, bars)
    yield from draw_cosines(pen, bars, here.distance)
    turns = {pair: turning(moment, pair) for pair in pen.pick(FEW, SHOWN)}
    yield from draw_dials(pen, dials, here, turns, still)
    yield from draw_curve(pen, plot, here, still)


@memoized
def draw_answer(pen: Pen, box: Box, here: Pose) -> Iterator[Mark]:
    """The product, and where the tokens stand."""
    lines = ("product of query and key,", f"the mean of {PAIRS} cosines")
    yield from headline(
        pen, box.x, box.y + pen.huge, fixed(here.score, 3), lines, widest=[fixed(-0.888, 3)], under=not pen.narrow
    )
    x, y = box.x, box.y + pen.pick(50, 121)
    yield pen.text("at-key", x, y, f"key at {here.key:,}", "label")
    yield pen.text("at-query", x + pen.pick(118, 104), y, f"query at {here.query:,}", "hot strong")
    x, y = pen.pick((box.right, y), (x, y - 23))
    yield pen.text("distance", x, y, f"distance {here.distance:,}", "value strong", anchor=pen.pick("end", "start"),
                   size=pen.pick(pen.size, pen.large))  # fmt: skip


@cache
def plot_of(pen: Pen, box: Box) -> Plot:
    across = Axis("distance", "tokens", (0.7, DISTANCES[-1]), log=True, ticks=(1, 10, 100, 1000, 4096))
    return Plot(pen, box, across, Axis("product", span=(-0.1, 1), ticks=(0, 0.5, 1)))


@cache
def curve(plot: Plot) -> Mark:
    """The product at every distance that can be chosen: the same in every picture."""
    return plot.curve("curve", FINE, score_curve(FINE, THETA).tolist())


def draw_curve(pen: Pen, box: Box, here: Pose, handle: bool) -> Iterator[Mark]:
    plot = plot_of(pen, box)
    place = plot.at(here.distance, here.score)
    yield from plot.axes(y_ticks=3, knob=place if handle else None)
    yield curve(plot)
    yield pen.line("drop", place[0], place[1], place[0], box.bottom, "hot thin dashed")
    if handle:
        rail = [plot.at(*point) for point in zip(DISTANCES, CURVE, strict=True)]
        yield pen.knob("here", *place, "distance", rail)
    else:
        yield pen.circle("there", *place, 5, "hot")
