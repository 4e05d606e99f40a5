"""The balance: weights stand at their values on a beam, what is kept hangs from it, and O / l is where they balance."""

from __future__ import annotations

from collections.abc import Iterator

from loom.draw import Box, Mark, Pen, headline

from .model import ORDERS, SCORES, TILES, VALUES, State, TileStep, online_softmax, softmax

EXACT = float(softmax(SCORES) @ VALUES)
STEPS = [step for order in ORDERS for tile in TILES for step in online_softmax(SCORES, VALUES, tile, order)]
MOST_L = max(step.after[1] for step in STEPS)  # what hangs from the beam keeps one scale on the whole grid
ENDS = (7.5, 15.5)  # of the beam: every value, and so every mean of values, lies between


class Beam:
    """Where values lie on the beam, and how large weights are: their area is what they weigh."""

    def __init__(self, pen: Pen, box: Box) -> None:
        self.box = box
        self.scale = box.width / (ENDS[1] - ENDS[0])
        self.tall = pen.pick(28, 34)  # of a key whose weight is 1
        self.wide = pen.pick(12, 18)  # of a key
        self.lump = 2 * self.wide  # of what is kept
        self.top = box.y + self.tall + 4
        self.bottom = self.top + pen.pick(16, 20)
        self.track = self.bottom + MOST_L * self.tall * self.wide / self.lump + pen.pick(10, 8)

    def at(self, value: float) -> float:
        """The place of a value."""
        return self.box.x + (value - ENDS[0]) * self.scale

    def hung(self, place: float, above: float, weight: float) -> Box:
        """A part of what is kept, hanging at a place under so much other weight."""
        each = self.tall * self.wide / self.lump
        return Box(self.at(place) - self.lump / 2, self.bottom + above * each, self.lump, weight * each)


def draw_balance(pen: Pen, beam: Beam, state: State, waiting: dict[int, Box]) -> Iterator[Mark]:
    """The beam, what hangs from it and stands on it, and where it balances; `waiting` is where weights come from."""
    box = beam.box
    yield pen.line("exact", beam.at(EXACT), box.y, beam.at(EXACT), beam.track + 4, "ghost")
    yield pen.text("exact-label", beam.at(EXACT) + 12, beam.track + pen.size - 1, "exact", "note")
    yield pen.text("new-row", 0, beam.top - 5, "this tile", "note")
    yield pen.text("beam-row", 0, (beam.top + beam.bottom) / 2, "value", "note", middle=True)
    yield pen.rect("beam", Box(box.x, beam.top, box.width, beam.bottom - beam.top))
    for value in range(8, 16):
        middle = (beam.top + beam.bottom) / 2
        yield pen.text(f"beam-{value}", beam.at(value), middle, str(value), "note", anchor="middle", middle=True)
    yield pen.line("track", box.x, beam.track, box.right, beam.track, "grid")
    yield from draw_kept(pen, beam, state)
    yield from draw_gains(pen, beam, state, waiting)
    yield from draw_balanced(pen, beam, state)


def draw_kept(pen: Pen, beam: Beam, state: State) -> Iterator[Mark]:
    """All that is left of earlier tiles: one weight of l at O / l. A rescale makes it lighter and leaves it there."""
    line, tile = beam.bottom + pen.size + 3, state.tile
    yield pen.text("kept-row", 0, line, "kept" if state.at else "nothing kept yet", "note")
    if not state.at:
        return
    output, whole = state.tiles[state.at - 1].output, tile.before[1]
    left = whole * tile.rescale if state.rescaled else whole
    if state.rescaled and tile.rescale < 1:
        yield pen.rect("kept-was", beam.hung(output, 0, whole), "ghost outline")
        yield pen.text("kept-factor", 0, line + 1.3 * pen.size, f"× {tile.rescale:.3f}", "hot strong")
    yield pen.rect("kept", beam.hung(output, 0, left), "data", read=f"kept: a weight of {left:.3f} at {output:.3f}")


def draw_gains(pen: Pen, beam: Beam, state: State, waiting: dict[int, Box]) -> Iterator[Mark]:
    """This tile's weights, on their way to their values; as the next tile comes, they join what is kept."""
    if state.phase == "load" and state.at:
        last = state.tiles[state.at - 1]
        above = last.after[1] - float(last.weights.sum())
        for key, weight in zip(last.keys.tolist(), last.weights.tolist(), strict=True):
            yield pen.rect(f"gain-{key}", beam.hung(last.output, above, weight), "kept", round=0)
            above += weight
    if state.phase in ("weigh", "add"):
        landed = dict(standing(beam, state.tile)) if state.phase == "add" else waiting
        for key, box in landed.items():
            yield pen.rect(f"gain-{key}", box, "kept", round=0, read=f"key {key}, of the value {VALUES[key]:g}")


def standing(beam: Beam, tile: TileStep) -> Iterator[tuple[int, Box]]:
    """Each key of a tile, and the box in which its weight stands at its value, keys of one value stacked."""
    feet: dict[float, float] = {}
    for key, weight in zip(tile.keys.tolist(), tile.weights.tolist(), strict=True):
        value, tall = float(VALUES[key]), weight * beam.tall
        feet[value] = feet.get(value, beam.top) - tall
        yield key, Box(beam.at(value) - beam.wide / 2, feet[value], beam.wide, tall)


def draw_balanced(pen: Pen, beam: Beam, state: State) -> Iterator[Mark]:
    """Where the beam balances, and where it did after each earlier tile."""
    for taken, tile in enumerate(state.tiles[: state.done], 1):
        if taken < state.done:
            yield pen.circle(f"out-{taken}", beam.at(tile.output), beam.track, pen.pick(2.5, 3), "quiet")
    if not state.done:
        return
    x, half = beam.at(state.tiles[state.done - 1].output), pen.pick(7, 9)
    role = "work" if state.ended else "hot"
    yield pen.line("post", x, beam.bottom, x, beam.track - half, role)
    foot = [(x, beam.track - half), (x + half, beam.track), (x - half, beam.track)]
    yield pen.path("foot", foot, f"{role} solid", close=True, read=f"balances at {state.output:.3f}")


def draw_answer(pen: Pen, box: Box, state: State) -> Iterator[Mark]:
    """The place of balance: the quotient of the two sums that are kept."""
    l, o = state.sums
    if state.done:
        words = (f"= O ÷ l = {o:.2f} ÷ {l:.2f}", "exact" if state.ended else f"exact: {EXACT:.3f}")
    else:
        words = ("nothing is summed yet", f"exact: {EXACT:.3f}")
    number = f"{state.output:.3f}" if state.done else "–"
    role = "work" if state.ended else "value"
    yield from headline(pen, box.x, box.y + pen.huge, number, words, role, under=not pen.narrow, rest="note",
                        widest=["00.000"])  # fmt: skip
