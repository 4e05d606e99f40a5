"""The picture of online softmax: scores and weights in tiles, two running sums, and the output on its way."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from loom.draw import Axis, Bar, Box, Mark, Pen, Plot, bracket, horizontal_bars, number

from .model import ORDERS, SCORES, VALUES, State, online_softmax, softmax

TILES = (2, 4, 8)
EXACT = float(softmax(SCORES) @ VALUES)
# The longest that the two running sums get on the whole grid: their bars keep one scale.
SUMS = [step.after[1:] for order in ORDERS for tile in TILES for step in online_softmax(SCORES, VALUES, tile, order)]
MOST_L, MOST_O = (max(column) for column in zip(*SUMS, strict=True))


def draw(state: State, width: float) -> Iterator[Mark]:
    pen = Pen(width)
    yield from draw_keys(pen, Box(0, 0, width, pen.pick(212, 236)), state)
    yield from draw_sums(pen, pen.pick(Box(0, 236, width, 72), Box(0, 268, 392, 106)), state)
    yield from draw_output(pen, pen.pick(Box(30, 346, width - 40, 84), Box(470, 286, 360, 88)), state)


def draw_keys(pen: Pen, box: Box, state: State) -> Iterator[Mark]:
    """Scores as bars from a zero line, in tiles, the running maximum across them, and the weights under them."""
    count = len(state.tiles)
    gap = pen.pick(8, 22) * 4 / max(count, 4)
    each = (box.width - gap * (count - 1)) / len(SCORES)
    weights = 2.6 * pen.size  # the height of a weight of 1
    scale = (box.height - 5.2 * pen.size - 26 - weights) / (SCORES.max() - min(SCORES.min(), 0))
    floor, foot = box.bottom - pen.size - 16, box.bottom - pen.size - 8
    zero = box.y + pen.size + 6 + SCORES.max() * scale
    yield pen.line("zero", box.x, zero, box.right, zero, "axis")
    yield pen.line("floor", box.x, floor, box.right, floor, "grid")
    words = "weights e^(score − m), summed in l" if state.done else "weights: none yet"
    yield pen.text("weights-label", box.x, floor - weights - 4, words, "note")
    wide = len(state.tile.keys) * each
    starts = [box.x + place * (wide + gap) for place in range(count)]
    # Drawn in the order given, wherever they stand now: the same marks are always over the same others.
    places = sorted(range(count), key=lambda place: state.tiles[place].tile)
    for place in places:
        role = "hot" if place == state.at else "data" if place < state.at else "cell"
        for column, key in enumerate(state.tiles[place].keys.tolist()):
            x = starts[place] + column * each
            yield from draw_key(pen, key, x, each, zero, scale, role)
            if place < state.done:
                tall = weights * float(np.exp(SCORES[key] - measured_from(state)))
                yield pen.rect(f"weight-{key}", Box(x + 2, floor - tall, each - 4, tall), "kept", round=1)
    for place in places:
        tile, start, role = state.tiles[place].tile, starts[place], "hot" if place == state.at else "axis"
        words = f"tile {tile}" if not pen.narrow or count <= 4 else str(tile)
        yield from bracket(pen, f"tile-{tile}", start + 2, start + wide - 2, foot, words, role=role)
    if np.isfinite(state.maximum):
        height = zero - state.maximum * scale
        yield pen.line("max", box.x, height, starts[state.at] + wide, height, "hot dashed")
        yield pen.text("max-label", box.x, height - 6, f"m = {number(state.maximum)}", "hot strong")


def measured_from(state: State) -> float:
    """The maximum that the sums are measured from: it changes only when they are rescaled."""
    return state.tile.before[0] if state.phase in ("load", "max") else state.tile.after[0]


def draw_key(pen: Pen, key: int, x: float, each: float, zero: float, scale: float, role: str) -> Iterator[Mark]:
    score = float(SCORES[key])
    top, bottom = zero - max(score, 0) * scale, zero - min(score, 0) * scale
    yield pen.rect(f"key-{key}", Box(x + 2, top, each - 4, max(bottom - top, 1.5)), role)
    yield pen.text(f"score-{key}", x + each / 2, bottom + pen.size, number(score), "note", anchor="middle")


def draw_sums(pen: Pen, box: Box, state: State) -> Iterator[Mark]:
    """The two running sums. A rescale shortens both by one factor, so their quotient stays."""
    (l, o), (_, l_before, o_before), factor = state.sums, state.tile.before, state.tile.rescale  # noqa: E741
    rescale, scale = state.phase == "rescale", MOST_L / MOST_O  # both bars are as long as their own largest sum
    shrinks = rescale and 0 < factor < 1
    bars = [
        Bar("l", "l", l, f"{l:.2f}", "data", l_before if shrinks else None),
        Bar("o", "O", o * scale, f"{o:.2f}", "kept", o_before * scale if shrinks else None),
    ]
    shown = state.phase in ("rescale", "add") and state.at > 0
    title = f"running sums × {factor:.3f}" if shown and rescale else "running sums"
    yield pen.text("sums-title", box.x, box.y + pen.size * 0.8, title, "hot strong" if shown and factor < 1 else "note")
    yield from horizontal_bars(pen, box.inset(top=pen.size * 1.6), bars, MOST_L)


def draw_output(pen: Pen, box: Box, state: State) -> Iterator[Mark]:
    """O / l after each tile, beside the exact softmax that it reaches at the end."""
    count, done = len(state.tiles), state.done
    plot = Plot(pen, box, Axis("tiles taken in", span=(0, count), ticks=tuple(range(count + 1))),
                Axis("output O/l", span=(9, 16), ticks=(10, 12, 14, 16)), "out")  # fmt: skip
    yield from plot.axes(x_ticks=count)
    yield from plot.hline("exact", EXACT, f"exact softmax: {EXACT:.3f}")
    outputs = [tile.output for tile in state.tiles[:done]]
    for taken, output in enumerate(outputs, 1):
        yield from plot.point(f"out-{taken}", taken, output, "hot" if taken == done else "data")
    if done:
        x, y = plot.at(done, outputs[-1])
        above = outputs[-1] > EXACT - 1e-9 and done < count
        above = above or y + pen.size + 7 > box.bottom - 2  # the axis has its own numbers there
        base = y - 8 if above else y + pen.size + 7
        yield pen.text("out-now", x - 8, base, f"{outputs[-1]:.3f}", "value strong", anchor="end")
    if done > 1:
        yield plot.curve("out-path", range(1, done + 1), outputs, "data thin")
