"""32 weights from near, and the levels that they are rounded to."""

from __future__ import annotations

from collections.abc import Iterator

from loom.draw import Mark, number, plain, spread
from loom.scene import Moment

from .case import OWN, SHOWN, Sub
from .narration import formula, formula_in_counts
from .stage import Stage

ROWS = (1, 2, 4)  # in how many lines codes are written, so that they do not touch


def draw_near(stage: Stage, moment: Moment) -> Iterator[Mark]:
    if moment.phase != "split":
        yield from _levels(stage, moment)
    yield from _weights(stage, moment)
    yield from _heads(stage, moment)
    if moment.phase == "coded":
        yield from _codes(stage)


def stride(stage: Stage, sub: Sub) -> int:
    """Every how many levels one is drawn: lines closer than this are a grey area."""
    least, every = stage.pick(5.0, 6.0), 1
    level, zero = stage.levels((sub.kept[0], 0))
    while abs(level - zero) * every < least and every < 64:
        every *= 2
    return every


def _levels(stage: Stage, moment: Moment) -> Iterator[Mark]:
    ideal = moment.phase == "ideal"
    for side, (sub, (left, right)) in enumerate(zip(stage.case.shown, stage.halves, strict=True)):
        values = sub.levels(ideal)
        heights = stage.levels(values)
        lines = [[(left, y), (right, y)] for y in heights[:: stride(stage, sub)]]
        yield stage.strokes(f"level{side}", lines, "axis thin soft")
        if moment.phase == "rounded":
            was = stage.levels(sub.levels(True)[at] for at in (0, -1))
            yield stage.strokes(f"was{side}", [[(left, y), (right, y)] for y in was], "ghost")
        x, anchor = (left - 5, "end") if side == 0 else (right + 5, "start")
        yield from _ends(stage, moment, side, x, anchor, (values[0], values[-1]), (heights[0], heights[-1]))


def _ends(stage: Stage, moment: Moment, side: int, x: float, anchor: str, values: tuple[float, float],
          heights: tuple[float, float]) -> Iterator[Mark]:  # fmt: skip
    """What the lowest and the highest level stand for, or their codes."""
    near, kind = stage.near, stage.case.kind
    places = spread(heights, 1.1 * stage.size, near.y - stage.size, near.bottom + stage.size)
    codes = kind.lowest + kind.zero, kind.highest + kind.zero
    role = "hot" if moment.phase in ("ideal", "rounded") else "note"
    for key, y, code, value in zip(("low", "top"), places, codes, values, strict=True):
        words = plain(code) if moment.phase == "coded" else number(round(value, stage.pick(1, 2)))
        yield stage.text(f"{key}{side}", x, y, words, role, anchor=anchor, middle=True)


def _weights(stage: Stage, moment: Moment) -> Iterator[Mark]:
    """Lines from 0; once there are codes, to the level, with a tick where the weight was."""
    case, near, stored = stage.case, stage.near, moment.since("coded")
    (zero,) = stage.levels([0])
    yield stage.line("zero", near.x, zero, near.right, zero, "axis")
    was = stage.levels(case.numbers[case.near].tolist())
    ends = stage.levels(case.decoded[case.near].tolist()) if stored else was
    lines = [[(x, zero), (x, y)] for x, y in zip(stage.columns, ends, strict=True)]
    own = lines.pop(OWN)
    yield stage.strokes("near", lines, f"{'kept' if stored else 'data'} thick")
    yield stage.strokes("own", [own], "hot thick")
    if stored:
        if moment.phase == "decoded":
            lost = ([(x, y), (x, old)] for x, y, old in zip(stage.columns, ends, was, strict=True))
            yield stage.strokes("lost", lost, "dropped thick")
        reach = stage.pick(3, 6)
        ticks = ([(x - reach, y), (x + reach, y)] for x, y in zip(stage.columns, was, strict=True))
        yield stage.strokes("was", ticks, "data thin")


def _heads(stage: Stage, moment: Moment) -> Iterator[Mark]:
    """Over each sub-block: its levels as a formula."""
    case, near = stage.case, stage.near
    y = near.y - 9
    if moment.phase == "split":
        words = f"weights {case.start} to {case.start + SHOWN - 1}"
        words += f"; the one in colour is weight {case.own}, {number(float(case.numbers[case.own]))}"
        yield stage.text("formula0", near.x, y, words, "note")
        return
    ideal, rounded = moment.phase == "ideal", moment.phase == "rounded"
    for side, (sub, (left, _)) in enumerate(zip(case.shown, stage.halves, strict=True)):
        words = formula_in_counts(sub) if rounded else formula(sub, ideal)
        yield stage.text(f"formula{side}", left, y, words, "hot strong" if ideal or rounded else "label")
    if moment.phase != "coded":
        apart = [stride(stage, sub) for sub in case.shown]
        words = f"{case.kind.highest - case.kind.lowest + 1} levels"
        if max(apart) > 1:
            words += ", " + " and ".join(f"one in {every}" for every in dict.fromkeys(apart)) + " drawn"
        yield stage.text("count", near.right, near.bottom + stage.size + 6, words, "note", anchor="end")


def _codes(stage: Stage) -> Iterator[Mark]:
    """Under each weight its code."""
    words = [plain(code) for code in stage.case.codes[stage.case.near]]
    rows = next((rows for rows in ROWS if stage.room(words, strong=True) + 2 <= rows * stage.pitch), ROWS[-1])
    top, line = stage.near.bottom + stage.size + 6, 1.1 * stage.size
    beside = top if rows == 1 else top + line  # not before the first column, which is in the first line
    yield stage.text("codes-name", stage.all.x - 5, beside, "code", "label", anchor="end")
    for at, (x, word) in enumerate(zip(stage.columns, words, strict=True)):
        role = "hot strong" if at == OWN else "value"
        yield stage.text(f"q{at}", x, top + at % rows * line, word, role, anchor="middle")
