"""The picture: under the numbers, how much room they take, the sums behind a step, and at last all formats."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

from loom.draw import Box, Mark, Pen, number
from loom.scene import Moment

from .case import BF16_BYTES, SHOWN, Case
from .ladder import draw_ladder
from .model import EXPONENT_BIAS, MXFP4
from .narration import percent, rounding_sums, scale_sums
from .stage import Stage
from .strip import bit_pitch, draw_bits, draw_strip


def draw(moment: Moment, width: float) -> Iterator[Mark]:
    stage, phase = stage_of(moment.result, width), moment.phase
    yield from draw_ladder(stage, moment)
    if phase in ("numbers", "amax"):
        yield from draw_sizes(stage, phase == "amax")
    elif phase in ("scale", "rounded"):
        yield from draw_sums(stage, phase == "scale")
    elif phase in ("codes", "decoded"):
        yield from draw_strip(stage, moment)
    else:
        yield from draw_rivals(stage)


@lru_cache(maxsize=2)
def stage_of(case: Case, width: float) -> Stage:
    """One geometry for all steps."""
    return Stage(Pen(width), case)


def draw_sizes(stage: Stage, parted: bool) -> Iterator[Mark]:
    """The bytes of the same numbers before and after, on one scale; then which of them are for scales."""
    pen, case, y = stage.pen, stage.case, stage.panel.y + stage.pen.size
    x, right = pen.pick((0.0, pen.width), (stage.plot.x, stage.plot.right))
    pitch, below = (right - x) / BF16_BYTES, y + pen.pick(58, 60)
    before, after = ([Box(x + at * pitch, top + 7, pitch - 1.5, 20) for at in range(length)]
                     for top, length in ((y, BF16_BYTES), (below, case.bytes)))  # fmt: skip
    yield pen.text("before-name", x, y, f"BF16: {BF16_BYTES} bytes", "label")
    yield pen.outlines("before", before)
    yield pen.text("after-name", x, below, f"{case.format}: {case.bytes} bytes", "label strong")
    scales = len(case.stored) if parted else 0
    yield pen.outlines("after", after[scales:], "kept")
    if scales:
        yield pen.outlines("after-scales", after[:scales], "series-2")
        words = f"{scales} for {'the scale' if scales == 1 else 'scales'}, {case.bytes - scales} for {SHOWN} codes"
        last = after[-1]
        place = pen.pick((x, last.bottom + pen.size + 5), (last.right + 10, last.y + 10 + 0.35 * pen.size))
        yield pen.text("after-scales-name", *place, words, "note")


def draw_sums(stage: Stage, scaling: bool) -> Iterator[Mark]:
    """The arithmetic of a step, for each block; the scale's bits beside it."""
    pen, sums = stage.pen, scale_sums if scaling else rounding_sums
    for block in range(len(stage.case.stored)):
        box, lines = stage.columns[block], sums(stage.case, block)
        for row, words in enumerate(lines):
            role = "label strong" if scaling and row == len(lines) - 1 else "label"
            yield pen.text(f"sum{block}-{row}", box.x, box.y + pen.size + row * stage.line, words, role)
        if scaling:
            yield from draw_scale_bits(stage, block, len(lines))


def draw_scale_bits(stage: Stage, block: int, lines: int) -> Iterator[Mark]:
    pen, code = stage.pen, int(stage.case.packed.scale_codes[block])
    box = stage.columns[block].inset(top=lines * stage.line + 8)
    if stage.one and not pen.narrow:
        box = stage.columns[1]
    words = f"= byte {code} = {number(code - EXPONENT_BIAS)} + {EXPONENT_BIAS}" if stage.one else f"= byte {code}"
    yield from draw_bits(pen, f"scale{block}", box.x, box.y, code, "E8M0" if stage.one else "E4M3")
    x, y = box.x + 8 * bit_pitch(pen) + 8, box.y + (pen.large + 4) / 2
    yield pen.text(f"scale{block}-code", x, y, words, "note", middle=True)


def draw_rivals(stage: Stage) -> Iterator[Mark]:
    """The error of each format on these numbers: shorter is better, and each row is a button."""
    pen, box, case = stage.pen, stage.panel, stage.case
    most = max(rival.error for rival in case.rivals)
    names = pen.room([rival.name for rival in case.rivals], strong=True) + 12
    shown = [f"{percent(rival.error)}, {rival.bytes} bytes" for rival in case.rivals]
    x, right = pen.pick((0.0, pen.width), (stage.plot.x, stage.plot.right))
    full = right - x - names - pen.room(shown, strong=True) - 10
    yield pen.text("rivals-head", x, box.y + 0.8 * pen.size, "error of these 32 numbers, RMS", "note")
    step, tall = pen.pick((32, 24), (34, 26))
    for row, (rival, words) in enumerate(zip(case.rivals, shown, strict=True)):
        place = Box(x + names, box.y + pen.size + 9 + row * step, full, tall)
        middle, chosen = place.y + tall / 2, rival.name == case.name
        press = {"format": rival.format} | ({"rule": rival.rule} if rival.format == MXFP4 else {})
        yield pen.rect(f"track{row}", place, "cell soft", set=press, label=f"show {rival.name}")
        bar = Box(place.x, place.y, max(full * rival.error / most, 1.0), tall)
        yield pen.rect(f"rival{row}", bar, "dropped" if chosen else "dropped soft", round=1)
        role = "hot strong" if chosen else "label"
        yield pen.text(f"rival{row}-name", x, middle, rival.name, role, middle=True)
        yield pen.text(f"rival{row}-value", place.right + 8, middle, words, role, middle=True)
