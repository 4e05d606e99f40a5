"""The picked row as bars under its columns: terms that add up, or weights against half of γ."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from loom.draw import Box, Mark, side_labels

from .case import GAMMA, PRODUCT, ROUNDED, SCALED, WEIGHTS, State
from .data import COLUMNS
from .model import Array
from .stage import Stage
from .words import signed


@dataclass(frozen=True)
class Bars:
    """Where each bar begins and ends, in the unit of the step, and the ends of the scale."""

    start: Array
    end: Array
    low: float
    high: float


def bars_of(state: State) -> Bars:
    """Terms begin where the sum stands; weights, in units of γ, at 0. All steps with sums have one scale."""
    if state.step in (GAMMA, ROUNDED):
        weights = state.weights / state.case.gamma
        top = max(1.3, float(np.abs(weights).max()))
        return Bars(np.zeros(COLUMNS), state.trits.astype(float) if state.is_rounded else weights, -top, top)
    exact, whole = state.case.exact[state.at], state.case.sums[state.at].astype(float)
    everything = np.concatenate([[0], exact, whole])
    factor = state.case.gamma if state.step == SCALED else 1.0
    ends = exact if state.step == WEIGHTS else whole * factor
    return Bars(np.append(0, ends[:-1]), ends, float(everything.min()), float(everything.max()))


def draw_terms(stage: Stage, state: State) -> Iterator[Mark]:
    """A bar for each column, filled if it goes up and hollow if it goes down, and what they come to."""
    bars, pen = bars_of(state), stage.pen
    scale = stage.walk.height / (bars.high - bars.low)
    zero = stage.walk.y + bars.high * scale
    half = stage.pitch * 0.3
    yield pen.line("zero", stage.left, zero, stage.right, zero, "axis")
    yield pen.text("zero-label", stage.left - 4, zero, "0", "note", anchor="end", middle=True)
    for column in range(COLUMNS):
        ends = [zero - float(value[column]) * scale for value in (bars.start, bars.end)]
        box = Box(stage.x(column) - half, min(ends), 2 * half, abs(ends[1] - ends[0]))
        yield pen.rect(f"t{column}", box, role_of(state, column, ends[1] > ends[0]), round=0)
    if state.step in (GAMMA, ROUNDED):
        yield from draw_thresholds(stage, state, zero, scale)
    else:
        yield from draw_sums(stage, state, bars, zero, scale)


def role_of(state: State, column: int, falls: bool) -> str:
    lost = state.step == GAMMA and abs(state.weights[column]) < state.case.gamma / 2
    role = "dropped" if lost else "hot"
    return f"{role} outline" if falls else role


def draw_thresholds(stage: Stage, state: State, zero: float, scale: float) -> Iterator[Mark]:
    """Half of γ, above and below, and where the weights stood before they were rounded."""
    pen, half = stage.pen, stage.pitch * 0.3
    levels = (0.5, -0.5) if state.step == GAMMA else (1.0, -1.0)
    ends = [zero - level * scale for level in levels]
    yield pen.strokes("half", [[(stage.left, y), (stage.right, y)] for y in ends], "hot dashed")
    names = ("γ/2", "−γ/2") if state.step == GAMMA else ("γ", "−γ")
    yield from side_labels(pen, "half", stage.right + 4, ends, names, 0, stage.walk.bottom, role="hot")
    if state.is_rounded:
        tops = [(stage.x(column), zero - float(weight) / state.case.gamma * scale)
                for column, weight in enumerate(state.weights)]  # fmt: skip
        yield pen.strokes("was", [[(x - half - 3, y), (x + half + 3, y)] for x, y in tops], "data")


def draw_sums(stage: Stage, state: State, bars: Bars, zero: float, scale: float) -> Iterator[Mark]:
    """The sum carried from bar to bar, its end, and the sum of the weights as they were."""
    pen, half = stage.pen, stage.pitch * 0.3
    levels = [zero - float(end) * scale for end in bars.end]
    idle = bars.start == bars.end
    following = [*(stage.x(column) - half for column in range(1, COLUMNS)), stage.right]
    carried = [[(stage.x(column) + (-half if idle[column] else half), y), (following[column], y)]
               for column, y in enumerate(levels)]  # fmt: skip
    yield pen.strokes("carried", carried, "axis")
    if state.step == SCALED:
        exact = [zero - float(value) * scale for value in state.case.exact[state.at]]
        edges = [(stage.x(column) + side * stage.pitch / 2, y) for column, y in enumerate(exact) for side in (-1, 1)]
        yield pen.path("exact", edges, "ghost")
        wanted = [levels[-1], exact[-1]]
        words = [signed(state.output), signed(state.exact)]
        marks = side_labels(pen, "sum", stage.right + 4, wanted, words, 0, stage.walk.bottom, role="hot")
        first, second = marks
        yield first._replace(role="hot strong")
        yield second._replace(role="note")
    else:
        words = [signed(state.sum if state.step == PRODUCT else state.exact)]
        yield from side_labels(pen, "sum", stage.right + 4, levels[-1:], words, 0, stage.walk.bottom, role="hot strong")
