"""The numbers as columns, and the rungs of E2M1 that they are rounded to, as high as the scale makes them."""

from __future__ import annotations

from collections.abc import Iterator

from loom.draw import Axis, Box, Mark, bracket

from .case import AMAX, CODES, DECODED, ERROR, HALF, NUMBERS, ROUNDED, SCALE, SHOWN, Case, State
from .model import LARGEST, MXFP4, RUNGS
from .stage import Stage
from .words import bits, number, percent

HEADS = {SCALE: "÷ {}", ROUNDED: "÷ {}", CODES: "code", DECODED: "× {}", ERROR: "× {}"}
OVERHANG = 3.0  # the least of a clipped column that is hatched


def draw_ladder(stage: Stage, state: State) -> Iterator[Mark]:
    if state.step < SCALE:
        yield from draw_ticks(stage)
    else:
        yield from draw_rungs(stage)
    yield from draw_columns(stage, state)
    if state.step >= SCALE:
        yield from draw_labels(stage, state)
    yield from draw_blocks(stage, state)
    yield from draw_flags(stage, state)


def draw_ticks(stage: Stage) -> Iterator[Mark]:
    """Before there is a scale: heights as they are read on any axis."""
    pen, box = stage.pen, stage.plot
    ticks = Axis("size", span=(0, stage.case.span)).marks(4)
    yield pen.strokes("ticks", ([(box.x, stage.y(tick)), (box.right, stage.y(tick))] for tick in ticks), "grid")
    for tick in ticks:
        yield pen.text(f"t{tick:g}", box.x - 6, stage.y(tick), number(tick), "note", anchor="end", middle=True)


def draw_rungs(stage: Stage) -> Iterator[Mark]:
    """A line at every value that E2M1 has, times the scale of the block."""
    scales = stage.case.scales[[0, HALF]]
    lines = [[(edge, stage.y(rung * scale)) for edge in stage.half(side)]
             for side, scale in enumerate(scales) for rung in RUNGS[1:]]  # fmt: skip
    yield stage.pen.strokes("rungs", lines, "axis thin soft")


def draw_columns(stage: Stage, state: State) -> Iterator[Mark]:
    """Each number's size; from the rounding on, what is stored of it, with a tick where it was."""
    pen, case, box = stage.pen, state.case, stage.plot
    rounded = state.step >= ROUNDED
    sizes = abs(case.decoded if rounded else case.numbers)
    for at in range(SHOWN):
        top = stage.y(float(sizes[at]))
        column = Box(stage.x(at) - stage.bar / 2, top, stage.bar, box.bottom - top)
        yield pen.rect(f"n{at}", column, role_of(state, at), round=0)
    was = [(stage.x(at), stage.y(float(abs(value)))) for at, value in enumerate(case.numbers)]
    if rounded and state.step < ERROR:
        for at in case.clipped:
            yield from _overhang(stage, at)
    if state.step == ERROR:
        lost = [[(x, y), (x, stage.y(float(size)))] for (x, y), size in zip(was, sizes, strict=True)]
        yield pen.strokes("lost", lost, "dropped thick")
    if state.step in (ROUNDED, ERROR):
        reach = stage.bar / 2 + 2
        yield pen.strokes("was", ([(x - reach, y), (x + reach, y)] for x, y in was), "data thin")
    yield pen.line("base", box.x, box.bottom, box.right, box.bottom, "axis")
    y, reach = box.bottom + 6, 0.3 * stage.bar + 0.5
    minus = [[(stage.x(at) - reach, y), (stage.x(at) + reach, y)] for at in range(SHOWN) if case.numbers[at] < 0]
    yield pen.strokes("minus", minus, "data thin")


def role_of(state: State, at: int) -> str:
    """Now, kept, or plain."""
    case, step = state.case, state.step
    if step == CODES and at in case.pair(case.top)[1:]:
        return "hot"
    if at in case.largest and step in (AMAX, SCALE, ROUNDED):
        return "hot"
    if at == case.top and step == DECODED:
        return "hot"
    return "data" if step < ROUNDED else "kept soft" if step == ERROR else "kept"


