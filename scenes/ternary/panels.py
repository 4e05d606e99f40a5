"""What stands beside the matrix: the sum written out, the operations of all rows, and a million weights."""

from __future__ import annotations

from collections.abc import Iterator

from loom.draw import Box, Mark, wrap

from .case import BINS, DENSE, REACH, WEIGHTS, State
from .data import ACTIVATIONS, ROWS, SAMPLE
from .stage import Stage
from .words import joined, signed, trit


def draw_ledger(stage: Stage, state: State) -> Iterator[Mark]:
    """The picked row's product as a sum: of products, or of what is added and what is subtracted."""
    pen, box = stage.pen, stage.panel
    top = box.y + stage.title if pen.narrow else stage.lines[0]
    heading = f"row {state.row} times x" + (": no multiplication" if state.step != WEIGHTS else "")
    yield pen.text("ledger", box.x, top, heading, "hot strong")
    if state.step == WEIGHTS:
        terms = [f"{w:+.2f}·{x}".replace("-", "−") for w, x in zip(state.weights, ACTIVATIONS, strict=True)]
        rows = wrap(" ".join(terms).removeprefix("+"), pen.size, box.width)
        for at, words in enumerate([*rows, f"= {signed(state.exact)}"]):
            role = "value" if at < len(rows) else "hot strong"
            yield pen.text(f"l{at}", box.x, top + stage.line * (at + 1.1), words, role)
        return
    added, subtracted, left = ([int(x) for x in ACTIVATIONS[state.trits == sign]] for sign in (1, -1, 0))
    lines = (
        ("add", f"{joined(added, '+')} = {sum(added)}"),
        ("subtract", f"{joined(subtracted, '+')} = {sum(subtracted)}"),
        ("leave out", ", ".join(map(str, left)) or "none"),
        ("", f"{sum(added)} − {sum(subtracted)} = {signed(state.sum)}"),
    )
    indent = pen.room("leave out") + 10
    for at, (name, words) in enumerate(lines):
        y = top + stage.line * (at + 1.1)
        if name:
            yield pen.text(f"m{at}", box.x, y, name, "note")
        yield pen.text(f"l{at}", box.x + indent, y, words, "value" if name else "hot strong")


def draw_operations(stage: Stage, state: State) -> Iterator[Mark]:
    """All rows: a bar as long as the dense product's operations, and what is left of it."""
    pen, box = stage.pen, stage.panel
    top = box.y + (91 if pen.narrow else stage.title - pen.size)
    tall, each = (11, 32) if pen.narrow else (24, 72)
    width, down = box.width, pen.size * 0.5
    if state.step == WEIGHTS:
        names = [f"all {ROWS} rows: {DENSE} multiplications", f"{DENSE} additions"]
        parts: list[list[tuple[str, float, str]]] = [[("x", DENSE, "data")], [("p", DENSE, "data")]]
    else:
        plus, minus, nothing = state.case.operations
        names = [
            f"all {ROWS} rows: {ROWS} multiplications, by γ, of {DENSE}",
            f"{plus} additions, {minus} subtractions, {nothing} left out",
        ]
        parts = [
            [("x", ROWS, "data"), ("y", DENSE - ROWS, "ghost")],
            [("p", plus, "data"), ("m", minus, "data outline"), ("z", nothing, "ghost")],
        ]
    for at, (name, pieces) in enumerate(zip(names, parts, strict=True)):
        y = top + at * each
        yield pen.text(f"o{at}", box.x, y + pen.size, name, "label")
        start = box.x
        for key, number, role in pieces:
            length = width * number / DENSE
            yield pen.rect(f"o{key}", Box(start, y + pen.size + down, length - 1, tall), role, round=0)
            start += length


def draw_histogram(stage: Stage, state: State) -> Iterator[Mark]:
    """How many of a million weights have each size, in units of γ, and what becomes of them."""
    pen, box, case = stage.pen, stage.panel, state.case
    words = f"{SAMPLE:,} such weights" if state.is_rounded else f"{SAMPLE:,} such weights become"
    yield pen.text("many", box.x, box.y + stage.title, words, "note")
    plot = box.inset(0, 44 if pen.narrow else 64, 0, 34 if pen.narrow else 84)
    unit, middle = plot.width / (2 * REACH), plot.x + plot.width / 2
    yield pen.line("floor", plot.x, plot.bottom, plot.right, plot.bottom, "axis")
    heights = plot.bottom - plot.height * case.histogram / case.histogram.max()
    edges = [(plot.x + (at + side) * plot.width / BINS, y) for at, y in enumerate(heights) for side in (0, 1)]
    yield pen.path("bell", edges, "ghost" if state.is_rounded else "data")
    cuts = [[(x, plot.y - 6), (x, plot.bottom)] for x in (middle - unit / 2, middle + unit / 2)]
    yield pen.strokes("cuts", cuts, "hot dashed")
    for value, share in zip((-1, 0, 1), case.shares, strict=True):
        yield from draw_share(stage, state, plot, value, share)
    if state.is_rounded:
        words = f"error {case.fidelity.error:.0f}% of the weights: {case.fidelity.sqnr:.2f} dB"
        yield pen.text("error", box.x, plot.bottom + 2.4 * pen.size + 6, words, "dropped strong")


def draw_share(stage: Stage, state: State, plot: Box, value: int, share: float) -> Iterator[Mark]:
    """One of the three values: which weights become it, or how many [%] have; half of them would fill the plot."""
    pen, unit, middle = stage.pen, plot.width / (2 * REACH), plot.x + plot.width / 2
    place, above, role = middle + value * unit, middle + value * unit * 1.9, "label" if value else "dropped strong"
    if state.is_rounded:
        tall = min(share / 50, 1.0) * plot.height
        bar = "dropped" if not value else "data" if value > 0 else "data outline"
        yield pen.rect(f"h{value}", Box(place - 0.2 * unit, plot.bottom - tall, 0.4 * unit, tall), bar, round=0)
        above = place
    words = f"{share:.1f}%" if state.is_rounded else trit(value)
    yield pen.text(f"hs{value}", above, plot.y - 10, words, role, anchor="middle")
    name = ("−γ", "0", "γ")[value + 1]
    yield pen.text(f"hx{value}", place, plot.bottom + pen.size + 4, name, "note", anchor="middle")
