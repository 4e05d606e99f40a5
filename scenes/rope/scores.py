"""The score of two tokens against their distance, with a dot where they stand."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache

import numpy as np

from loom.draw import Axis, Box, Mark, Pen, Plot, side_labels

from .axis import STYLES, tokens_axis
from .model import PAIRS, TRAINED, Array, score_curve
from .story import MOMENTS, Rotary, State
from .words import SHORT, decimals

LONGEST = 32 * TRAINED  # the largest target
LOW, HIGH = -0.3, 1.0


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
    plot = Plot(pen, box, part, Axis("score", span=(LOW, HIGH), ticks=(0, 0.5, 1)), "score")
    yield from plot.axes()
    edge, _ = plot.at(TRAINED, 0)
    yield pen.line("trained", edge, box.y, edge, box.bottom, "axis dashed")
    yield pen.text("trained-label", edge - 5, box.y - 0.75 * pen.size, f"trained {TRAINED:,}", "note", anchor="end")
    yield from _curves(pen, plot, state.rotary)
    x, y = plot.at(state.distance, state.score)
    yield pen.line("now-drop", x, y, x, box.bottom, "hot thin dashed")
    yield pen.circle("now", x, y, 5, "hot")
    left, top = box.right + (14 if pen.narrow else 40), box.y + pen.large
    yield pen.text("score-now", left, top, decimals(state.score), "hot strong", size=pen.large)
    for row, words in enumerate(("mean cosine of", f"all {PAIRS} angles")):
        yield pen.text(f"score-note-{row}", left, top + pen.size * (1.5 + 1.3 * row), words, "note")


def _curves(pen: Pen, plot: Plot, rotary: Rotary) -> Iterator[Mark]:
    xs = samples(90 if pen.narrow else 160)
    ends, names = [], []
    if rotary.method != "none":
        ys = score_curve(xs, rotary.new_theta)
        yield plot.curve("score-new", list(xs), list(ys), STYLES[rotary.method])
        ends.append(plot.at(LONGEST, ys[-1])[1])
        names.append(f"{SHORT[rotary.method]}")
    ys = score_curve(xs, rotary.theta)
    inside = xs <= TRAINED
    yield plot.curve("score-seen", list(xs[inside]), list(ys[inside]), "data")
    yield plot.curve("score-beyond", list(xs[xs >= TRAINED]), list(ys[xs >= TRAINED]), "data thin dashed")
    if names:
        ends.append(plot.at(LONGEST, ys[-1])[1])
        names.append("as trained")
        x, _ = plot.at(LONGEST, 0)
        yield from side_labels(pen, "score-end", x + 6, ends, names, plot.box.y, plot.box.bottom - 8, role="note")
