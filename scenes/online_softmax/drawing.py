"""The picture of online softmax: tiles of keys, their weights and values on the way into two sums, and the output."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from loom.draw import Axis, Box, Mark, Pen, Plot, bracket, headline, number

from .model import ORDERS, SCORES, VALUES, State, online_softmax, softmax

TILES = (2, 4, 8)
EXACT = float(softmax(SCORES) @ VALUES)
STEPS = [step for order in ORDERS for tile in TILES for step in online_softmax(SCORES, VALUES, tile, order)]
# The longest that the two running sums get on the whole grid: their bars keep one scale.
MOST_L, MOST_O = (max(column) for column in zip(*(step.after[1:] for step in STEPS), strict=True))
OUTPUTS = (8.0, 16.0)  # of the plot: every output of the grid lies between


def draw(state: State, width: float) -> Iterator[Mark]:
    pen = Pen(width)
    keys, sums, answer, plot = pen.pick(
        (Box(40, 0, width - 40, 166), Box(18, 194, 250, 50), Box(0, 256, 120, 60), Box(160, 264, 160, 38)),
        (Box(44, 0, width - 44, 190), Box(44, 228, 372, 70), Box(484, 204, 130, 90), Box(644, 220, 188, 72)),
    )
    columns = Columns(pen, keys, state)
    yield from draw_keys(pen, keys, columns, state)
    yield draw_knob(pen, keys, columns, state)
    yield from draw_sums(pen, sums, columns, state)
    yield from draw_answer(pen, answer, state)
    yield from draw_outputs(pen, plot, state)


class Columns:
    """Where the keys stand: tiles in the order in which they are taken in."""

    def __init__(self, pen: Pen, box: Box, state: State) -> None:
        count = len(state.tiles)
        gap, self.each = spaced(pen, box, count)
        self.wide = len(state.tile.keys) * self.each
        self.starts = [box.x + place * (self.wide + gap) for place in range(count)]
        self.left = {key: start + column * self.each
                     for start, tile in zip(self.starts, state.tiles, strict=True)
                     for column, key in enumerate(tile.keys.tolist())}  # fmt: skip
        # From the top: scores as bars, the tile's bracket, weights, values.
        self.values = box.bottom
        self.weight_foot = box.bottom - pen.size - 6
        self.weight = pen.pick(22, 26)  # the height of a weight of 1
        self.bracket = self.weight_foot - self.weight - pen.size - pen.pick(12, 14)
        high = self.bracket - box.y - pen.pick(40, 38)  # so that the number of a score below 0 is clear of the knob
        self.scale = high / (SCORES.max() - min(SCORES.min(), 0))
        self.zero = box.y + pen.pick(16, 18) + SCORES.max() * self.scale


def spaced(pen: Pen, box: Box, count: int) -> tuple[float, float]:
    """The gap between so many tiles, and the width of a key."""
    gap = pen.pick(6, 18) * 4 / max(count, 4)
    return gap, (box.width - gap * (count - 1)) / len(SCORES)


def draw_knob(pen: Pen, box: Box, at: Columns, state: State) -> Mark:
    """The end of the first tile's bracket: a handle that sets how many keys are in a tile."""
    ends = [box.x + tile * spaced(pen, box, len(SCORES) // tile)[1] - 2 for tile in TILES]
    here = TILES.index(len(state.tile.keys))
    return pen.knob("tile-end", ends[here], at.bracket + 4, "tile", [(end, at.bracket + 4) for end in ends])


def draw_keys(pen: Pen, box: Box, at: Columns, state: State) -> Iterator[Mark]:
    """Scores as bars from a zero line, the running maximum across them, and under them weights and values."""
    yield pen.line("zero", box.x, at.zero, box.right, at.zero, "axis")
    for words, y in (("score", at.zero - 8), ("weight", at.weight_foot - 6), ("value", at.values)):
        yield pen.text(f"{words}-row", 0, y, words, "note")
    weighed = state.done + (state.phase == "weigh")
    # Drawn in the order given, wherever they stand now, and brackets behind all keys: the same marks are always over
    # the same others, however large tiles are.
    places = sorted(range(len(state.tiles)), key=lambda place: state.tiles[place].tile)
    roles = ["hot" if place == state.at else "data" if place < state.at else "cell" for place in range(len(places))]
    for place in places:
        for key in state.tiles[place].keys.tolist():
            yield from draw_key(pen, at, key, roles[place], seen=place <= state.at)
            if place < weighed:
                yield from draw_weight(pen, at, key, state)
    for place in places:
        tile, start = state.tiles[place].tile, at.starts[place]
        small, role = pen.narrow and len(state.tiles) > 4, "hot" if place == state.at else "axis"
        words = "" if small else f"tile {tile}"
        yield from bracket(pen, f"tile-{tile}", start + 2, start + at.wide - 2, at.bracket, words, role=role, depth=4)
        if small:  # the first moves out of the knob's way
            middle, base = start + at.wide / 2 - 10 * (place == 0), at.bracket + pen.size + 6
            yield pen.text(f"tile-{tile}-label", middle, base, str(tile), "note", anchor="middle")
    if np.isfinite(state.maximum):
        height = at.zero - state.maximum * at.scale
        yield pen.line("max", box.x, height, at.starts[state.at] + at.wide, height, "hot dashed")
        yield pen.text("max-label", box.x, height - 4, f"m = {number(state.maximum)}", "hot strong")


def draw_key(pen: Pen, at: Columns, key: int, role: str, seen: bool) -> Iterator[Mark]:
    score, x = float(SCORES[key]), at.left[key]
    top, bottom = at.zero - max(score, 0) * at.scale, at.zero - min(score, 0) * at.scale
    read = f"key {key}: score {number(score)}, value {number(VALUES[key])}"
    yield pen.rect(f"key-{key}", Box(x + 2, top, at.each - 4, max(bottom - top, 1.5)), role, read=read)
    yield pen.text(f"score-{key}", x + at.each / 2, bottom + pen.size, number(score), "note", anchor="middle")
    role = "label" if seen else "note"
    yield pen.text(f"value-{key}", x + at.each / 2, at.values, number(VALUES[key]), role, anchor="middle")


def draw_weight(pen: Pen, at: Columns, key: int, state: State) -> Iterator[Mark]:
    """e^(score − m), on the row under its key."""
    weight = float(np.exp(SCORES[key] - state.measure))
    tall = at.weight * weight
    box = Box(at.left[key] + 2, at.weight_foot - tall, at.each - 4, tall)
    yield pen.rect(f"weight-{key}", box, "kept soft" if state.phase == "add" else "kept", round=1,
                   read=f"key {key}: weight {weight:.3f}")  # fmt: skip


def draw_sums(pen: Pen, box: Box, at: Columns, state: State) -> Iterator[Mark]:
    """The two running sums: what was there, and the weights and weighted values that are added to it."""
    tile, factor = state.tile, state.tile.rescale
    shrunk = state.phase == "rescale"
    title = f"both sums × {factor:.3f}" if shrunk else "running sums"
    yield pen.text("sums-title", box.x, box.y - 7, title, "hot strong" if shrunk else "note")
    before = [float(part) * (factor if state.phase not in ("load", "max") else 1.0) for part in tile.before[1:]]
    gains = tile.weights, tile.weights * VALUES[tile.keys]
    names = ("l", "sum of weights"), ("O", "sum of weights × values")
    rows = box.rows(2, gap=pen.pick(6, 8))
    for (name, words), was, start, gain, most, row in zip(
        names, tile.before[1:], before, gains, (MOST_L, MOST_O), rows, strict=True
    ):
        unit = row.width / most
        yield pen.text(
            f"{name}-name", row.x - pen.pick(18, 20), row.y + row.height / 2, name, "label strong", middle=True
        )
        if shrunk:
            yield pen.rect(f"{name}-was", row._replace(width=max(was * unit, 1.0)), "ghost outline")
        yield pen.rect(f"{name}-sum", row._replace(width=max(start * unit, 1.0)), "data", read=f"{words}: {start:.2f}")
        x, total = row.x + max(start * unit, 1.0), start
        for key, part in zip(tile.keys.tolist(), gain.tolist(), strict=True):
            added = state.phase == "add"
            if state.phase in ("weigh", "add"):
                place = Box(x, row.y, part * unit, row.height) if added else _waiting(at, key, name, state)
                yield pen.rect(f"{name}-gain-{key}", place, "kept", round=0)
            x, total = x + part * unit, total + part * added
        yield pen.text(f"{name}-value", max(x if state.phase == "add" else row.x + start * unit, row.x) + 6,
                       row.y + row.height / 2, f"{total:.2f}", "value", middle=True)  # fmt: skip


def _waiting(at: Columns, key: int, name: str, state: State) -> Box:
    """Where what a key adds stands before it travels: over its weight, half for each of the sums."""
    tall = at.weight * float(np.exp(SCORES[key] - state.measure))
    half = at.each / 2 - 2
    return Box(at.left[key] + 2 + half * (name == "O"), at.weight_foot - tall, half, tall)


def draw_answer(pen: Pen, box: Box, state: State) -> Iterator[Mark]:
    """The quotient of the two sums so far, and where it has to end."""
    done, last = state.done, state.done == len(state.tiles)
    words = f"{state.tiles[done - 1].output:.3f}" if done else "–"
    lines = ("O ÷ l, exact" if last else "O ÷ l so far", f"exact: {EXACT:.3f}")
    role = "work" if last else "value"
    yield from headline(pen, box.x, box.y + pen.huge, words, lines, role, under=True, rest="note")


def draw_outputs(pen: Pen, box: Box, state: State) -> Iterator[Mark]:
    """O / l after each tile, beside the exact softmax that it reaches at the end."""
    count, done = len(state.tiles), state.done
    plot = Plot(pen, box, Axis("tiles", span=(0, count), ticks=(0, count)), Axis("O/l", span=OUTPUTS, ticks=OUTPUTS),
                "out")  # fmt: skip
    yield from plot.axes()
    yield from plot.hline("exact", EXACT, "exact")
    outputs = [tile.output for tile in state.tiles[:done]]
    if done > 1:
        yield plot.curve("out-path", range(1, done + 1), outputs, "data thin")
    for taken, output in enumerate(outputs, 1):
        role, radius = ("work", pen.pick(5.0, 7.0)) if taken == count else ("hot" if taken == done else "data", 3.5)
        yield from plot.point(f"out-{taken}", taken, output, role, radius=radius)
