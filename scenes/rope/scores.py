"""The score of two tokens against their distance, with a dot where they stand."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache, lru_cache

import numpy as np

from loom.draw import Axis, Box, Mark, Pen, Plot, fixed, side_labels

from .model import PAIRS, TRAINED, Array, frequencies, score_curve
from .story import MOMENTS, Rotary, State

LONGEST = 32 * TRAINED  # the largest target
SPAN = (1.0, 2e8)  # tokens; the longest wavelength of all bases and factors is 1.6e8
TICKS = (1.0, 100.0, 1e4, 1e6, 1e8)
STYLES = {"interpolation": "series-1 thin", "ntk-aware": "series-2 thin dashed", "yarn": "series-3 thin"}
SHORT = {"none": "no change", "interpolation": "interpolation", "ntk-aware": "NTK-aware", "yarn": "YaRN"}


def tokens_axis(pen: Pen, title: str) -> Axis:
    """Tokens on a log scale: distances and wavelengths share it."""
    return Axis(title, "tokens", SPAN, log=True, ticks=pen.pick(TICKS[:4], TICKS))


@cache
def samples(count: int) -> Array:
    """Whole distances, evenly spread on a log scale, with those of the story among them."""
    spread = np.geomspace(1, LONGEST, count).astype(int)
    return np.unique([*spread, TRAINED, *(distance for _, _, distance in MOMENTS)]).astype(float)


def draw_scores(pen: Pen, box: Box, state: State) -> Iterator[Mark]:
    """The curve as trained, that of the method beside it, the dot, and its score in large."""
    wide = tokens_axis(pen, "distance")
    # As much of the axis as scores need, on the same scale as the wavelengths that follow.
    part = Axis("distance", "tokens", (1.0, LONGEST), log=True, ticks=wide.ticks[:3])
    box = Box(box.x, box.y, box.width * wide.share(LONGEST), box.height)
    plot = Plot(pen, box, part, Axis("score", span=(-0.3, 1.0), ticks=(0, 0.5, 1)), "score")
    yield from _curves(plot, state.rotary)
    x, y = plot.at(state.distance, state.score)
    yield pen.line("now-drop", x, y, x, box.bottom, "hot thin dashed")
    yield pen.circle("now", x, y, 5, "hot")
    left, top = box.right + pen.pick(14, 40), box.y + pen.large
    yield pen.text("score-now", left, top, fixed(state.score, 3), "hot strong", size=pen.large)
    for row, words in enumerate(("mean cosine of", f"all {PAIRS} angles")):
        yield pen.text(f"score-note-{row}", left, top + pen.size * (1.5 + 1.3 * row), words, "note")


@lru_cache(maxsize=2)  # the steps of a model share them, at either width
def _curves(plot: Plot, rotary: Rotary) -> list[Mark]:
    """The axes, the scores of the method, and those in training."""
    new, end = [], []
    trained, last = _trained(plot, rotary.base)
    if rotary.method != "none":
        xs = samples(plot.pen.pick(90, 160))
        ys = score_curve(xs, rotary.new_theta).tolist()
        new = [plot.curve("score-new", xs.tolist(), ys, STYLES[rotary.method])]
        (x, y), names = plot.at(LONGEST, ys[-1]), (SHORT[rotary.method], "as trained")
        end = side_labels(plot.pen, "score-end", x + 6, (y, last), names, plot.box.y, plot.box.bottom - 8, role="note")
    axes, curves = trained
    return [*axes, *new, *curves, *end]


@lru_cache(maxsize=2)  # the methods and factors of a base share it, at either width
def _trained(plot: Plot, base: int) -> tuple[tuple[list[Mark], list[Mark]], float]:
    """The axes, the scores as trained, and the height at which these end."""
    pen, box, (edge, _) = plot.pen, plot.box, plot.at(TRAINED, 0)
    xs = samples(pen.pick(90, 160))
    ys = score_curve(xs, frequencies(base))
    inside, beyond = xs <= TRAINED, xs >= TRAINED
    axes = [
        *plot.axes(),
        pen.line("trained", edge, box.y, edge, box.bottom, "axis dashed"),
        pen.text("trained-label", edge - 5, box.y - 0.75 * pen.size, f"trained {TRAINED:,}", "note", anchor="end"),
    ]
    curves = [
        plot.curve("score-seen", xs[inside].tolist(), ys[inside].tolist(), "data"),
        plot.curve("score-beyond", xs[beyond].tolist(), ys[beyond].tolist(), "data thin dashed"),
    ]
    return (axes, curves), plot.at(LONGEST, float(ys[-1]))[1]
