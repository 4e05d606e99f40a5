"""Bits per weight: the bar at the foot that the steps fill, and at last a bar for each type."""

from __future__ import annotations

from collections.abc import Iterator

from loom.draw import Box, Mark

from .case import BYTES, CODED, IDEAL, ROUNDED, SPLIT, Case, State
from .kinds import CODES, PARTS, SCALES, SUPER
from .stage import MOST_BITS, Stage
from .words import exactly, percent

ROLES = {CODES: "kept", SCALES: "series-2", SUPER: "series-5"}


def part_names(case: Case) -> dict[str, str]:
    """What each part is called."""
    scales = "scales, minima" if case.kind.min_bits else "scales"
    return {CODES: "codes", SCALES: scales, SUPER: "d, dmin" if case.kind.min_bits else "d"}


def draw_ledger(stage: Stage, state: State) -> Iterator[Mark]:
    pen, case, box, step = stage.pen, state.case, stage.foot, state.step
    unit = box.width / MOST_BITS
    whole = Box(box.x, box.y, case.kind.total * unit, box.height)
    yield pen.rect("whole", whole, "ghost", round=0)
    words = f"{exactly(case.kind.total)} bits per weight"
    yield pen.text("total", box.x, box.y - 6, f"{words}, {case.kind.bytes} bytes in all", "label strong")
    if step == IDEAL:
        x = box.x + case.kind.spent(CODES) * unit
        naive = Box(x, box.y, case.naive * unit, box.height)
        yield pen.rect("naive", naive, "dropped outline", round=0)
        yield pen.hatch("naive-hatch", naive, "dropped thin")
        names = part_names(case)[SCALES]
        words = f"{names} as FP32: {exactly(case.naive)}"
        yield pen.text("naive-name", naive.right, box.bottom + pen.size + 4, words, "dropped", anchor="end")
    yield from _segments(stage, state, box, unit)
    if step > ROUNDED or step == SPLIT:
        yield from _sum(stage, state, unit)


def _segments(stage: Stage, state: State, box: Box, unit: float) -> Iterator[Mark]:
    """What has been spent so far."""
    x = box.x
    for part in PARTS:
        wide = state.case.kind.spent(part) * unit
        if wide and state.step >= (CODED if part == CODES else ROUNDED):
            yield stage.pen.rect(part, Box(x, box.y, wide, box.height), ROLES[part], round=0)
        x += wide


def _sum(stage: Stage, state: State, unit: float) -> Iterator[Mark]:
    pen, case, box = stage.pen, state.case, stage.foot
    terms = [f"{exactly(case.kind.spent(part))} {name}" for part, name in part_names(case).items()
             if case.kind.spent(part)]  # fmt: skip
    yield pen.text("sum", box.x, box.bottom + pen.size + 4, " + ".join(terms), "note")


def draw_ladder(stage: Stage, state: State, box: Box) -> Iterator[Mark]:
    """Every type as a bar of its bits, with the error on these weights: each bar is a button."""
    pen, case = stage.pen, state.case
    rivals = case.rivals()
    step = box.height / len(rivals)
    tall, names = step - (7 if pen.narrow else 6), 44 if pen.narrow else 72
    unit = 19 if pen.narrow else 42
    bits, errors = box.x + names + 9 * unit - (4 if pen.narrow else 0), pen.width - (0 if pen.narrow else 72)
    full, most = (0 if pen.narrow else 200), max(rival.error for rival in rivals)
    yield pen.text("bits-head", names, box.y - 7, "bits per weight", "note")
    yield pen.text("error-head", errors, box.y - 7, "error" if pen.narrow else "error, RMS", "note", anchor="end")
    order = sorted(enumerate(rivals), key=lambda pair: pair[1] is not case)  # the chosen one first: it came from below
    for row, rival in order:
        chosen, y = rival is case, box.y + row * step
        place = Box(names, y, 0, tall)
        yield from _rival(stage, state, rival, place, unit)
        role = "hot strong" if chosen else "label"
        middle = y + tall / 2
        yield pen.text(f"{row}-name", 0, middle, rival.name, role, middle=True)
        yield pen.text(f"{row}-bits", bits, middle, exactly(rival.kind.total), role, middle=True)
        yield pen.text(f"{row}-error", errors, middle, percent(rival.error), role, anchor="end", middle=True)
    if full:
        left = errors - 70 - full
        lines = [[(left, y), (left + full * rival.error / most, y)]
                 for row, rival in enumerate(rivals) for y in [box.y + row * step + tall / 2]]  # fmt: skip
        yield pen.strokes("errors", lines, "dropped thick")


def _rival(stage: Stage, state: State, rival: Case, place: Box, unit: float) -> Iterator[Mark]:
    """A type's bar: codes, then what the codes are scaled with."""
    pen = stage.pen
    if rival is state.case:
        yield from _segments(stage, State(rival, BYTES), place, unit)
        return
    codes = Box(place.x, place.y, rival.kind.spent(CODES) * unit, place.height)
    rest = Box(codes.right, place.y, (rival.kind.total - rival.kind.spent(CODES)) * unit, place.height)
    press = {"type": rival.name}
    yield pen.rect(rival.name, codes, "kept soft", round=0, set=press, label=f"show {rival.name}")
    yield pen.rect(f"{rival.name}-s", rest, "series-2 soft", round=0)
