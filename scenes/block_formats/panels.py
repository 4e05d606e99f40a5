"""The picture: under the numbers, the room that they take, its scale, another, packed bytes, and all formats."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

from loom.draw import Box, Mark, Pen, memoized, number
from loom.scene import Moment

from .case import BF16_BYTES, SHOWN, Case
from .codes import bit_pitch, draw_bits, draw_strip
from .ladder import draw_ladder
from .model import EXPONENT_BIAS
from .narration import percent, scale_sums
from .other import draw_now, draw_other, setting
from .pace import COUNTED, FEWER, TRIED, rounded
from .stage import Stage
from .trials import draw_trials


def draw(moment: Moment, width: float) -> Iterator[Mark]:
    stage, phase = stage_of(moment.result, width), moment.phase
    yield from draw_ladder(stage, moment)
    if phase == "amax":
        yield from draw_sizes(stage, moment.beat)
    elif phase == "scale":
        if stage.one:
            yield from draw_trials(stage, moment.beat)
        yield from draw_sums(stage, moment.beat)
    elif phase == "rounded":
        yield from draw_other(stage, rounded(moment))
        if moment.progress < 1:
            yield draw_now(stage, rounded(moment))
    elif phase == "codes":
        yield from draw_strip(stage, moment)
    else:
        yield from draw_rivals(stage, moment.beat)


@lru_cache(maxsize=2)
def stage_of(case: Case, width: float) -> Stage:
    """One geometry for all steps."""
    return Stage(Pen(width), case)


def draw_sizes(stage: Stage, beat: int) -> Iterator[Mark]:
    """The bytes of the same numbers before and after, on one scale: as the first go, the second come."""
    pen, y = stage.pen, stage.panel.y + stage.pen.size
    x, _, wide, _ = stage.panel
    if beat < COUNTED:
        gone = wide if beat >= FEWER else 0.0
        yield pen.rect("before-left", Box(x + gone, y + 7, wide - gone, 20), "data soft steady", round=0)
    yield pen.text("before-name", stage.panel.x, y, f"BF16: {BF16_BYTES} bytes", "label")
    yield pen.outlines("before", byte_boxes(stage, y + 7, BF16_BYTES))
    yield from draw_stored(stage, y + pen.pick(44, 46), beat >= FEWER)


def byte_boxes(stage: Stage, top: float, count: int) -> list[Box]:
    """A box for each of so many bytes, all that BF16 takes across the panel."""
    x, pitch = stage.panel.x, stage.panel.width / BF16_BYTES
    return [Box(x + at * pitch, top, pitch - 1.5, 20) for at in range(count)]


def draw_stored(stage: Stage, y: float, come: bool) -> Iterator[Mark]:
    """The bytes that the format takes, and which of them are for scales; `y` is the baseline of their name."""
    pen, case = stage.pen, stage.case
    after = byte_boxes(stage, y + 7, case.bytes)
    yield pen.text("after-name", stage.panel.x, y, f"{case.format}: {case.bytes} bytes", "label strong")
    scales, last = len(case.stored), after[-1]
    full = Box(stage.panel.x, last.y, (last.right - stage.panel.x) * come, last.height)
    yield pen.rect("after-full", full, "kept soft steady", round=0)
    yield pen.outlines("after", after[scales:], "kept")
    yield pen.outlines("after-scales", after[:scales], "series-2")
    words = f"{scales} for {'the scale' if scales == 1 else 'scales'}, {case.bytes - scales} for {SHOWN} codes"
    yield pen.text("after-scales-name", last.right + 10, last.y + 10, words, "note", middle=True)


@memoized
def draw_sums(stage: Stage, beat: int) -> Iterator[Mark]:
    """How the scale of each block is worked out: of NVFP4 line by line, of MXFP4 once it is found; then its bits."""
    pen, done = stage.pen, beat >= len(TRIED)
    for block in [stage.case.own] if pen.narrow else range(len(stage.case.stored)):
        box, lines = stage.sums[block], scale_sums(stage.case, block)
        if stage.one and pen.narrow:  # the rulers have said the rest
            lines = lines[-1:]
        for row, words in enumerate(lines[: len(lines) * done if stage.one else beat]):
            role = "label strong" if row == len(lines) - 1 else "label"
            yield pen.text(f"sum{block}-{row}", box.x, box.y + pen.size + row * stage.line, words, role)
        if done:
            yield from draw_scale_bits(stage, block, box.inset(top=len(lines) * stage.line + 8))


def draw_scale_bits(stage: Stage, block: int, box: Box) -> Iterator[Mark]:
    pen, code = stage.pen, int(stage.case.packed.scale_codes[block])
    words = f"= byte {code} = {number(code - EXPONENT_BIAS)} + {EXPONENT_BIAS}" if stage.one else f"= byte {code}"
    yield from draw_bits(pen, f"scale{block}", box.x, box.y, code, "E8M0" if stage.one else "E4M3")
    x, y = box.x + 8 * bit_pitch(pen) + 8, box.y + (pen.large + 4) / 2
    yield pen.text(f"scale{block}-code", x, y, words, "note", middle=True)


@memoized
def draw_rivals(stage: Stage, known: int) -> Iterator[Mark]:
    """The error of each format, as far as it is known: shorter is better, and each row is a button."""
    pen, box, case = stage.pen, stage.panel, stage.case
    most = max(rival.error for rival in case.rivals)
    names = pen.text_width([rival.name for rival in case.rivals], strong=True) + 12
    shown = [f"{percent(rival.error)}, the largest {percent(rival.worst)}" for rival in case.rivals]
    x, right = box.x, box.right
    full = right - x - names - pen.text_width(shown, strong=True) - 10
    yield pen.text("rivals-head", x, box.y + pen.size + 2, "error of these 32 numbers, RMS", "note")
    step, tall = pen.pick((26, 24), (25, 24))
    for row, (rival, words) in enumerate(zip(case.rivals, shown, strict=True)):
        place = Box(x + names, box.y + pen.size + 10 + row * step, full, tall)
        middle, chosen = place.y + tall / 2, rival.name == case.name
        yield pen.rect(f"track{row}", place, "cell soft", set=setting(rival), label=f"show {rival.name}")
        bar = Box(place.x, place.y, max(full * rival.error / most, 1.0) * (row < known), tall)
        yield pen.rect(f"rival{row}", bar, "dropped" if chosen else "dropped soft", round=1)
        role = "hot strong" if chosen else "label"
        yield pen.text(f"rival{row}-name", x, middle, rival.name, role, middle=True)
        if row < known:
            yield pen.text(f"rival{row}-value", place.right + 8, middle, words, role, middle=True)
