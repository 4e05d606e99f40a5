"""32 weights from near, and the levels that they are rounded to."""

from __future__ import annotations

from collections.abc import Iterator

from loom.draw import Mark, spread

from .case import CODED, DECODED, IDEAL, OWN, ROUNDED, SHOWN, SPLIT, Array, State, Sub
from .stage import Stage
from .words import counted, levels, number, signed

ROWS = (1, 2, 4)  # in how many lines codes are written, so that they do not touch


def draw_near(stage: Stage, state: State) -> Iterator[Mark]:
    if state.step > SPLIT:
        yield from _levels(stage, state)
    yield from _weights(stage, state)
    yield from _heads(stage, state)
    if state.step == CODED:
        yield from _codes(stage, state)


def stride(stage: Stage, sub: Sub) -> int:
    """Every how many levels one is drawn: lines closer than this are a grey area."""
    least, every = (5.0 if stage.pen.narrow else 6.0), 1
    step = abs(stage.level(sub.kept[0]) - stage.level(0))
    while step * every < least and every < 64:
        every *= 2
    return every


def _levels(stage: Stage, state: State) -> Iterator[Mark]:
    pen, ideal = stage.pen, state.step == IDEAL
    for side, (sub, (left, right)) in enumerate(zip(state.case.shown, stage.halves, strict=True)):
        heights, every = sub.levels(ideal), stride(stage, sub)
        lines = [[(left, stage.level(float(value))), (right, stage.level(float(value)))] for value in heights[::every]]
        yield pen.strokes(f"level{side}", lines, "axis thin soft")
        if state.step == ROUNDED:
            ends = [stage.level(float(value)) for value in sub.levels(True)[[0, -1]]]
            yield pen.strokes(f"was{side}", [[(left, y), (right, y)] for y in ends], "ghost")
        yield from _ends(stage, state, side, heights)


def _ends(stage: Stage, state: State, side: int, heights: Array) -> Iterator[Mark]:
    """What the lowest and the highest level stand for, or their codes."""
    pen, (left, right) = stage.pen, stage.halves[side]
    x, anchor = (left - 5, "end") if side == 0 else (right + 5, "start")
    ends = [float(heights[0]), float(heights[-1])]
    wanted = [stage.level(end) for end in ends]
    places = spread(wanted, 1.1 * pen.size, stage.near.y - pen.size, stage.near.bottom + pen.size)
    for which, (key, y) in enumerate(zip(("low", "top"), places, strict=True)):
        rounded = number(round(ends[which], 1 if pen.narrow else 2))
        words = _code(state, which) if state.step == CODED else rounded
        role = "hot" if state.step in (IDEAL, ROUNDED) else "note"
        yield pen.text(f"{key}{side}", x, y, words, role, anchor=anchor, middle=True)


def _code(state: State, at: int) -> str:
    kind = state.case.kind
    return signed((kind.lowest if at == 0 else kind.highest) + kind.zero)


def _weights(stage: Stage, state: State) -> Iterator[Mark]:
    """Lines from 0; once there are codes, to the level, with a tick where the weight was."""
    pen, case, zero = stage.pen, state.case, stage.level(0)
    yield pen.line("zero", stage.near.x, zero, stage.near.right, zero, "axis")
    stored = state.step >= CODED
    heights = (case.decoded if stored else case.numbers)[case.start : case.start + SHOWN]
    given = case.numbers[case.start : case.start + SHOWN]
    spots = [(stage.column(at), stage.level(float(value))) for at, value in enumerate(heights)]
    was = [(stage.column(at), stage.level(float(value))) for at, value in enumerate(given)]
    others = [[(x, zero), (x, y)] for at, (x, y) in enumerate(spots) if at != OWN]
    yield pen.strokes("near", others, f"{'kept' if stored else 'data'} thick")
    x, y = spots[OWN]
    yield pen.strokes("own", [[(x, zero), (x, y)]], "hot thick")
    if stored:
        if state.step == DECODED:
            yield pen.strokes("lost", ([(x, y), (x, was[at][1])] for at, (x, y) in enumerate(spots)), "dropped thick")
        reach = 3 if pen.narrow else 6
        yield pen.strokes("was", ([(x - reach, y), (x + reach, y)] for x, y in was), "data thin")


def _heads(stage: Stage, state: State) -> Iterator[Mark]:
    """Over each sub-block: its levels as a formula."""
    pen, case = stage.pen, state.case
    y = stage.near.y - 9
    if state.step == SPLIT:
        words = f"weights {case.start} to {case.start + SHOWN - 1}"
        words += f"; the one in colour is weight {case.own}, {number(float(case.numbers[case.own]))}"
        yield pen.text("formula0", stage.near.x, y, words, "note")
        return
    for side, (sub, (left, _)) in enumerate(zip(case.shown, stage.halves, strict=True)):
        words = counted(case, sub) if state.step == ROUNDED else levels(case, sub, state.step == IDEAL)
        yield pen.text(f"formula{side}", left, y, words, "hot strong" if state.step <= ROUNDED else "label")
    count, every = case.kind.highest - case.kind.lowest + 1, stride(stage, case.shown[0])
    apart = [stride(stage, sub) for sub in case.shown]
    words = f"{count} levels" if max(apart) == 1 else f"{count} levels, one in {every} drawn"
    if len(set(apart)) > 1:
        words = f"{count} levels, one in {apart[0]} and one in {apart[1]} drawn"
    if state.step != CODED:
        foot = stage.near.bottom + pen.size + 6
        yield pen.text("count", stage.near.right, foot, words, "note", anchor="end")


def _codes(stage: Stage, state: State) -> Iterator[Mark]:
    """Under each weight its code."""
    pen, case = stage.pen, state.case
    words = [signed(code) for code in case.codes[case.start : case.start + SHOWN]]
    rows = next((rows for rows in ROWS if pen.room(words, strong=True) + 2 <= rows * stage.pitch), ROWS[-1])
    top = stage.near.bottom + pen.size + 6
    beside = top if rows == 1 else top + 1.1 * pen.size  # not before the first column, which is in the first line
    yield pen.text("codes-name", stage.left - 5, beside, "code", "label", anchor="end")
    for at, word in enumerate(words):
        role = "hot strong" if at == OWN else "value"
        y = top + at % rows * 1.1 * pen.size
        yield pen.text(f"q{at}", stage.column(at), y, word, role, anchor="middle")
