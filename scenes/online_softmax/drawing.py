"""The picture of online softmax: tiles of scores, their weights, and the balance that these come to."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from loom.draw import Box, Mark, Pen, bracket, number

from .balance import Beam, draw_answer, draw_balance
from .model import SCORES, TILES, VALUES, State


def draw(state: State, width: float) -> Iterator[Mark]:
    pen = Pen(width)
    keys, balance, answer = pen.pick(
        (Box(44, 36, width - 44, 162), Box(56, 206, width - 56, 130), Box(0, 0, width, 36)),  # no words are flown over
        (Box(44, 0, width - 44, 178), Box(72, 186, 528, 160), Box(644, 200, 188, 90)),
    )
    columns, beam = Columns(pen, keys, state), Beam(pen, balance)
    yield from draw_keys(pen, keys, columns, state)
    yield draw_knob(pen, keys, columns, state)
    yield from draw_weights(pen, columns, beam, state)
    yield from draw_balance(pen, beam, state, columns.weights(beam, state))
    yield from draw_answer(pen, answer, state)


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
        self.bracket = self.weight_foot - pen.pick(28, 36) - pen.size - pen.pick(12, 14)
        high = self.bracket - box.y - pen.pick(40, 38)  # so that the number of a score below 0 is clear of the knob
        self.scale = high / (SCORES.max() - min(SCORES.min(), 0))
        self.zero = box.y + pen.pick(16, 18) + SCORES.max() * self.scale

    def weights(self, beam: Beam, state: State) -> dict[int, Box]:
        """The box of each weight of this tile under its key."""
        wide, boxes = min(beam.wide, self.each), {}
        for key, weight in zip(state.tile.keys.tolist(), state.tile.weights.tolist(), strict=True):
            x, tall = self.left[key] + (self.each - wide) / 2, weight * beam.tall
            boxes[key] = Box(x, self.weight_foot - tall, wide, tall)
        return boxes


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
    # Drawn in the order given, wherever they stand now, and brackets behind all keys: the same marks are always over
    # the same others, however large tiles are.
    places = sorted(range(len(state.tiles)), key=lambda place: state.tiles[place].tile)
    roles = [
        "hot" if place == state.at else "data soft" if place < state.at else "cell" for place in range(len(places))
    ]
    for place in places:
        for key in state.tiles[place].keys.tolist():
            yield from draw_key(pen, at, key, roles[place], seen=place <= state.at)
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


def draw_weights(pen: Pen, at: Columns, beam: Beam, state: State) -> Iterator[Mark]:
    """e^(score − m) under each key of this tile, as large as on the beam, where a trace of it stays behind."""
    if state.phase in ("weigh", "add"):
        weights = dict(zip(state.tile.keys.tolist(), state.tile.weights.tolist(), strict=True))
        for key, box in at.weights(beam, state).items():
            yield pen.rect(f"weight-{key}", box, "kept soft", round=0, read=f"key {key}: weight {weights[key]:.3f}")
