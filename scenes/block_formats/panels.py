"""Under the numbers: how much room they take, the sums behind a step, and at last all formats side by side."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from loom.draw import Box, Mark

from .case import AMAX, BF16_BYTES, SCALE, SHOWN, Case, State
from .model import EXPONENT_BIAS, MXFP4
from .stage import Stage
from .strip import bit_pitch, draw_bits
from .sums import sums
from .words import number, percent


def draw_sizes(stage: Stage, state: State) -> Iterator[Mark]:
    """The bytes of the same numbers before and after, on one scale; then which of them are for scales."""
    pen, box, case = stage.pen, stage.panel, state.case
    x = 0.0 if pen.narrow else stage.plot.x
    pitch = ((pen.width if pen.narrow else stage.plot.right) - x) / BF16_BYTES
    rows = [box.y + pen.size, box.y + pen.size + (58 if pen.narrow else 60)]
    cells = [[Box(x + at * pitch, y + 7, pitch - 1.5, 20) for at in range(length)]
             for y, length in zip(rows, (BF16_BYTES, case.bytes), strict=True)]  # fmt: skip
    yield pen.text("before-name", x, rows[0], f"BF16: {BF16_BYTES} bytes", "label")
    yield pen.strokes("before", map(_edge, cells[0]), "axis")
    yield pen.text("after-name", x, rows[1], f"{case.format}: {case.bytes} bytes", "label strong")
    scales = len(case.stored) if state.step == AMAX else 0
    yield pen.strokes("after", map(_edge, cells[1][scales:]), "kept")
    if scales:
        yield pen.strokes("after-scales", map(_edge, cells[1][:scales]), "series-2")
        words = f"{scales} for {'the scale' if scales == 1 else 'scales'}, {case.bytes - scales} for {SHOWN} codes"
        last = cells[1][-1]
        place = (x, last.bottom + pen.size + 5) if pen.narrow else (last.right + 10, last.y + 10 + 0.35 * pen.size)
        yield pen.text("after-scales-name", *place, words, "note")


def draw_sums(stage: Stage, state: State) -> Iterator[Mark]:
    """The arithmetic of a step, for each block; the scale's bits beside it."""
    pen, case = stage.pen, state.case
    blocks = len(case.stored)
    for block in range(blocks):
        box = stage.columns[block]
        lines = sums(state, block)
        for row, words in enumerate(lines):
            strong = " strong" if row == len(lines) - 1 and state.step == SCALE else ""
            yield pen.text(f"sum{block}-{row}", box.x, box.y + pen.size + row * stage.line, words, f"label{strong}")
        if state.step == SCALE:
            yield from _scale_bits(stage, case, block, len(lines))


def _scale_bits(stage: Stage, case: Case, block: int, lines: int) -> Iterator[Mark]:
    pen, code = stage.pen, int(case.packed.scale_codes[block])
    box, top = stage.columns[block], stage.columns[block].y
    if case.format == MXFP4 and not pen.narrow:
        box = stage.columns[1]
    else:
        top += lines * stage.line + 8
    words = f"= byte {code}"
    if case.format == MXFP4:
        words += f" = {number(code - EXPONENT_BIAS)} + {EXPONENT_BIAS}"
    kind = "E8M0" if case.format == MXFP4 else "E4M3"
    yield from draw_bits(pen, f"scale{block}", box.x, top, code, kind)
    x = box.x + 8 * bit_pitch(pen) + 8
    yield pen.text(f"scale{block}-code", x, top + (pen.large + 4) / 2, words, "note", middle=True)


def draw_rivals(stage: Stage, case: Case) -> Iterator[Mark]:
    """The error of each format on these numbers: shorter is better, and each row is a button."""
    pen, box = stage.pen, stage.panel
    rivals = case.rivals()
    most = max(rival.error for rival in rivals)
    names = pen.room([rival.name for rival in rivals], strong=True) + 12
    x = 0.0 if pen.narrow else stage.plot.x
    shown = [f"{percent(rival.error)}, {rival.bytes} bytes" for rival in rivals]
    full = (pen.width if pen.narrow else stage.plot.right) - x - names - pen.room(shown, strong=True) - 10
    yield pen.text("rivals-head", x, box.y + 0.8 * pen.size, "error of these 32 numbers, RMS", "note")
    step, tall = (32, 24) if pen.narrow else (34, 26)
    for row, (rival, words) in enumerate(zip(rivals, shown, strict=True)):
        y = box.y + pen.size + 9 + row * step
        chosen = rival.name == case.name
        press = {"format": rival.format} | ({"rule": rival.rule} if rival.format == MXFP4 else {})
        place = Box(x + names, y, full, tall)
        yield pen.rect(f"track{row}", place, "cell soft", set=press, label=f"show {rival.name}")
        length = max(full * rival.error / most, 1.0)
        yield pen.rect(f"rival{row}", Box(place.x, y, length, tall), "dropped" if chosen else "dropped soft", round=1)
        role = "hot strong" if chosen else "label"
        yield pen.text(f"rival{row}-name", x, y + tall / 2, rival.name, role, middle=True)
        yield pen.text(f"rival{row}-value", place.right + 8, y + tall / 2, words, role, middle=True)


def _edge(box: Box) -> Sequence[tuple[float, float]]:
    return [(box.x, box.y), (box.right, box.y), (box.right, box.bottom), (box.x, box.bottom), (box.x, box.y)]
