"""Where things stand, and what is beside the matrix: sums and operations, a million weights, outputs, and bits."""

from __future__ import annotations

from collections.abc import Iterator

from loom.draw import Box, Mark, Pen, fixed, wrap
from loom.scene import Moment

from .case import ACTIVATIONS, BINS, COLUMNS, DENSE, REACH, ROWS, SAMPLE, WEIGHT_BITS
from .model import BITS
from .narration import bits, joined, trit

GAMMAS = 3.1  # a weight of so many γ is as tall as its row


class Stage:
    """The geometry. A column is the same weight's and the same activation's all the way down."""

    def __init__(self, pen: Pen) -> None:
        self.pen = pen
        self.left, self.pitch = pen.pick((15, 28), (54, 41))  # of the columns; from one to the next
        self.right = self.left + COLUMNS * self.pitch
        self.xs = [self.left + (column + 0.5) * self.pitch for column in range(COLUMNS)]  # their middles
        self.half = self.pitch * 0.3  # of a bar's width
        top, tall, gap = pen.pick((20, 19, 2), (24, 27, 3))
        self.bands = Box(self.left, top, COLUMNS * self.pitch, 0).stack(*[tall - gap] * ROWS, gap=gap)  # the matrix
        self.title = pen.pick(11, 13)  # the baseline of what heads the stage, and a panel
        self.line = pen.pick(16, 20)  # from one line of words to the next
        bottom, size = self.bands[-1].bottom, pen.size
        # Baselines of the picked row's weights and of the activations.
        self.lines = pen.pick((bottom + size + 5, bottom + 2 * size + 9), (bottom + 24, bottom + 48))
        under, height = pen.pick((9, 96), (16, 142))
        self.walk = Box(self.left, self.lines[1] + under, COLUMNS * self.pitch, height)  # of the picked row's bars
        below, beside = Box(0, self.walk.bottom + 16, pen.width, 138), Box(528, 0, pen.width - 528, self.walk.bottom)
        self.panel = pen.pick(below, beside)  # what else the step is about

    def square(self, row: int, column: int, gammas: float) -> Box:
        """The square of a weight: its area is the weight's magnitude, in units of γ."""
        band = self.bands[row]
        side = max(band.height * (gammas / GAMMAS) ** 0.5, 2.5)
        return Box(self.xs[column] - side / 2, band.y + (band.height - side) / 2, side, side)


def draw_ledger(stage: Stage, moment: Moment) -> Iterator[Mark]:
    """The picked row's product as a sum: of products, or of what is added and what is subtracted."""
    pen, box, pick = stage.pen, stage.panel, moment.result
    top, dense = pen.pick(box.y + stage.title, stage.lines[0]), moment.phase == "weights"
    heading = f"row {pick.row} times x" + ("" if dense else ": no multiplication")
    yield pen.text("ledger", box.x, top, heading, "hot strong")
    if dense:
        terms = [f"{w:+.2f}·{x}".replace("-", "−") for w, x in zip(pick.weights, ACTIVATIONS, strict=True)]
        rows = wrap(" ".join(terms).removeprefix("+"), pen.size, box.width)
        lines = [("", words) for words in (*rows, f"= {fixed(pick.exact, 0)}")]
    else:
        added, subtracted, left = (ACTIVATIONS[pick.trits == sign].tolist() for sign in (1, -1, 0))
        lines = [
            ("add", f"{joined(added, '+')} = {sum(added)}"),
            ("subtract", f"{joined(subtracted, '+')} = {sum(subtracted)}"),
            ("leave out", ", ".join(map(str, left)) or "none"),
            ("", f"{sum(added)} − {sum(subtracted)} = {fixed(pick.sum, 0)}"),
        ]
    indent = 0 if dense else pen.room("leave out") + 10
    for at, (name, words) in enumerate(lines):
        y = top + stage.line * (at + 1.1)
        if name:
            yield pen.text(f"m{at}", box.x, y, name, "note")
        yield pen.text(f"l{at}", box.x + indent, y, words, "value" if at < len(lines) - 1 else "hot strong")


def draw_operations(stage: Stage, moment: Moment) -> Iterator[Mark]:
    """All rows: a bar as long as the dense product's operations, and what is left of it."""
    pen, box = stage.pen, stage.panel
    top, tall, each = pen.pick((91, 11, 32), (stage.title - pen.size, 24, 72))
    plus, minus, nothing = moment.result.case.operations
    bars = [
        (f"all {ROWS} rows: {ROWS} multiplications, by γ, of {DENSE}",
         [("x", ROWS, "data"), ("y", DENSE - ROWS, "ghost")]),
        (f"{plus} additions, {minus} subtractions, {nothing} left out",
         [("p", plus, "data"), ("m", minus, "data outline"), ("z", nothing, "ghost")]),
    ]  # fmt: skip
    if moment.phase == "weights":
        bars = [
            (f"all {ROWS} rows: {DENSE} multiplications", [("x", DENSE, "data")]),
            (f"{DENSE} additions", [("p", DENSE, "data")]),
        ]
    for at, (name, pieces) in enumerate(bars):
        y = box.y + top + at * each + pen.size
        yield pen.text(f"o{at}", box.x, y, name, "label")
        row = Box(box.x, y + pen.size * 0.5, box.width, tall)
        places = row.beside(*(box.width * number / DENSE for _, number, _ in pieces))
        for (key, _, role), place in zip(pieces, places, strict=True):
            yield pen.rect(f"o{key}", place.inset(right=1), role, round=0)


