"""Codes: a hex digit under each number, two of them to a byte, and the bits of one byte."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from loom.draw import Box, Mark, Pen
from loom.scene import Moment

from .case import SHOWN
from .narration import bits, byte, restored
from .pace import TOGETHER, packed, written
from .stage import Stage

BETWEEN = "\u00a0\u00a0"  # two digits

# (letter, bits, role) from the highest bit down: sign, exponent, mantissa.
FIELDS = {
    "E2M1": (("s", 1, "series-5"), ("e", 2, "series-2"), ("m", 1, "series-1")),
    "E8M0": (("exponent", 8, "series-2"),),
    "E4M3": (("s", 1, "series-5"), ("exponent", 4, "series-2"), ("mantissa", 3, "series-1")),
}


def draw_halves(stage: Stage, beat: int) -> Iterator[Mark]:
    """Half a byte under each number, filled as far as there are codes that are not in their bytes."""
    pen, case, cells = stage.pen, stage.case, stage.halves_of_bytes
    for block, start in enumerate(range(0, SHOWN, case.packed.size)):
        first = cells[start + case.packed.size // 2 * packed(beat)]
        full = min(max(written(beat) - start, 0), case.packed.size)
        band = Box(first.x, first.y, cells[start + full - 1].right - first.x if full else 0.0, first.height)
        yield pen.rect(f"full{block}", band, "kept soft", round=0)
    yield pen.strokes("halves", _tapes(cells), "kept thin")
    if not packed(beat):
        scales = "one for the scale" if stage.one else "one for each scale"
        words = f"{case.bytes} bytes: {scales}, half a byte a number"
        yield pen.text("halves-head", stage.panel.x, cells[0].bottom + pen.size + 5, words, "note")


def draw_scales(stage: Stage, boxes: Sequence[Box]) -> Iterator[Mark]:
    """A byte for each scale."""
    yield stage.pen.outlines("scale-bytes", boxes, "series-2")
    for block, cell in enumerate(boxes):
        yield _written(stage.pen, f"s{block}", cell, byte(stage.case.stored[block][0]))


def draw_digits(stage: Stage, beat: int) -> Iterator[Mark]:
    """The code of each rung as a hex digit: under its number, where there is room to read it, then in its byte."""
    pen, case, there = stage.pen, stage.case, packed(beat)
    each, half = len(case.stored[0]), pen.text_width(list("0d"), strong=True) / 2
    own = case.pair(case.top)
    for at in range(SHOWN):
        which, low, _ = case.pair(at)
        key, words = f"d{at}", f"{case.codes[at]:x}"
        if there > (at != low):
            cell = stage.cells[which + at // (each * 2 - 2) + 1]
            yield _written(pen, key, cell, words, half if at == low else -half, hot=at in own[1:])
        elif at < written(beat) and not pen.narrow:
            yield _written(pen, key, stage.halves_of_bytes[at], words, hot=at in case.largest)


def _written(pen: Pen, key: str, cell: Box, words: str, shift: float = 0.0, *, hot: bool = False) -> Mark:
    x, y = cell.x + cell.width / 2 + shift, cell.y + cell.height / 2
    return pen.text(key, x, y, words, "hot strong" if hot else "value", anchor="middle", middle=True)


def draw_strip(stage: Stage, moment: Moment) -> Iterator[Mark]:
    """A digit for each number; two at a time they make bytes; from that with the largest number its bits come down."""
    case, boxes, there = stage.case, stage.cells, packed(moment.beat)
    if there < TOGETHER:
        yield from draw_halves(stage, moment.beat)
    each = len(case.stored[0])
    own = case.pair(case.top)[0] + case.own + 1
    if there:
        yield stage.pen.strokes("bytes", _tapes([box for at, box in enumerate(boxes) if at % each]), "axis")
    yield from draw_scales(stage, boxes[::each] if there else stage.scale_cells)
    if moment.progress == 1:
        yield stage.pen.outlines("own-byte", [boxes[own]], "hot")
    yield from draw_digits(stage, moment.beat)
    if there == TOGETHER:
        scale = "the scale" if stage.one else "each scale"
        words = f"{case.bytes} bytes: {scale}, then two codes to a byte"
        yield stage.pen.text("bytes-head", boxes[0].x, boxes[0].y - 7, words, "note")
    if moment.progress == 1:
        yield from _opened(stage, boxes[own], byte(b"".join(case.stored)[own]))


def bit_pitch(pen: Pen) -> float:
    """From one bit to the next: that of digits with a space between them."""
    return pen.text_width("0" + BETWEEN, size=pen.large)


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


def _opened(stage: Stage, cell: Box, value: str) -> Iterator[Mark]:
    """The chosen byte in bits: the number of its high half left, that of its low half right."""
    pen, case = stage.pen, stage.case
    _, low, high = case.pair(case.top)
    four, side = 4 * bit_pitch(pen) - 2, pen.large + 4
    y = stage.cells[-1].bottom + pen.pick(18, 22)
    if pen.narrow:
        xs = [108 - four / 2, 256 - four / 2]
        yield pen.text("open", 0, y + side / 2, f"0x{value} =", "hot strong", middle=True)
    else:
        room, wide = stage.plot.x + 216, 2 * four + 16
        x = min(max(cell.x + cell.width / 2 - wide / 2, room), pen.width - room - wide)
        xs = [x, x + four + 16]
        legs = [[(cell.x, cell.bottom), (x, y - 4)], [(cell.right, cell.bottom), (x + wide, y - 4)]]
        yield pen.strokes("open", legs, "hot dashed")
    for key, at, x, away in (("hi", high, xs[0], -14), ("lo", low, xs[1], four + 14)):
        yield from draw_bits(pen, key, x, y, case.codes[at], "E2M1")
        role, words = "hot strong" if at == case.top else "label", (f"number {at}", restored(case, at))
        if pen.narrow:  # under its bits
            for row, line in enumerate(words):
                foot = y + side + 2.6 * pen.size + row * stage.line
                yield pen.text(f"{key}-is{row}", x + four / 2, foot, line, role, anchor="middle")
        else:
            anchor = "end" if key == "hi" else "start"
            yield pen.text(f"{key}-is", x + away, y + side / 2, ": ".join(words), role, anchor=anchor, middle=True)


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
