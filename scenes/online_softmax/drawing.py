"""The picture of online softmax: scores and weights in tiles, two running sums, and the output on its way."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from loom.draw import Axis, Bar, Box, Mark, Pen, Plot, bracket, lying_bars

from .model import ORDERS, SCORES, VALUES, State, online_softmax, softmax

TILES = (2, 4, 8)
EXACT = float(softmax(SCORES) @ VALUES)
# The longest that the two running sums get on the whole grid: their bars keep one scale.
SUMS = [step.after[1:] for order in ORDERS for tile in TILES for step in online_softmax(SCORES, VALUES, tile, order)]
MOST_L, MOST_O = (max(column) for column in zip(*SUMS, strict=True))


def draw(state: State, width: float) -> Iterator[Mark]:
    pen = Pen(width)
    if pen.narrow:
        yield from draw_keys(pen, Box(0, 0, width, 212), state)
        yield from draw_sums(pen, Box(0, 236, width, 72), state)
        yield from draw_output(pen, Box(30, 346, width - 40, 84), state)
    else:
        yield from draw_keys(pen, Box(0, 0, width, 236), state)
        yield from draw_sums(pen, Box(0, 268, 392, 106), state)
        yield from draw_output(pen, Box(470, 286, 360, 88), state)


def draw_keys(pen: Pen, box: Box, state: State) -> Iterator[Mark]:
    """Scores as bars from a zero line, in tiles, the running maximum across them, and the weights under them."""
    count, gap = len(state.tiles), 8 if pen.narrow else 22
    gap = gap * 4 / max(count, 4)
    each = (box.width - gap * (count - 1)) / len(SCORES)
    weights = 2.6 * pen.size  # the height of a weight of 1
    scale = (box.height - 5.2 * pen.size - 26 - weights) / (SCORES.max() - min(SCORES.min(), 0))
    floor = box.bottom - pen.size - 16
    zero = box.y + pen.size + 6 + SCORES.max() * scale
    yield pen.line("zero", box.x, zero, box.right, zero, "axis")
    yield pen.line("floor", box.x, floor, box.right, floor, "grid")
    words = "weights e^(score − m), summed in l" if state.done else "weights: none yet"
    yield pen.text("weights-label", box.x, floor - weights - 4, words, "note")
    pitch = len(state.tile.keys) * each + gap
    # Drawn in the order given, wherever they stand now: the same marks are always over the same others.
    tiles = sorted(enumerate(state.tiles), key=lambda item: item[1].tile)
    for place, tile in tiles:
        start = box.x + place * pitch
        for column, key in enumerate(tile.keys):
            x = start + column * each
            yield from draw_key(pen, int(key), x, each, zero, scale, role_of(state, place))
            if place < state.done:
                tall = weights * float(np.exp(SCORES[key] - state.measure))
                yield pen.rect(f"weight-{key}", Box(x + 2, floor - tall, each - 4, tall), "kept", round=1)
    for place, tile in tiles:
        start = box.x + place * pitch
        words = f"tile {tile.tile}" if not pen.narrow or count <= 4 else str(tile.tile)
        role, foot = "hot" if place == state.at else "axis", box.bottom - pen.size - 8
        yield from bracket(pen, f"tile-{tile.tile}", start + 2, start + pitch - gap - 2, foot, words, role=role)
    if state.maximum > -10:
        height = zero - state.maximum * scale
        yield pen.line("max", box.x, height, box.x + (state.at + 1) * pitch - gap, height, "hot dashed")
        yield pen.text("max-label", box.x, height - 6, f"m = {state.maximum:g}", "hot strong")


def draw_key(pen: Pen, key: int, x: float, each: float, zero: float, scale: float, role: str) -> Iterator[Mark]:
    score = float(SCORES[key])
    top, bottom = zero - max(score, 0) * scale, zero - min(score, 0) * scale
    yield pen.rect(f"key-{key}", Box(x + 2, top, each - 4, max(bottom - top, 1.5)), role)
    words = f"{score:g}".replace("-", "−")
    yield pen.text(f"score-{key}", x + each / 2, bottom + pen.size, words, "note", anchor="middle")


def role_of(state: State, place: int) -> str:
    if place == state.at:
        return "hot"
    return "data" if place < state.at else "cell"


def draw_sums(pen: Pen, box: Box, state: State) -> Iterator[Mark]:
    """The two running sums. A rescale shortens both by one factor, so their quotient stays."""
    l_now, o_now = state.sums
    factor = state.tile.rescale
    shrinks = state.phase == "rescale" and 0 < factor < 1
    _, l_before, o_before = state.tile.before
    scale = MOST_L / MOST_O  # both bars are as long as their own largest sum
    bars = [
        Bar("l", "l", l_now, f"{l_now:.2f}", "data", l_before if shrinks else None),
        Bar("o", "O", o_now * scale, f"{o_now:.2f}", "kept", o_before * scale if shrinks else None),
    ]
    shown = state.phase in ("rescale", "add") and state.at > 0
    title = f"running sums × {factor:.3f}" if shown and state.phase == "rescale" else "running sums"
    yield pen.text("sums-title", box.x, box.y + pen.size * 0.8, title, "hot strong" if shown and factor < 1 else "note")
    yield from lying_bars(pen, box.inset(top=pen.size * 1.6), bars, MOST_L)


def draw_output(pen: Pen, box: Box, state: State) -> Iterator[Mark]:
    """O / l after each tile, beside the exact softmax that it reaches at the end."""
    count = len(state.tiles)
    plot = Plot(pen, box, Axis("tiles taken in", span=(0, count), ticks=tuple(range(count + 1))),
                Axis("output O/l", span=(10, 16), ticks=(10, 12, 14, 16)), "out")  # fmt: skip
    yield from plot.axes(x_ticks=count)
    yield from plot.level("exact", EXACT, f"exact softmax: {EXACT:.3f}")
    outputs = [tile.output for tile in state.tiles]
    taken = range(1, state.done + 1)
    for number in taken:
        last = number == state.done
        yield from plot.point(f"out-{number}", number, outputs[number - 1], "hot" if last else "data")
    if state.done:
        x, y = plot.at(state.done, outputs[state.done - 1])
        above = outputs[state.done - 1] > EXACT - 1e-9 and state.done < count
        above = above or y + pen.size + 7 > box.bottom - 2  # the axis has its own numbers there
        yield pen.text("out-now", x - 8, y - 8 if above else y + pen.size + 7, f"{outputs[state.done - 1]:.3f}",
                       "value strong", anchor="end")  # fmt: skip
    if state.done > 1:
        yield plot.curve("out-path", list(taken), outputs[: state.done], "data thin")
