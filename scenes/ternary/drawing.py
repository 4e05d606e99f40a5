"""The picture of one step: the matrix, the picked row under it in the same columns, and a panel."""

from __future__ import annotations

from collections.abc import Iterator

from loom.draw import Box, Mark, Pen, bracket, fixed
from loom.scene import Moment

from .data import ACTIVATIONS, COLUMNS, ROWS
from .narration import trit
from .packing import FIVE, PLACES
from .panels import draw_histogram, draw_ledger, draw_operations, draw_outputs, draw_sizes
from .rows import draw_terms
from .stage import Stage

BYTE = 8  # bits


def draw(moment: Moment, width: float) -> Iterator[Mark]:
    stage = Stage(Pen(width))
    yield from draw_matrix(stage, moment)
    yield from draw_numbers(stage, moment)
    yield from (draw_bytes if moment.phase == "packed" else draw_terms)(stage, moment)
    if moment.phase in ("weights", "product"):
        yield from draw_ledger(stage, moment)
        yield from draw_operations(stage, moment)
    elif moment.phase in ("gamma", "rounded"):
        yield from draw_histogram(stage, moment)
    else:
        yield from (draw_outputs if moment.phase == "scaled" else draw_sizes)(stage, moment)


def draw_matrix(stage: Stage, moment: Moment) -> Iterator[Mark]:
    """Weights as squares: area is magnitude, filled is positive and hollow negative. Pressing a row picks it."""
    pen, case, chosen = stage.pen, moment.result.case, moment.result.row - 1
    yield pen.text("W", stage.left, stage.title, "weights W: area is size, filled +, hollow −", "note")
    for row, band in enumerate(stage.bands):
        role = "hot outline" if row == chosen else "cell"
        yield pen.rect(f"r{row}", band, role, set={"row": row + 1}, label=f"pick row {row + 1}")
    gammas, trits = (case.weights / case.gamma).tolist(), case.trits.tolist()
    for row in range(ROWS):
        for column in range(COLUMNS):
            weight = gammas[row][column]
            square = stage.square(row, column, abs(trits[row][column] if moment.since("rounded") else weight))
            yield pen.rect(f"w{row}{column}", square, role_of(moment, row == chosen, weight), round=0)


def role_of(moment: Moment, chosen: bool, gammas: float) -> str:
    """How a weight of so many γ is drawn: hollow if negative, and as a loss while it is about to become 0."""
    small = abs(gammas) < 0.5
    if small and moment.since("rounded"):
        return "quiet"
    role = "dropped" if small and moment.phase == "gamma" else "hot" if chosen else "data"
    return f"{role} outline" if gammas < 0 else role


def draw_numbers(stage: Stage, moment: Moment) -> Iterator[Mark]:
    """The picked row's weights and the activations, each in its column; at the end the digits in their stead."""
    pen, (upper, lower), pick = stage.pen, stage.lines, moment.result
    packed, quiet = moment.phase == "packed", moment.phase in ("product", "scaled")
    row, plus, decimals = pen.pick(("w", "+1", 1), (f"row {pick.row}", "plus 1", 2))
    yield pen.text("n-w", 0, upper, row, "hot strong")
    yield pen.text("n-x", 0, lower, plus if packed else "x", "note")
    numbers = zip(stage.xs, pick.weights.tolist(), pick.trits.tolist(), strict=True)
    for column, (x, weight, sign) in enumerate(numbers):
        words = trit(sign) if moment.since("rounded") else fixed(weight, decimals)
        yield pen.text(f"a{column}", x, upper, words, "hot", anchor="middle")
        words = str((pick.digits if packed else ACTIVATIONS)[column])
        yield pen.text(f"b{column}", x, lower, words, "note soft" if quiet and not sign else "value", anchor="middle")


def draw_bytes(stage: Stage, moment: Moment) -> Iterator[Mark]:
    """Five digits times what their places are worth make a number, and the number a byte."""
    pen, side, down = stage.pen, stage.pen.pick(15, 20), stage.walk.y + stage.pen.size * 0.5
    top, reach = down + 2 * pen.size + pen.pick(20, 28), stage.pitch * 0.38
    for column, x in enumerate(stage.xs):
        yield pen.text(f"p{column}", x, down, f"×{PLACES[column % FIVE]}", "note", anchor="middle")
    for group, number in enumerate(moment.result.numbers):
        columns = slice(group * FIVE, (group + 1) * FIVE)
        first, last = stage.xs[columns][0] - reach, stage.xs[columns][-1] + reach
        worth = moment.result.digits[columns] * PLACES
        yield from bracket(pen, f"s{group}", first, last, down + 7, f"{' + '.join(map(str, worth))} = {number}")
        start = Box((first + last - BYTE * side) / 2, top, side, side)
        for place, box in enumerate(start.beside(*[side] * BYTE)):
            yield pen.rect(f"k{group}{place}", box, "hot outline", round=0)
            yield pen.text(f"i{group}{place}", box.x + side / 2, top + side / 2, f"{number:08b}"[place], "value",
                           anchor="middle", middle=True)  # fmt: skip
        yield pen.text(f"y{group}", (first + last) / 2, top + side + pen.size + 4, "one byte", "note", anchor="middle")
