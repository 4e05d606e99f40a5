"""The picture of one step: the matrix, the picked row under it in the same columns, and a panel."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from loom.draw import Box, Mark, Pen, fixed, side_labels
from loom.scene import Moment

from .case import ACTIVATIONS, COLUMNS, ROWS
from .dense import draw_averaged, draw_dense, draw_multiplications, draw_turn
from .narration import trit
from .outputs import draw_outputs, draw_scaling, product_of
from .pace import DIGITS, DOWN, ERROR, EXACT, KNOWN, OUTPUT, barred, gone, has_come, landed, rounded, sorted_out, there
from .packed import draw_bytes, draw_sizes
from .panels import Stage, draw_histogram, draw_ledger, draw_operations, places_in_sums


def draw(moment: Moment, width: float) -> Iterator[Mark]:
    stage = Stage(Pen(width))
    yield from draw_matrix(stage, moment)
    yield from draw_hand(stage, moment)
    yield from draw_numbers(stage, moment)
    yield from (draw_bytes if moment.phase == "packed" else draw_terms)(stage, moment)
    done = landed(moment)
    if moment.phase == "weights":
        yield from draw_turn(stage, moment)
        yield from draw_dense(stage, moment)
        yield from draw_multiplications(stage, moment)
    elif moment.phase == "product":
        yield from draw_ledger(stage, moment, gone(moment), done)
        if done == COLUMNS:
            yield from draw_operations(stage, moment)
    elif moment.phase in ("gamma", "rounded"):
        yield from draw_averaged(stage, moment)
        yield from draw_histogram(stage, moment)
    else:
        yield from (draw_outputs if moment.phase == "scaled" else draw_sizes)(stage, moment)


def draw_matrix(stage: Stage, moment: Moment) -> Iterator[Mark]:
    """Weights as squares: area is magnitude, filled is positive and hollow negative. Pressing a row picks it."""
    pen, case, chosen = stage.pen, moment.result.case, moment.result.row - 1
    yield pen.text("W", stage.left, stage.title, "weights W: area is size, filled +, hollow −", "note")
    for row, band in enumerate(stage.bands):
        role = "hot outline" if row == chosen else "cell soft"
        yield pen.rect(f"r{row}", band, role, set={"row": row + 1}, label=f"pick row {row + 1}")
    gammas, trits = (case.weights / case.gamma).tolist(), case.trits.tolist()
    for row in range(ROWS):
        for column in range(COLUMNS):
            weight, sign = gammas[row][column], trits[row][column]
            square = stage.square(row, column, abs(sign if rounded(moment, sign) else weight))
            yield pen.rect(f"w{row}{column}", square, role_of(moment, weight), round=0)


def draw_hand(stage: Stage, moment: Moment) -> Iterator[Mark]:
    """Which row is followed: a knob beside the rows."""
    x, middles = stage.right + stage.pen.pick(16, 20), [band.y + band.height / 2 for band in stage.bands]
    yield stage.pen.knob("row", x, middles[moment.result.row - 1], "row", [(x, y) for y in middles])


def role_of(moment: Moment, gammas: float) -> str:
    """How a weight of so many γ is drawn: hollow if negative, and as a loss while it is about to become 0."""
    small = abs(gammas) < 0.5
    if small and moment.since("rounded"):
        return "quiet"
    role = "dropped" if small and moment.phase == "gamma" and sorted_out(moment) else "data"
    return f"{role} outline" if gammas < 0 else role


def draw_numbers(stage: Stage, moment: Moment) -> Iterator[Mark]:
    """The picked row's weights and the activations, each in its column; at the end the digits in their stead.

    An activation whose weight is 0 drops out of its column for good.
    """
    pen, (upper, lower), pick = stage.pen, stage.lines, moment.result
    packed, left = moment.phase == "packed", gone(moment)
    sums = places_in_sums(stage, pick)
    row, plus, decimals = pen.pick(("w", "+1", 1), (f"row {pick.row}", "plus 1", 2))
    yield pen.text("n-w", 0, upper, row, "label strong")
    yield pen.text("n-x", 0, lower, plus if packed else "x", "note")
    numbers = zip(stage.xs, pick.weights.tolist(), pick.trits.tolist(), strict=True)
    for column, (x, weight, sign) in enumerate(numbers):
        words = trit(sign) if rounded(moment, sign, late=1) else fixed(weight, decimals)
        yield pen.text(f"a{column}", x, upper, words, "value", anchor="middle")
        if sign and (column < landed(moment) or moment.phase == "scaled"):  # what a sum has is read over its bar
            yield pen.text(f"g{column}", x, lower, str(ACTIVATIONS[column]), "note", anchor="middle")
        if moment.phase == "scaled":
            continue
        words = str((pick.digits if packed else ACTIVATIONS)[column])
        place, role = ((x, lower), "value") if column >= left else (sums[column], "value" if sign else "note")
        if packed and not there(moment, DIGITS):  # a copy of the weight, on its way down
            words, place = trit(sign), (x, lower if there(moment, DOWN) else upper)
        role += " halo" * (column < left)  # on its way it passes over numbers that are there already
        yield pen.text(f"b{column}", *place, words, role, anchor="middle")


def draw_terms(stage: Stage, moment: Moment) -> Iterator[Mark]:
    """A bar for each column, filled if it goes up and hollow if it goes down, and what they come to."""
    pen, pick, phase, half = stage.pen, moment.result, moment.phase, stage.half
    exact, whole = pick.case.exact[pick.row - 1], pick.case.sums[pick.row - 1]
    gammas = pick.weights / pick.case.gamma
    if phase in ("gamma", "rounded"):  # at 0, in units of γ
        signs = pick.trits
        starts, ends = np.zeros(COLUMNS), np.where([rounded(moment, sign) for sign in signs], signs, gammas)
        high = max(1.3, float(np.abs(gammas).max()))
        low = -high
    else:  # where the sum stands; all steps with sums have one scale
        ends = exact if phase == "weights" else whole * (pick.case.gamma if phase == "scaled" else 1.0)
        starts, everything = np.append(0, ends[:-1]), np.concatenate([[0], exact, whole])
        high, low = float(everything.max()), float(everything.min())
    scale = stage.walk.height / (high - low)
    zero = stage.walk.y + high * scale
    tops, feet = (zero - ends * scale).tolist(), (zero - starts * scale).tolist()
    yield pen.line("zero", stage.left, zero, stage.right, zero, "axis")
    yield pen.text("zero-label", stage.left - 4, zero, "0", "note", anchor="end", middle=True)
    done = barred(moment)
    for column, (x, foot, top) in list(enumerate(zip(stage.xs, feet, tops, strict=True)))[:done]:
        role = "dropped" if phase == "gamma" and abs(gammas[column]) < 0.5 else "work"
        box = Box(x - half, min(foot, top), 2 * half, abs(top - foot))
        yield pen.rect(f"t{column}", box, f"{role} outline" if top > foot else role, round=0,
                       read=told_of(moment, column))  # fmt: skip
    if phase in ("gamma", "rounded") and has_come(moment, "gamma", KNOWN):
        yield from draw_thresholds(stage, moment, zero, scale, zero - gammas * scale)
    elif done and phase not in ("gamma", "rounded"):
        yield from draw_sums(stage, moment, feet[:done], tops[:done], (zero - exact * scale).tolist())
        if phase == "scaled":
            yield from draw_scaling(stage, moment, zero, scale)


def told_of(moment: Moment, column: int) -> str:
    """What a bar stands for: a weight over γ, its digit, or its product with the activation."""
    pick, phase = moment.result, moment.phase
    weight, x = float(pick.weights[column]), int(ACTIVATIONS[column])
    if phase in ("gamma", "rounded"):
        ratio = f"{fixed(weight, 2)} ÷ γ = {fixed(weight / pick.case.gamma, 2)}"
        sign = int(pick.trits[column])
        return f"{ratio} → {trit(sign)}" if rounded(moment, sign) else ratio
    if phase == "weights":
        return f"{fixed(weight, 2)} × {x} = {fixed(weight * x, 1)}"
    return f"{trit(int(pick.trits[column]))} × {x} = {fixed(int(pick.trits[column]) * x, 0)}"


def draw_thresholds(stage: Stage, moment: Moment, zero: float, scale: float, was: np.ndarray) -> Iterator[Mark]:
    """Half of γ, above and below, and where the weights stood before they were rounded."""
    pen, reach = stage.pen, stage.half + 3
    level, names = (0.5, ("γ/2", "−γ/2")) if not rounded(moment, 1) else (1.0, ("γ", "−γ"))
    ends = [zero - level * scale, zero + level * scale]
    yield pen.strokes("half", [[(stage.left, y), (stage.right, y)] for y in ends], "axis dashed")
    yield from side_labels(pen, "half", stage.right + 4, ends, names, 0, stage.walk.bottom, role="note")
    if moment.phase == "rounded":
        dashes = [[(x - reach, y), (x + reach, y)] for x, y in zip(stage.xs, was.tolist(), strict=True)]
        yield pen.strokes("was", dashes, "data")
        ends = (zero - moment.result.trits * scale).tolist()
        lost = [[(x, y), (x, end)] for x, y, end in zip(stage.xs, was.tolist(), ends, strict=True)]
    if has_come(moment, "rounded", ERROR):
        yield pen.strokes("off", lost, "dropped thick")


def draw_sums(stage: Stage, moment: Moment, feet: list[float], tops: list[float], exact: list[float]) -> Iterator[Mark]:
    """The sum carried from bar to bar, its end, and the sum of the weights as they were."""
    pen, pick, half = stage.pen, moment.result, stage.half
    following = [*(x - half for x in stage.xs[1:]), stage.right]
    bars = zip(stage.xs, feet, tops, following, strict=False)
    carried = [[(x - half if foot == top else x + half, top), (end, top)] for x, foot, top, end in bars]
    yield pen.strokes("carried", carried, "axis")
    so_far = (pick.case.exact if moment.phase == "weights" else pick.case.sums)[pick.row - 1][len(tops) - 1]
    sums = [(tops[-1], fixed(float(so_far), 0), "value strong")]
    if moment.phase == "scaled" and not has_come(moment, "scaled", OUTPUT):  # the sum stands until it is multiplied
        sums = [(feet[0] - (feet[0] - tops[-1]) / pick.case.gamma, fixed(pick.sum, 0), "value strong")]
    elif moment.phase == "scaled":
        edges = [(x + side * stage.pitch / 2, y) for x, y in zip(stage.xs, exact, strict=True) for side in (-1, 1)]
        if has_come(moment, "scaled", EXACT):
            yield pen.path("exact", edges, "ghost")
        zero = feet[0]  # three sums on one scale
        sums = [
            (tops[-1], fixed(pick.output, 0) if pen.narrow else product_of(moment), "value strong"),
            (zero - (zero - tops[-1]) / pick.case.gamma, fixed(pick.sum, 0) + pen.pick("", " sum"), "note"),
            (exact[-1], fixed(pick.exact, 0) + pen.pick("", " exact"), "note"),
        ]
    places, words = [y for y, *_ in sums], [text for _, text, _ in sums]
    labels = side_labels(pen, "sum", stage.right + 4, places, words, 0, stage.walk.bottom)
    told = 3 if has_come(moment, "scaled", EXACT) else 1
    yield from (label._replace(role=role) for label, (*_, role) in [*zip(labels, sums, strict=True)][:told])
