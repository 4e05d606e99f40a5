"""The picture: under the numbers, the room that they take, its scale, what is lost, packed bytes, and all formats."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

from loom.draw import Box, Mark, Pen, memoized, number
from loom.scene import Moment

from .case import BF16_BYTES, SHOWN, Case
from .codes import bit_pitch, draw_bits, draw_strip
from .ladder import draw_ladder
from .model import EXPONENT_BIAS, MXFP4
from .narration import percent, scale_sums
from .stage import Stage


def draw(moment: Moment, width: float) -> Iterator[Mark]:
    stage, phase = stage_of(moment.result, width), moment.phase
    yield from draw_ladder(stage, moment)
    if phase == "amax":
        yield from draw_sizes(stage)
    elif phase == "scale":
        yield from draw_sums(stage)
    elif phase == "rounded":
        if moment.progress == 1:  # what is lost is known, and so are its rows
            yield from draw_losses(stage)
    elif phase == "codes":
        yield from draw_strip(stage, moment)
    else:
        yield from draw_rivals(stage)


@lru_cache(maxsize=2)
def stage_of(case: Case, width: float) -> Stage:
    """One geometry for all steps."""
    return Stage(Pen(width), case)


def draw_sizes(stage: Stage) -> Iterator[Mark]:
    """The bytes of the same numbers before and after, on one scale, and which of them are for scales."""
    pen, y = stage.pen, stage.panel.y + stage.pen.size
    yield pen.text("before-name", stage.panel.x, y, f"BF16: {BF16_BYTES} bytes", "label")
    yield pen.outlines("before", byte_boxes(stage, y + 7, BF16_BYTES))
    yield from draw_stored(stage, y + pen.pick(44, 46))


def byte_boxes(stage: Stage, top: float, count: int) -> list[Box]:
    """A box for each of so many bytes, all that BF16 takes across the panel."""
    x, pitch = stage.panel.x, stage.panel.width / BF16_BYTES
    return [Box(x + at * pitch, top, pitch - 1.5, 20) for at in range(count)]


def draw_stored(stage: Stage, y: float) -> Iterator[Mark]:
    """The bytes that the format takes, and which of them are for scales; `y` is the baseline of their name."""
    pen, case = stage.pen, stage.case
    after = byte_boxes(stage, y + 7, case.bytes)
    yield pen.text("after-name", stage.panel.x, y, f"{case.format}: {case.bytes} bytes", "label strong")
    scales, last = len(case.stored), after[-1]
    yield pen.outlines("after", after[scales:], "kept")
    yield pen.outlines("after-scales", after[:scales], "series-2")
    words = f"{scales} for {'the scale' if scales == 1 else 'scales'}, {case.bytes - scales} for {SHOWN} codes"
    yield pen.text("after-scales-name", last.right + 10, last.y + 10, words, "note", middle=True)


@memoized
def draw_sums(stage: Stage) -> Iterator[Mark]:
    """How the scale of each block is worked out, and its bits beside it."""
    pen = stage.pen
    for block in [stage.case.own] if pen.narrow else range(len(stage.case.stored)):
        box, lines = stage.columns[block], scale_sums(stage.case, block)
        for row, words in enumerate(lines):
            role = "label strong" if row == len(lines) - 1 else "label"
            yield pen.text(f"sum{block}-{row}", box.x, box.y + pen.size + row * stage.line, words, role)
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


@memoized
def draw_losses(stage: Stage) -> Iterator[Mark]:
    """Whom this scale suits and whom another: the errors that either makes. Those of the other are a button."""
    pen, rows = stage.pen, ("the largest", f"{SHOWN - 1} others", f"all {SHOWN}")
    box = stage.panel.inset(right=pen.pick(0, stage.panel.right - stage.plot.right))
    places = box.inset(top=pen.size + pen.pick(10, 6), bottom=6).rows(len(rows), 8)
    for at, (words, place) in enumerate(zip(rows, places, strict=True)):
        yield pen.text(f"of{at}", box.x, place.y + place.height / 2, words, "label", middle=True)
    here, there = box.inset(left=pen.text_width(rows) + 12).columns(2, 16)
    other = stage.case.other
    most = max(*losses(stage.case), *losses(other))
    button = Box(there.x - 8, box.y - pen.pick(0, 4), there.width + 8, box.height + 2)
    yield pen.rect("other", button, "cell soft answer", set=setting(other), label=f"show {other.name}")
    for key, case, column in (("here", stage.case, here), ("there", other, there)):
        yield from draw_bars(pen, key, case, [Box(column.x, one.y, column.width, one.height) for one in places], most)


def losses(case: Case) -> list[float]:
    """The errors of the largest number, of the others and of all [%]."""
    return [case.worst, case.rest, case.error]


def draw_bars(pen: Pen, key: str, case: Case, places: list[Box], most: float) -> Iterator[Mark]:
    """What one way of scaling loses."""
    chosen, full = key == "here", places[0].width - pen.text_width("8.88%", strong=True) - 8
    bars = [
        place._replace(width=max(full * loss / most, 1.0)) for place, loss in zip(places, losses(case), strict=True)
    ]
    words = f"loss at X = {number(float(case.scales[0]))}" if case.format == MXFP4 else f"loss in {case.format}"
    yield pen.text(f"{key}-name", bars[0].x, places[0].y - 8, words, "hot strong answer" if chosen else "label answer")
    yield pen.strokes(
        key, [bar.corners for bar in bars], "dropped solid answer" if chosen else "dropped soft solid answer"
    )
    for at, (loss, bar) in enumerate(zip(losses(case), bars, strict=True)):
        yield pen.text(f"{key}{at}", bar.right + 6, bar.y + bar.height / 2, percent(loss), "value answer", middle=True)


def setting(case: Case) -> dict[str, str]:
    """What the controls are set to for a format and its rule."""
    return {"format": case.format} | ({"rule": case.rule} if case.format == MXFP4 else {})


@memoized
def draw_rivals(stage: Stage) -> Iterator[Mark]:
    """The error of each format on these numbers: shorter is better, and each row is a button."""
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
        bar = Box(place.x, place.y, max(full * rival.error / most, 1.0), tall)
        yield pen.rect(f"rival{row}", bar, "dropped" if chosen else "dropped soft", round=1)
        role = "hot strong" if chosen else "label"
        yield pen.text(f"rival{row}-name", x, middle, rival.name, role, middle=True)
        yield pen.text(f"rival{row}-value", place.right + 8, middle, words, role, middle=True)
