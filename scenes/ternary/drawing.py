"""The picture of one step: the matrix, the picked row under it in the same columns, and a panel."""

from __future__ import annotations

from collections.abc import Iterator

from loom.draw import Box, Mark, Pen, bracket

from .case import GAMMA, PACKED, PRODUCT, ROUNDED, SCALED, WEIGHTS, State
from .data import ACTIVATIONS, COLUMNS, ROWS
from .packing import FIVE, PLACES
from .panels import draw_histogram, draw_ledger, draw_operations
from .results import draw_outputs, draw_sizes
from .rows import draw_terms
from .stage import Stage
from .words import signed, trit

BYTE = 8  # bits


def draw(state: State, width: float) -> Iterator[Mark]:
    stage = Stage(Pen(width))
    yield from draw_matrix(stage, state)
    yield from draw_numbers(stage, state)
    if state.step == PACKED:
        yield from draw_bytes(stage, state)
    else:
        yield from draw_terms(stage, state)
    if state.step in (WEIGHTS, PRODUCT):
        yield from draw_ledger(stage, state)
        yield from draw_operations(stage, state)
    elif state.step in (GAMMA, ROUNDED):
        yield from draw_histogram(stage, state)
    elif state.step == SCALED:
        yield from draw_outputs(stage, state)
    else:
        yield from draw_sizes(stage, state)


def draw_matrix(stage: Stage, state: State) -> Iterator[Mark]:
    """Weights as squares: area is magnitude, filled is positive and hollow negative. Pressing a row picks it."""
    pen, case = stage.pen, state.case
    yield pen.text("W", stage.left, stage.title, "weights W: area is size, filled +, hollow −", "note")
    for row in range(ROWS):
        role = "hot outline" if row == state.at else "cell"
        yield pen.rect(f"r{row}", stage.band(row), role, set={"row": row + 1}, label=f"pick row {row + 1}")
    for row in range(ROWS):
        for column in range(COLUMNS):
            weight = case.weights[row, column] / case.gamma
            size = abs(case.trits[row, column]) if state.is_rounded else abs(weight)
            yield pen.rect(f"w{row}{column}", stage.square(row, column, float(size)),
                           role_of(state, row, float(weight)), round=0)  # fmt: skip


def role_of(state: State, row: int, gammas: float) -> str:
    """How a weight of so many γ is drawn: hollow if negative, and as a loss while it is about to become 0."""
    if abs(gammas) < 0.5 and state.is_rounded:
        return "quiet"
    role = "dropped" if abs(gammas) < 0.5 and state.step == GAMMA else "hot" if row == state.at else "data"
    return f"{role} outline" if gammas < 0 else role


def draw_numbers(stage: Stage, state: State) -> Iterator[Mark]:
    """The picked row's weights and the activations, each in its column; at the end the digits in their stead."""
    pen, (upper, lower), digits = stage.pen, stage.lines, 1 if stage.pen.narrow else 2
    ends = state.step == PACKED
    yield pen.text("n-w", 0, upper, "w" if pen.narrow else f"row {state.row}", "hot strong")
    yield pen.text("n-x", 0, lower, ("+1" if pen.narrow else "plus 1") if ends else "x", "note")
    for column in range(COLUMNS):
        weight, sign = float(state.weights[column]), int(state.trits[column])
        words = trit(sign) if state.is_rounded else signed(weight, digits)
        yield pen.text(f"a{column}", stage.x(column), upper, words, "hot", anchor="middle")
        words = str(state.digits[column] if ends else ACTIVATIONS[column])
        role = "note soft" if not sign and state.step in (PRODUCT, SCALED) else "value"
        yield pen.text(f"b{column}", stage.x(column), lower, words, role, anchor="middle")


def draw_bytes(stage: Stage, state: State) -> Iterator[Mark]:
    """Five digits times what their places are worth make a number, and the number a byte."""
    pen, walk = stage.pen, stage.walk
    down = walk.y + pen.size * 0.5
    for column in range(COLUMNS):
        words = f"×{PLACES[column % FIVE]}"
        yield pen.text(f"p{column}", stage.x(column), down, words, "note", anchor="middle")
    side = 15 if pen.narrow else 20
    for group, number in enumerate(state.numbers):
        first, last = stage.x(group * FIVE) - stage.pitch * 0.38, stage.x(group * FIVE + 4) + stage.pitch * 0.38
        worth = state.digits[group * FIVE : (group + 1) * FIVE] * PLACES
        words = f"{' + '.join(map(str, worth))} = {number}"
        yield from bracket(pen, f"s{group}", first, last, down + 7, words)
        start, top = (first + last - BYTE * side) / 2, down + 2 * pen.size + (20 if pen.narrow else 28)
        for place in range(BYTE):
            box = Box(start + place * side, top, side, side)
            yield pen.rect(f"k{group}{place}", box, "hot outline", round=0)
            yield pen.text(f"i{group}{place}", box.x + side / 2, top + side / 2, f"{number:08b}"[place], "value",
                           anchor="middle", middle=True)  # fmt: skip
        yield pen.text(f"y{group}", (first + last) / 2, top + side + pen.size + 4, "one byte", "note", anchor="middle")