def draw_histogram(stage: Stage, moment: Moment) -> Iterator[Mark]:
    """How many of a million weights have each size, in units of γ, and what becomes of them."""
    pen, box, case, rounded = stage.pen, stage.panel, moment.result.case, moment.phase == "rounded"
    words = f"{SAMPLE:,} such weights" if rounded else f"{SAMPLE:,} such weights become"
    yield pen.text("many", box.x, box.y + stage.title, words, "note")
    over, under = pen.pick((44, 34), (64, 84))
    plot = box.inset(top=over, bottom=under)
    unit, middle = plot.width / (2 * REACH), plot.x + plot.width / 2
    yield pen.line("floor", plot.x, plot.bottom, plot.right, plot.bottom, "axis")
    heights = plot.bottom - plot.height * case.histogram / case.histogram.max()
    edges = [(plot.x + (at + side) * plot.width / BINS, y) for at, y in enumerate(heights) for side in (0, 1)]
    yield pen.path("bell", edges, "ghost" if rounded else "data")
    cuts = [[(x, plot.y - 6), (x, plot.bottom)] for x in (middle - unit / 2, middle + unit / 2)]
    yield pen.strokes("cuts", cuts, "hot dashed")
    # Each of the three values: which weights become it, or how many [%] have; half of them would fill the plot.
    for value, share, name in zip((-1, 0, 1), case.shares, ("−γ", "0", "γ"), strict=True):
        place, above, words = middle + value * unit, middle + value * unit * 1.9, trit(value)
        if rounded:
            tall, above, words = min(share / 50, 1.0) * plot.height, place, f"{share:.1f}%"
            bar = ("dropped", "data", "data outline")[value]
            yield pen.rect(f"h{value}", Box(place - 0.2 * unit, plot.bottom - tall, 0.4 * unit, tall), bar, round=0)
        role = "label" if value else "dropped strong"
        yield pen.text(f"hs{value}", above, plot.y - 10, words, role, anchor="middle")
        yield pen.text(f"hx{value}", place, plot.bottom + pen.size + 4, name, "note", anchor="middle")
    if rounded:
        words = f"error {case.fidelity.error:.0f}% of the weights: {case.fidelity.sqnr:.2f} dB"
        yield pen.text("error", box.x, plot.bottom + 2.4 * pen.size + 6, words, "dropped strong")


def draw_outputs(stage: Stage, moment: Moment) -> Iterator[Mark]:
    """An output for each row of the matrix, beside its row where there is room; dashed is the exact one."""
    pen, box, case = stage.pen, stage.panel, moment.result.case
    outputs, exact = case.outputs.tolist(), case.exact[:, -1].tolist()
    yield pen.text("outputs", box.x, box.y + stage.title, "γ × sum, and exact (dashed)", "note")
    left, low, high = 18.0, min(*exact, 0.0), max(*exact, 0.0)
    scale = (box.width - pen.room("−888 (−888)") - 8 - left) / (high - low)
    zero, shift = box.x + left - low * scale, pen.pick(box.y + stage.title + 8 - stage.bands[0].y, 0.0)

    def bar(value: float, row: Box) -> Box:
        return Box(zero + min(value, 0) * scale, row.y, abs(value) * scale, row.height)

    for row, beside in enumerate(stage.bands):
        band = beside.inset(top=shift, bottom=-shift)
        middle, picked = band.y + band.height / 2, row == moment.result.row - 1
        yield pen.rect(f"e{row}", bar(exact[row], band.inset(top=1, bottom=1)), "ghost", round=0)
        role = ("hot" if picked else "data") + (" outline" if outputs[row] < 0 else "")
        yield pen.rect(f"q{row}", bar(outputs[row], band.inset(top=4, bottom=4)), role, round=0)
        words = f"{fixed(outputs[row], 0)} ({fixed(exact[row], 0)})"
        role = "hot strong" if picked else "value"
        yield pen.text(f"v{row}", box.right, middle, words, role, anchor="end", middle=True)
        yield pen.text(f"j{row}", box.x, middle, str(row + 1), "note", middle=True)
    yield pen.line("outputs-zero", zero, stage.bands[0].y + shift, zero, stage.bands[-1].bottom + shift, "axis")
    if not pen.narrow:
        words = f"error {case.error:.0f}% of the outputs"
        yield pen.text("missed", box.x, stage.lines[1] + 20, words, "dropped strong")


def draw_sizes(stage: Stage, moment: Moment) -> Iterator[Mark]:
    """Bits of a weight: before, in two bits, five to a byte, and the least that three values need."""
    pen, box, case = stage.pen, stage.panel, moment.result.case
    yield pen.text("sizes", box.x, box.y + stage.title, "bits a weight, scale counted", "note")
    kinds = (
        ("before: BF16", WEIGHT_BITS, "data"),
        ("two bits each (TQ2_0)", case.two_bit, "data"),
        ("five in a byte (TQ1_0)", case.packed, "hot"),
        ("the least for three equally likely values: log₂ 3", BITS, "ghost"),
    )
    top, each, tall = pen.pick((20, 30, 9), (30, 64, 24))
    for at, (name, size, role) in enumerate(kinds):
        y = box.y + top + at * each + pen.size
        yield pen.text(f"u{at}", box.x, y, f"{bits(size)}  {name}", "hot strong" if role == "hot" else "label")
        yield pen.rect(f"z{at}", Box(box.x, y + 5, box.width * size / WEIGHT_BITS, tall), role, round=0)
