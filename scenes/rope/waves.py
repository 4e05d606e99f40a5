"""The wavelengths of all pairs against the trained length and the target, and what a method does to each."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from loom.draw import Axis, Box, Mark, Pen, Plot, arrow, count, wrap

from .extension import BETA, extended
from .model import PAIRS, TRAINED, Array, frequencies, wavelengths
from .narration import tokens
from .scores import STYLES, tokens_axis
from .story import Rotary, State

SIDE = 44  # the pair whose bar is labelled at both ends


def draw_waves(pen: Pen, box: Box, state: State) -> Iterator[Mark]:
    """A bar for each pair, from its wavelength in training to the one that it has now."""
    rows = Axis("pair", span=(-0.5, PAIRS - 0.5), ticks=(0, 16, 32, 48, 63))
    plot = Plot(pen, box, tokens_axis(pen, "wavelength λ"), rows, "wave")
    rotary, stretched = state.rotary, state.extended and state.rotary.method != "none"
    yield from _band(plot, state)
    yield from plot.axes(y_ticks=5)
    yield from _lengths(plot, state)
    if state.extended and not stretched:  # where each of the methods would take the wavelengths
        for method, style in STYLES.items():
            waves = wavelengths(extended(rotary.base, method, rotary.factor)).tolist()
            yield plot.curve(f"way-{method}", waves, range(PAIRS), style)
    if state.extended:
        yield from _bars(plot, rotary.waves, state.waves, state.lost)
    else:
        yield from _trained_bars(plot, rotary.base)
    if stretched or not state.extended:
        yield from _slowest(plot, float(rotary.waves[PAIRS - 7]), float(state.waves[-1]))
    if stretched:
        yield from _ends(plot, rotary)


def _bars(plot: Plot, old: Array, new: Array, lost: NDArray[np.bool_]) -> list[Mark]:
    """A stroke for each pair in two paths; in either those of the other have no length, so that all can move."""
    places = [(*plot.at(was, pair), plot.at(now, 0)[0]) for pair, (was, now) in enumerate(zip(old, new, strict=True))]
    marks = []
    for key, role, gone in (("bars", "kept", False), ("bars-lost", "dropped", True)):
        lines = [[(left - 2, y), (right + 2 if is_lost == gone else left - 2, y)]
                 for (left, y, right), is_lost in zip(places, lost.tolist(), strict=True)]  # fmt: skip
        marks.append(plot.pen.strokes(key, lines, role + plot.pen.pick(" thin", "")))
    return marks


@lru_cache(maxsize=4)  # the methods and factors of a base share them
def _trained_bars(plot: Plot, base: int) -> list[Mark]:
    waves = wavelengths(frequencies(base))
    return _bars(plot, waves, waves, waves > TRAINED)


def _slowest(plot: Plot, drop: float, longest: float) -> Iterator[Mark]:
    """The longest wavelength beside its bar, on the right where there is room; nowhere if the left has none either.

    On the left it reaches down to the bar that begins at `drop`.
    """
    pen, words = plot.pen, f"λ {tokens(longest)}"
    room, (x, y) = pen.room(words), plot.at(longest, PAIRS - 1)
    y, left = y + 0.5 * pen.size, plot.at(drop, 0)[0] - 8
    if x + 8 + room < pen.width:
        yield pen.text("slowest", x + 8, y, words, "note", middle=True)
    elif left - room > plot.at(TRAINED * 32, 0)[0] + 6:
        yield pen.text("slowest", left, y, words, "note", anchor="end", middle=True)


def _ends(plot: Plot, rotary: Rotary) -> Iterator[Mark]:
    """What the two ends of a bar are, beside one of them and clear of the two lines."""
    pen, lines = plot.pen, [plot.at(length, 0)[0] for length in (TRAINED, rotary.target)]
    _, y = plot.at(1, SIDE)  # a text is as high as a few bars, and stands clear of them all
    left, right = plot.at(rotary.waves[SIDE - 3], 0)[0] - 6, plot.at(rotary.new_waves[SIDE + 3], 0)[0] + 8
    for line in reversed(lines):
        left = line - 6 if left - pen.room("as trained") < line + 3 and line < left + 3 else left
    for line in lines:
        right = line + 6 if right - 3 < line < right + 3 + pen.room("stretched") else right
    yield pen.text("side-old", left, y, "as trained", "note", anchor="end", middle=True)
    yield pen.text("side-new", right, y, "stretched", "note", middle=True)


def _band(plot: Plot, state: State) -> Iterator[Mark]:
    """The pairs for which some angles are new, and what they are."""
    pen, box, rotary, lost = plot.pen, plot.box, state.rotary, state.lost
    if state.extended and rotary.method == "yarn":
        left, right = (plot.at(TRAINED / turns, 0)[0] for turns in (BETA, 1))
        words = pen.pick("blend", f"blend: {BETA:g} turns to 1")
        yield pen.rect("blend", Box(left, box.y, right - left, box.height), "cell soft", round=0)
        yield pen.text("blend-label", (left + right) / 2, box.bottom - 7, words, "note", anchor="middle")
    if lost.any():
        low, high = float(lost.argmax()) - 0.5, float(PAIRS - lost[::-1].argmax()) - 0.5
        yield plot.band("lost", low, high)
        words = "never come round in training" if state.name == "waves" else f"meet new angles before {rotary.target:,}"
        words = f"{count(int(lost.sum()), 'pair')} {words}"
        _, top = plot.at(1, high)
        for row, line in enumerate(wrap(words, pen.size, plot.at(TRAINED, 0)[0] - box.x - 12)):
            y, role = top + pen.size * (1.2 + 1.2 * row), "dropped" if row else "dropped strong"
            yield pen.text(f"lost-{row}", box.x + 8, y, line, role)


def _lengths(plot: Plot, state: State) -> Iterator[Mark]:
    """Lines at the trained length and at the target, and the factor between them."""
    pen, box, target = plot.pen, plot.box, state.rotary.target
    high, edge = box.y - 0.75 * pen.size, plot.at(TRAINED, 0)[0]
    yield pen.line("trained", edge, box.y, edge, box.bottom, "axis dashed")
    yield pen.text("trained-label", edge - 5, high, f"trained {TRAINED:,}", "note", anchor="end")
    if state.aims:
        goal, _ = plot.at(target, 0)
        yield pen.line("target", goal, box.y - pen.size, goal, box.bottom, "hot dashed")
        yield arrow(pen, "factor", (edge + 1, high - 4), (goal - 1, high - 4), "hot")
        yield pen.text("target-label", goal + 5, high, f"× {state.rotary.factor} = {target:,}", "hot")