def _overhang(stage: Stage, at: int) -> Iterator[Mark]:
    """What a column loses because there is no rung above 6."""
    low, high = stage.y(abs(float(stage.case.decoded[at]))), stage.y(abs(float(stage.case.numbers[at])))
    if low - high >= OVERHANG:
        box = Box(stage.x(at) - stage.bar / 2, high, stage.bar, low - high)
        yield stage.pen.rect(f"over-{at}", box, "dropped outline", round=0)
        yield stage.pen.hatch(f"over-{at}-hatch", box, "dropped thin", gap=4)


def draw_labels(stage: Stage, state: State) -> Iterator[Mark]:
    """Beside the rungs: their E2M1 value, then its code, then the value times the scale."""
    pen, case, box = stage.pen, state.case, stage.plot
    sides = (0,) if case.format == MXFP4 else (0, 1)
    for side in sides:
        scale = float(case.scales[side * HALF])
        x, anchor = (box.x - 6, "end") if side == 0 else (box.right + 6, "start")
        last = -100.0
        for code, rung in sorted(enumerate(RUNGS), reverse=True):
            y = stage.y(rung * scale)
            if y - last < pen.size * 0.95:
                continue
            last = y
            role = "hot" if state.step in (CODES, DECODED) else "note"
            yield pen.text(f"r{side}{code}", x, y, _label(state, code, rung, scale), role, anchor=anchor, middle=True)
    head = stage.y(LARGEST * float(case.scales[0])) - 1.15 * pen.size
    words = HEADS[state.step].format("X" if case.format == MXFP4 else "scale")
    x, anchor = (0.0, "start") if pen.narrow else (box.x - 6, "end")
    yield pen.text("rung-head", x, head, words, "hot" if state.step != ERROR else "note", anchor=anchor)


def _label(state: State, code: int, rung: float, scale: float) -> str:
    if state.step <= ROUNDED:
        return number(rung)
    return bits(code, 3) if state.step == CODES else number(rung * scale, 2)


def draw_blocks(stage: Stage, state: State) -> Iterator[Mark]:
    """Which numbers share a scale."""
    pen, case, foot = stage.pen, state.case, stage.plot.bottom + 13
    size = case.packed.size
    for block, start in enumerate(range(0, SHOWN, size)):
        left, right = stage.x(start) - stage.pitch / 2, stage.x(start + size - 1) + stage.pitch / 2
        words = str(size) if pen.narrow and case.format != MXFP4 and state.step >= SCALE else f"{size} numbers"
        if state.step >= SCALE:
            words += f" share {'X = ' if case.format == MXFP4 else ''}{number(float(case.packed.scales[block]))}"
        yield from bracket(pen, f"block{block}", left + 1, right - 1, foot, words, depth=4)


def draw_flags(stage: Stage, state: State) -> Iterator[Mark]:
    """Over the largest number of each block: what has become of it."""
    if state.step == NUMBERS:
        return
    pen, case = stage.pen, state.case
    for block, at in enumerate(case.largest):
        was, back = abs(float(case.numbers[at])), abs(float(case.decoded[at]))
        size = was if state.step < ROUNDED else back
        if at in case.clipped or state.step in (ROUNDED, ERROR):
            size = max(was, back)
        words, half = flag(case, at, state.step), pen.room(flag(case, at, state.step), strong=True) / 2
        x = min(max(stage.x(at), half + max(stage.plot.x, 46)), stage.pen.width - half)
        role = "dropped" if state.step in (ROUNDED, ERROR) and _lossy(state, at) else "hot"
        yield pen.text(f"flag{block}", x, stage.y(size) - 6, words, f"{role} strong", anchor="middle")


def _lossy(state: State, at: int) -> bool:
    given, back = float(state.case.numbers[at]), float(state.case.decoded[at])
    return abs(back - given) > 0.005 * abs(given) if state.step == ERROR else abs(back) < 0.95 * abs(given)


def flag(case: Case, at: int, step: int) -> str:
    """The largest number, step by step."""
    value, back = float(case.numbers[at]), float(case.decoded[at])
    if step < ROUNDED:
        return f"amax {number(abs(value))}"
    scaled, element = float(case.scaled[at]), float(case.elements[at])
    if step == ROUNDED:
        clipped = ", clipped" if at in case.clipped else ""
        return f"{number(scaled)} → {number(element)}{clipped}"
    if step == CODES:
        return f"{number(element)} is {bits(case.codes[at])}"
    if step == DECODED:
        return number(back)
    return f"{percent(100 * abs(back / value - 1))} off"
