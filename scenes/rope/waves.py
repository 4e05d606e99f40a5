"""The wavelengths of all pairs against the trained length and the target, and what a method does to each."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from loom.draw import Axis, Box, Mark, Pen, Plot, arrow, wrap

from .axis import STYLES, tokens_axis
from .extension import BETA
from .model import PAIRS, TRAINED, Array
from .story import State
from .words import pairs, tokens

ROWS = (-0.5, PAIRS - 0.5)
SIDE = 44  # the pair whose bar is labelled at both ends


def draw_waves(pen: Pen, box: Box, state: State) -> Iterator[Mark]:
    """A bar for each pair, from its wavelength in training to the one that it has now."""
    plot = Plot(pen, box, tokens_axis(pen, "wavelength λ"), Axis("pair", span=ROWS, ticks=(0, 16, 32, 48, 63)), "wave")
    yield from _band(pen, plot, state)
    yield from plot.axes(y_ticks=5)
    yield from _lengths(pen, plot, state)
    rotary, done = state.rotary, state.name == "extended"
    if done:
        yield from _others(pen, plot, state)
    waves = rotary.new_waves if done else rotary.waves
    lost = rotary.unseen if done else rotary.never
    thin = " thin" if pen.narrow else ""
    yield _bars(plot, "bars", rotary.waves, waves, ~lost, f"kept{thin}")
    yield _bars(plot, "bars-lost", rotary.waves, waves, lost, f"dropped{thin}")
    if not done or rotary.method != "none":
        yield from _slowest(pen, plot, rotary.waves, waves)
    if done and rotary.method != "none":
        yield from _ends(pen, plot, state)


def _bars(plot: Plot, key: str, old: Array, new: Array, drawn: NDArray[np.bool_], role: str) -> Mark:
    """A stroke for each pair in one path; those not drawn have no length, so that all others can move."""
    parts = []
    for pair in range(PAIRS):
        left, y = plot.at(old[pair], pair)
        right = plot.at(new[pair], pair)[0] + 2 if drawn[pair] else left - 2
        parts.append([(left - 2, y), (right, y)])
    return plot.pen.strokes(key, parts, role)


def _slowest(pen: Pen, plot: Plot, old: Array, new: Array) -> Iterator[Mark]:
    """The longest wavelength beside its bar, on the right where there is room; nowhere if the left has none either."""
    words, drop = f"λ {tokens(float(new[-1]))}", PAIRS - 7  # the label reaches down to that pair
    room = pen.room(words)
    x, y = plot.at(new[-1], PAIRS - 1)
    place = (x + 8, y + 0.5 * pen.size)
    if place[0] + room < pen.width:
        yield pen.text("slowest", *place, words, "note", middle=True)
    elif plot.at(old[drop], 0)[0] - 8 - room > plot.at(TRAINED * 32, 0)[0] + 6:
        yield pen.text("slowest", plot.at(old[drop], 0)[0] - 8, place[1], words, "note", anchor="end", middle=True)


def _ends(pen: Pen, plot: Plot, state: State) -> Iterator[Mark]:
    """What the two ends of a bar are, beside one of them and clear of the two lines."""
    rotary, lines = state.rotary, [plot.at(length, 0)[0] for length in (TRAINED, state.rotary.target)]
    _, y = plot.at(1, SIDE)  # a text is as high as a few bars, and stands clear of them all
    left, right = plot.at(rotary.waves[SIDE - 3], 0)[0] - 6, plot.at(rotary.new_waves[SIDE + 3], 0)[0] + 8
    for line in reversed(lines):
        left = line - 6 if left - pen.room("as trained") < line + 3 and line < left + 3 else left
    for line in lines:
        right = line + 6 if right - 3 < line < right + 3 + pen.room("stretched") else right
    yield pen.text("side-old", left, y, "as trained", "note", anchor="end", middle=True)
    yield pen.text("side-new", right, y, "stretched", "note", middle=True)


def _band(pen: Pen, plot: Plot, state: State) -> Iterator[Mark]:
    """The pairs for which some angles are new, and what they are."""
    rotary = state.rotary
    lost = rotary.unseen if state.name == "extended" else rotary.never
    box = plot.box
    if state.name == "extended" and rotary.method == "yarn":
        left, right = (plot.at(TRAINED / turns, 0)[0] for turns in (BETA, 1))
        yield pen.rect("blend", Box(left, box.y, right - left, box.height), "cell soft", round=0)
        words = "blend" if pen.narrow else f"blend: {BETA:g} turns to 1"
        yield pen.text("blend-label", (left + right) / 2, box.bottom - 7, words, "note", anchor="middle")
    low, high = (-0.5, -0.5)
    if lost.any():
        low, high = float(lost.argmax()) - 0.5, float(PAIRS - lost[::-1].argmax()) - 0.5
        yield plot.band("lost", low, high, "cell")
        words = "never come round in training" if state.name == "waves" else f"meet new angles before {rotary.target:,}"
        lines = wrap(f"{pairs(int(lost.sum()))} {words}", pen.size, plot.at(TRAINED, 0)[0] - box.x - 12)
        _, top = plot.at(1, high)
        for row, line in enumerate(lines):
            role = "dropped strong" if row == 0 else "dropped"
            yield pen.text(f"lost-{row}", box.x + 8, top + pen.size * (1.2 + 1.2 * row), line, role)


def _lengths(pen: Pen, plot: Plot, state: State) -> Iterator[Mark]:
    """Lines at the trained length and at the target, and the factor between them."""
    box, high = plot.box, plot.box.y - 0.75 * pen.size
    edge, _ = plot.at(TRAINED, 0)
    yield pen.line("trained", edge, box.y, edge, box.bottom, "axis dashed")
    yield pen.text("trained-label", edge - 5, high, f"trained {TRAINED:,}", "note", anchor="end")
    if state.aims:
        goal, _ = plot.at(state.rotary.target, 0)
        yield pen.line("target", goal, box.y - pen.size, goal, box.bottom, "hot dashed")
        yield arrow(pen, "factor", (edge + 1, high - 4), (goal - 1, high - 4), "hot")
        yield pen.text("target-label", goal + 5, high, f"× {state.rotary.factor} = {state.rotary.target:,}", "hot")


def _others(pen: Pen, plot: Plot, state: State) -> Iterator[Mark]:
    """With no method chosen, where each of them would take the wavelengths."""
    if state.rotary.method != "none":
        return
    for method, style in STYLES.items():
        waves = state.rotary.with_method(method).new_waves
        yield plot.curve(f"way-{method}", list(waves), list(range(PAIRS)), style)
