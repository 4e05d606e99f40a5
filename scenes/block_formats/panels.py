"""The picture: under the numbers, the room that they take, the sums of a step, packed bytes, and all formats."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache

from loom.draw import Box, Mark, Pen, number
from loom.scene import Moment

from .case import BF16_BYTES, SHOWN, Case
from .ladder import draw_ladder
from .model import EXPONENT_BIAS, MXFP4
from .narration import bits, byte, percent, restored, rounding_sums, scale_sums
from .stage import Stage

BETWEEN = "\u00a0\u00a0"  # two digits

# (letter, bits, role) from the highest bit down: sign, exponent, mantissa.
FIELDS = {
    "E2M1": (("s", 1, "series-5"), ("e", 2, "series-2"), ("m", 1, "series-1")),
    "E8M0": (("exponent", 8, "series-2"),),
    "E4M3": (("s", 1, "series-5"), ("exponent", 4, "series-2"), ("mantissa", 3, "series-1")),
}


def draw(moment: Moment, width: float) -> Iterator[Mark]:
    stage, phase = stage_of(moment.result, width), moment.phase
    yield from draw_ladder(stage, moment)
    if phase == "amax":
        yield from draw_sizes(stage)
    elif phase in ("scale", "rounded"):
        yield from draw_sums(stage, phase == "scale")
        if phase == "rounded":
            yield from draw_stored(stage, stage.panel.y + 3 * stage.line + stage.pen.pick(28, 30))
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


def draw_sums(stage: Stage, scaling: bool) -> Iterator[Mark]:
    """The arithmetic of a step, for each block; the scale's bits beside it."""
    pen, sums = stage.pen, scale_sums if scaling else rounding_sums
    for block in [stage.case.own] if pen.narrow else range(len(stage.case.stored)):
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
    shown = [f"{percent(rival.error)}, the largest {percent(rival.worst)}" for rival in case.rivals]
    x, right = box.x, box.right
    full = right - x - names - pen.room(shown, strong=True) - 10
    yield pen.text("rivals-head", x, box.y + 0.8 * pen.size, "error of these 32 numbers, RMS", "note")
    step, tall = pen.pick((26, 24), (25, 24))
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


def bit_pitch(pen: Pen) -> float:
    """From one bit to the next: that of digits with a space between them."""
    return pen.room("0" + BETWEEN, size=pen.large)


def draw_bits(pen: Pen, key: str, x: float, y: float, code: int, kind: str) -> Iterator[Mark]:
    """A code as squares, its fields told apart by colour and by the name under each; `y` is their top."""
    pitch, side = bit_pitch(pen), pen.large + 4
    at = 0
    for letter, length, role in FIELDS[kind]:
        left, right = x + at * pitch, x + (at + length) * pitch - 2
        edges = [Box(left, y, right - left, side).corners]
        edges += [[(left + step * pitch - 1, y), (left + step * pitch - 1, y + side)] for step in range(1, length)]
        yield pen.strokes(f"{key}-{letter}", edges, role)
        yield pen.text(f"{key}-{letter}-name", (left + right) / 2, y + side + pen.size, letter, "note", anchor="middle")
        digits = bits(code, sum(size for _, size, _ in FIELDS[kind]))[at : at + length]
        for start in range(0, length, 2):  # in pairs, so that a fallback font cannot push them out of their squares
            pair = digits[start : start + 2]
            middle = left + (start + len(pair) / 2) * pitch - 1
            yield pen.text(f"{key}-{letter}{start}", middle, y + side / 2, BETWEEN.join(pair), "value", anchor="middle",
                           size=pen.large, middle=True)  # fmt: skip
        at += length


def draw_strip(stage: Stage, moment: Moment) -> Iterator[Mark]:
    """All bytes, scales first; from the one with the largest number its bits come down."""
    pen, case, boxes = stage.pen, stage.case, stage.cells
    flat, each = b"".join(case.stored), len(case.stored[0])
    come = round(moment.past("codes") * len(flat))
    own = case.pair(case.top)[0] + case.own + 1
    yield pen.strokes("bytes", _tapes([box for at, box in enumerate(boxes) if at % each]), "axis")
    yield pen.strokes("scale-bytes", _tapes(boxes[::each]), "series-2")
    yield pen.outlines("own-byte", [boxes[own]], "hot")
    for at, (value, box) in enumerate(zip(flat[:come], boxes, strict=False)):
        role = "hot strong" if at == own else "value"
        x, y = box.x + box.width / 2, box.y + box.height / 2
        yield pen.text(f"y{at}", x, y, byte(value), role, anchor="middle", middle=True)
    scale = "the scale" if stage.one else "each scale"
    words = f"{len(flat)} bytes: {scale}, then two codes to a byte"
    yield pen.text("bytes-head", boxes[0].x, boxes[0].y - 7, words, "note")
    if come > own:
        yield from _opened(stage, boxes[own], byte(flat[own]))


def _opened(stage: Stage, cell: Box, value: str) -> Iterator[Mark]:
    """The chosen byte in bits: the number of its high half left, that of its low half right."""
    pen, case = stage.pen, stage.case
    _, low, high = case.pair(case.top)
    pitch, gap = bit_pitch(pen), pen.pick(8, 14)
    wide, side = 8 * pitch + gap - 2, pen.large + 4
    y = stage.cells[-1].bottom + pen.pick(16, 22)
    if pen.narrow:
        x = stage.cells[1].x + 35
        yield pen.text("open", x - 10, y + side / 2, f"0x{value} =", "hot strong", anchor="end", middle=True)
    else:
        room = stage.plot.x + 216
        x = min(max(cell.x + cell.width / 2 - wide / 2, room), pen.width - room - wide)
        legs = [[(cell.x, cell.bottom), (x, y - 4)], [(cell.right, cell.bottom), (x + wide, y - 4)]]
        yield pen.strokes("open", legs, "hot dashed")
    yield from draw_bits(pen, "hi", x, y, case.codes[high], "E2M1")
    yield from draw_bits(pen, "lo", x + 4 * pitch + gap, y, case.codes[low], "E2M1")
    for row, (key, at, half) in enumerate((("hi", high, "high"), ("lo", low, "low"))):
        words, role = f"number {at}: {restored(case, at)}", "hot strong" if at == case.top else "label"
        if pen.narrow:
            foot = y + side + 2.6 * pen.size + row * stage.line
            yield pen.text(f"{key}-is", x - pitch, foot, f"{half} half, {words}", role)
        else:
            place, anchor = (x - 14, "end") if key == "hi" else (x + wide + 14, "start")
            yield pen.text(f"{key}-is", place, y + side / 2, words, role, anchor=anchor, middle=True)


def _tapes(boxes: Sequence[Box]) -> Iterator[list[tuple[float, float]]]:
    """Boxes as outlines; those that touch share an edge."""
    tapes: list[list[Box]] = []
    for box in boxes:
        if tapes and tapes[-1][-1].right == box.x and tapes[-1][-1].y == box.y:
            tapes[-1].append(box)
        else:
            tapes.append([box])
    for first, *rest in tapes:
        yield Box(first.x, first.y, [first, *rest][-1].right - first.x, first.height).corners
        yield from ([(part.x, part.y), (part.x, part.bottom)] for part in rest)
