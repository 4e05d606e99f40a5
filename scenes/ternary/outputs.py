"""A sum times γ, the outputs of all rows beside the exact ones, and how far off they are for each kind of weights."""

from __future__ import annotations

from collections.abc import Iterator

from loom.draw import Bar, Box, Mark, fixed, headline, horizontal_bars
from loom.scene import Moment

from .case import BELL, HEAVY, KINDS, ROWS, TRAINED, case_of
from .pace import ERRORS, EXACT, OTHERS, OUTPUT, has_come
from .panels import Stage

NAMES = {BELL: "bell curve", HEAVY: "heavy tails", TRAINED: "nearly ternary"}


def draw_outputs(stage: Stage, moment: Moment) -> Iterator[Mark]:
    """An output for each row of the matrix, beside its row where there is room; hatched is its error."""
    pen, box, case = stage.pen, stage.panel, moment.result.case
    outputs, exact = case.outputs.tolist(), case.exact[:, -1].tolist()
    first, second, lead = box.right - pen.pick(46, 58), box.right, box.y + stage.title
    ended = has_come(moment, "scaled", ERRORS)
    yield from draw_heads(stage, moment, first, second)
    left, low, high = 18.0, min(*exact, 0.0), max(*exact, 0.0)
    scale = (box.width - pen.pick(96, 120) - left) / (high - low)
    zero, shift = box.x + left - low * scale, pen.pick(lead + 8 - stage.bands[0].y, 0.0)
    bands = [band.inset(top=shift, bottom=-shift) for band in stage.bands]

    def bar(row: Box, end: float, start: float = 0.0) -> Box:
        return Box(zero + min(start, end) * scale, row.y, abs(end - start) * scale, row.height)

    for row, band in enumerate(bands):
        middle, picked, thin = band.y + band.height / 2, row == moment.result.row - 1, band.inset(top=3, bottom=3)
        grown, compared = turns(moment, row)
        if compared:
            yield pen.rect(f"e{row}", bar(band.inset(top=1, bottom=1), exact[row]), "ghost", round=0)
        role = ("work" if picked else "data") + (" outline" if outputs[row] < 0 else "")
        role = role if grown else "data"  # what has no length yet is the same, whatever is picked
        told = f"row {row + 1}: {fixed(outputs[row], 0)}, exact {fixed(exact[row], 0)}" if compared else ""
        yield pen.rect(f"q{row}", bar(thin, outputs[row] if grown else 0.0), role, round=0, read=told)
        role = "value strong" if picked else "value"
        if compared:
            yield pen.text(f"v{row}", first, middle, fixed(outputs[row], 0), role, anchor="end", middle=True)
            yield pen.text(f"u{row}", second, middle, fixed(exact[row], 0), "note", anchor="end", middle=True)
        if pen.narrow:  # else it stands beside its row
            yield pen.text(f"j{row}", box.x, middle, str(row + 1), "note", middle=True)
    if ended:
        thin = [band.inset(top=3, bottom=3) for band in bands]
        lost = [bar(row, *both) for row, *both in zip(thin, exact, outputs, strict=True)]
        yield pen.hatches("lost", lost, "dropped thin")
    yield pen.line("outputs-zero", zero, bands[0].y, zero, bands[-1].bottom, "axis")
    if ended and not pen.narrow:
        yield from draw_kinds(stage, moment)


def draw_heads(stage: Stage, moment: Moment, first: float, second: float) -> Iterator[Mark]:
    """What the panel is, on a phone in the end with the error of it all; and over the numbers, what they are."""
    pen, box, lead = stage.pen, stage.panel, stage.panel.y + stage.title
    words, role = pen.pick("outputs of all rows", "outputs of all rows, on one scale"), "note"
    if pen.narrow and has_come(moment, "scaled", ERRORS):
        words, role = f"outputs: error {moment.result.case.error:.0f}%", "dropped strong answer"
    yield pen.text("outputs", box.x, lead, words, role)
    yield pen.text("outputs-1", first, lead, "γ·sum", "label", anchor="end")
    yield pen.text("outputs-2", second, lead, "exact", "note", anchor="end")


def turns(moment: Moment, row: int) -> tuple[bool, bool]:
    """Whether the bar of a row has set out, and whether it has come and is compared: first the picked row's."""
    beats = (OUTPUT, EXACT) if row == moment.result.row - 1 else (OTHERS, ERRORS)
    return has_come(moment, "scaled", beats[0]), has_come(moment, "scaled", beats[1])


def draw_kinds(stage: Stage, moment: Moment) -> Iterator[Mark]:
    """The error of the outputs, among those of the other kinds of weights; pressing a bar picks its kind."""
    pen, here, x = stage.pen, moment.result.case, stage.sums.x  # clear of the names of sums
    box = Box(x, stage.walk.y + 40, pen.width - x, stage.walk.height - 40)
    words = [f"error of the {ROWS} outputs"]
    yield from headline(pen, x, box.y - 14, f"{here.error:.0f}%", words, "dropped", key="error")
    errors = {kind: case_of(kind).error for kind in KINDS}
    bars = [
        Bar(kind, NAMES[kind], error, f"{error:.0f}%", "dropped" if kind == here.kind else "dropped soft")
        for kind, error in errors.items()
    ]
    for mark in horizontal_bars(pen, box, bars, max(errors.values())):
        kind = mark.key.removesuffix("-bar")
        pressed = {"set": {"data": kind}, "label": f"pick weights: {NAMES[kind]}"} if kind in KINDS else {}
        yield mark._replace(**pressed)


def draw_scaling(stage: Stage, moment: Moment, zero: float, scale: float) -> Iterator[Mark]:
    """How tall the walk was before it was multiplied by γ: all three sums stand on one scale."""
    pen, y = stage.pen, zero - moment.result.sum * scale
    yield pen.line("unscaled", stage.xs[-1] - stage.half, y, stage.right, y, "axis dashed")
    if not pen.narrow:  # where there is room beside the walk the product stands at its end
        return
    upper, middle = stage.walk.y + pen.size, stage.walk.y + stage.walk.height / 2
    below = stage.walk.bottom - 4 if zero < middle else upper  # where the walk does not begin
    yield pen.text("unscaled-name", stage.left + 4, below, product_of(moment), "value strong halo answer")


def product_of(moment: Moment) -> str:
    """The one multiplication of the picked row; its result when the walk has come to it."""
    if not has_come(moment, "scaled", OUTPUT):
        return f"{fixed(moment.result.sum, 0)} × γ"
    return f"{fixed(moment.result.sum, 0)} × γ = {fixed(moment.result.output, 0)}"
