"""The bars: products fall from the meeting of query and key into a score, and scores become weights."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from loom.draw import Box, Mark, fixed
from loom.scene import Moment

from .layout import COUNT, MOST_POWER, Layout
from .weights import TOKENS
from .words import landed, percent, setting_out, shared

FALL, SUM = 1, 2  # so many beats after query and key have met, their products fall, and have been added


def visits(moment: Moment) -> int:
    """How many keys the query has met while it goes from key to key; all of them when it is back."""
    return moment.beat + 1 if moment.phase == "raw" else COUNT + SUM


def meeting(moment: Moment) -> int:
    """The token by whose key the query stands: each in turn, and its own before and afterwards."""
    row: int = moment.result.row
    return visits(moment) - 1 if visits(moment) <= COUNT else row


def draw_products(at: Layout, moment: Moment) -> Iterator[Mark]:
    """The four products of a key: side by side where query and key meet, then one on the other."""
    pen, row, seen = at.pen, moment.result.row, visits(moment)
    for key in range(max(0, seen - SUM), min(COUNT, seen)):
        products = (moment.result.of.Q[row] * moment.result.of.K[key]).tolist()
        fallen = seen - 1 - key >= FALL
        wide, left, level = at.pitch * 0.46, at.centres[key] - at.pitch * 0.23, 0.0
        # Those that add come first, so that those that take away hang from the top of the pile.
        for entry in sorted(range(4), key=lambda entry: products[entry] < 0):
            tall, amount = abs(products[entry]) * at.score, products[entry]
            base = at.zero - (max(level, level + amount)) * at.score
            place = Box(left, base, wide, tall) if fallen else tray(at, key, entry, tall)
            level += amount
            # One that takes away is another thing than one that adds: it is painted over those, whichever entry it is.
            name, role = ("taken", "cell") if amount < 0 else ("product", "data")
            yield pen.rect(f"{name}-{key}-{entry}", place, role, round=1)


def tray(at: Layout, key: int, entry: int, tall: float) -> Box:
    """Where a product stands when it has just been made."""
    each = at.pitch * 0.2
    return Box(at.centres[key] + (entry - 2) * each + 1, at.bars.y + 2, each - 2, tall)


class Look(NamedTuple):
    """What the bars are at a moment: how high, how named, and in which colour."""

    amounts: list[float]
    told: list[str]
    unit: float  # the height of an amount of 1
    zero: float
    role: str
    name: str
    note: str = ""


def look(at: Layout, moment: Moment) -> Look:
    """Scores, then e to the scores, then weights."""
    run, row = moment.result.of, moment.result.row
    raw, scaled, weights = (part[row].tolist() for part in (run.raw, run.scaled, run.weights))
    full = at.floor - at.bars.y - at.pen.size - 5
    if not moment.since("scaled"):
        return Look(raw, [fixed(score) for score in raw], at.score, at.zero, "data", "score")
    if moment.phase == "scaled":  # from key to key; a number changes when its bar has come to rest
        moved, told = setting_out(moment), landed(moment)
        words = [fixed(score) for score in [*scaled[:told], *raw[told:]]]
        return Look([*scaled[:moved], *raw[moved:]], words, at.score, at.zero, "data", "score", "÷ √4")
    if not moment.since("weights"):
        return Look(scaled, [fixed(score) for score in scaled], at.score, at.zero, "data", "score", "÷ √4")
    if not shared(moment):
        powers = np.exp(run.masked[row]).tolist()
        told = [fixed(power) if power else "0" for power in powers]
        return Look(powers, told, full / MOST_POWER, at.floor, "data", "e^score", "score")
    return Look(weights, [percent(weight) for weight in weights], full, at.floor, "kept", "weight", "score")


def draw_bars(at: Layout, moment: Moment, hidden: range) -> Iterator[Mark]:
    """One bar for each key: first its score, then the same bar is its weight."""
    pen, now = at.pen, look(at, moment)
    weighed = moment.since("weights")
    yield pen.line("zero", at.bars.x, now.zero, at.bars.right, now.zero, "axis")
    if now.role == "kept":
        whole = now.zero - now.unit
        yield pen.line("whole", at.bars.x, whole, at.bars.right, whole, "grid")
        yield pen.text("whole-name", at.bars.x - 6, whole, "100%", "note", anchor="end", middle=True)
    strong = "kept strong" if now.role == "kept" else "label"
    yield pen.text("name-bars", 0, now.zero - 0.35 * pen.size, now.name, strong)
    if now.note:
        yield pen.text("name-under", 0, now.zero + pen.size + 2, now.note, "note")
    for key in range(min(COUNT, visits(moment) - SUM) if moment.phase == "raw" else COUNT):
        yield from draw_bar(at, moment, now, key, key in hidden)
        if weighed:
            score = "−∞" if key in hidden else fixed(float(moment.result.of.scaled[moment.result.row, key]))
            yield pen.text(f"score-{key}", at.centres[key], at.floor + pen.size + 2, score, "note", anchor="middle")


def draw_bar(at: Layout, moment: Moment, now: Look, key: int, hidden: bool) -> Iterator[Mark]:
    """The bar of one key and its number."""
    pen, row, amount = at.pen, moment.result.row, now.amounts[key]
    wide, masked = at.pitch * 0.46, hidden and not moment.since("weights")

    def bar(tall: float) -> Box:
        top = now.zero - max(tall, 0) * now.unit
        return Box(at.centres[key] - wide / 2, top, wide, max(abs(tall) * now.unit, 1.0))

    outer = bar(0.0 if masked else amount)
    if moment.phase == "scaled":  # what it was before; the number keeps clear of that
        outer = bar(float(moment.result.of.raw[row, key]))
        if key < setting_out(moment):
            yield pen.rect(f"raw-{key}", outer, "ghost outline")
    told = "−∞" if masked else now.told[key]
    if not hidden:
        read = f"{TOKENS[row]} and {TOKENS[key]}: {now.name} {told}"
        yield pen.rect(f"bar-{key}", bar(amount), now.role, read=read)
    y = outer.y - 4 if masked or amount >= 0 else outer.bottom + pen.size + 1
    strong = "value strong" if now.role == "kept" and amount >= 0.25 else "value"
    yield pen.text(f"number-{key}", at.centres[key], y, told, strong, anchor="middle")
