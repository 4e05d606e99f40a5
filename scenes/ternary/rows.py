"""The picked row as bars under its columns: terms that add up, or weights against half of γ."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from loom.draw import Box, Mark, fixed, side_labels
from loom.scene import Moment

from .data import COLUMNS
from .stage import Stage


def draw_terms(stage: Stage, moment: Moment) -> Iterator[Mark]:
    """A bar for each column, filled if it goes up and hollow if it goes down, and what they come to."""
    pen, pick, phase, half = stage.pen, moment.result, moment.phase, stage.half
    exact, whole = pick.case.exact[pick.row - 1], pick.case.sums[pick.row - 1]
    gammas = pick.weights / pick.case.gamma
    if phase in ("gamma", "rounded"):  # at 0, in units of γ
        starts, ends = np.zeros(COLUMNS), gammas if phase == "gamma" else pick.trits
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
    for column, (x, foot, top) in enumerate(zip(stage.xs, feet, tops, strict=True)):
        role = "dropped" if phase == "gamma" and abs(gammas[column]) < 0.5 else "hot"
        box = Box(x - half, min(foot, top), 2 * half, abs(top - foot))
        yield pen.rect(f"t{column}", box, f"{role} outline" if top > foot else role, round=0)
    if phase in ("gamma", "rounded"):
        yield from draw_thresholds(stage, moment, zero, scale, zero - gammas * scale)
    else:
        yield from draw_sums(stage, moment, feet, tops, (zero - exact * scale).tolist())


def draw_thresholds(stage: Stage, moment: Moment, zero: float, scale: float, was: np.ndarray) -> Iterator[Mark]:
    """Half of γ, above and below, and where the weights stood before they were rounded."""
    pen, reach = stage.pen, stage.half + 3
    level, names = (0.5, ("γ/2", "−γ/2")) if moment.phase == "gamma" else (1.0, ("γ", "−γ"))
    ends = [zero - level * scale, zero + level * scale]
    yield pen.strokes("half", [[(stage.left, y), (stage.right, y)] for y in ends], "hot dashed")
    yield from side_labels(pen, "half", stage.right + 4, ends, names, 0, stage.walk.bottom, role="hot")
    if moment.phase == "rounded":
        dashes = [[(x - reach, y), (x + reach, y)] for x, y in zip(stage.xs, was.tolist(), strict=True)]
        yield pen.strokes("was", dashes, "data")


def draw_sums(stage: Stage, moment: Moment, feet: list[float], tops: list[float], exact: list[float]) -> Iterator[Mark]:
    """The sum carried from bar to bar, its end, and the sum of the weights as they were."""
    pen, pick, half = stage.pen, moment.result, stage.half
    following = [*(x - half for x in stage.xs[1:]), stage.right]
    bars = zip(stage.xs, feet, tops, following, strict=True)
    carried = [[(x - half if foot == top else x + half, top), (end, top)] for x, foot, top, end in bars]
    yield pen.strokes("carried", carried, "axis")
    sums = [(tops[-1], pick.exact if moment.phase == "weights" else pick.sum, "hot strong")]
    if moment.phase == "scaled":
        edges = [(x + side * stage.pitch / 2, y) for x, y in zip(stage.xs, exact, strict=True) for side in (-1, 1)]
        yield pen.path("exact", edges, "ghost")
        sums = [(tops[-1], pick.output, "hot strong"), (exact[-1], pick.exact, "note")]
    places, words = [y for y, *_ in sums], [fixed(number, 0) for _, number, _ in sums]
    labels = side_labels(pen, "sum", stage.right + 4, places, words, 0, stage.walk.bottom)
    yield from (label._replace(role=role) for label, (*_, role) in zip(labels, sums, strict=True))
