"""The bits of one weight, its own and its share, and where they lie among the bytes of the super-block."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from loom.draw import Box, Mark, Pen

from .case import State
from .kinds import CODES, SUPER, Kind
from .ledger import ROLES, part_names
from .stage import Stage
from .words import exactly, number, signed

BETWEEN = "\u00a0\u00a0"  # two digits


def draw_weight(stage: Stage, state: State) -> Iterator[Mark]:
    """A weight as long as its bits: a square for each bit of its code, and its share of what is common to many."""
    pen, case = stage.pen, state.case
    unit, tall = (34.0, 26.0) if pen.narrow else (44.0, 34.0)
    top, x = pen.size + 8, 0.0
    code = f"{case.own_bits} = {signed(case.codes[case.own])}"
    words = f"weight {case.own}: {exactly(case.kind.total)} bits"
    yield pen.text("weight", 0, pen.size, words, "label strong")
    back = f"code {code}, read as {number(float(case.decoded[case.own]))}"
    yield pen.text("weight-code", pen.room(words, strong=True) + 14, pen.size, back, "note")
    middles, names = [], []
    for part, name in part_names(case).items():
        wide = case.kind.spent(part) * unit
        if not wide:
            continue
        if part == CODES:
            yield from _code(pen, state, unit, top, tall)
        else:
            yield pen.rect(f"own-{part}", Box(x, top, wide, tall), ROLES[part], round=0)
        middles.append(x + wide / 2)
        names.append(f"{'code' if part == CODES else name} {exactly(case.kind.spent(part))}")
        x += wide
    yield from _names(pen, Box(0, top, pen.width, tall), top + tall, middles, names, "own")


def _code(pen: Pen, state: State, unit: float, top: float, tall: float) -> Iterator[Mark]:
    """The bits of the code, the highest left."""
    squares = [_square(bit * unit + 1, top + 1, unit - 3, tall - 2) for bit in range(state.case.kind.bits)]
    yield pen.strokes("own-code", squares, "kept")
    for bit, digit in enumerate(state.case.own_bits):
        yield pen.text(f"own{bit}", (bit + 0.5) * unit - 0.5, top + tall / 2, digit, "value", anchor="middle",
                       size=pen.large, middle=True)  # fmt: skip


def draw_layout(stage: Stage, state: State) -> Iterator[Mark]:
    """The fields on one scale; above or beside them the bytes that hold the bits of the weight."""
    pen, case = stage.pen, state.case
    runs = _runs(case.kind)
    box = Box(0, 98, 328, 16) if pen.narrow else Box(0, 126, 840, 20)
    unit = box.width / case.kind.bytes
    words = f"{case.kind.bytes} bytes, in order"
    yield pen.text("bytes-head", box.x, box.y - 7, words, "label strong")
    middles, x = [], box.x
    for struct in range(case.kind.structs):
        for at, (_, part, size) in enumerate(runs):
            field = Box(x, box.y, size * unit, box.height)
            yield pen.rect(f"f{struct}{at}", field.inset(right=0.5), ROLES[part], round=0)
            middles.append(x + field.width / 2)
            x = field.right
    labels = [f"{name} {size}" for name, _, size in runs]
    if not case.kind.nested:
        labels = [f"{labels[0]},", f"{labels[1]}, eight times"]
    yield from _names(pen, box, box.bottom, middles[: len(runs)], labels, "f")
    spots = [box.x + (at + 0.5) * unit for _, at, _, _ in case.own_bytes()]
    yield pen.strokes("spots", ([(spot, box.y - 3), (spot, box.bottom + 3)] for spot in spots), "hot")
    yield from _opened(stage, state, spots, box.y - 4)


def _runs(kind: Kind) -> list[tuple[str, str, int]]:
    """Fields of a struct, d and dmin as one."""
    fields = [(field.name, field.part, field.bytes) for field in kind.fields if field.name != "dmin"]
    if not kind.min_bits:
        return fields
    return [("d, dmin", part, 2 * size) if part == SUPER else (name, part, size) for name, part, size in fields]


def _names(pen: Pen, box: Box, y: float, middles: Sequence[float], labels: Sequence[str], key: str) -> Iterator[Mark]:
    """A name under each field, moved aside where it would touch the one before, with a line to what it names."""
    places, least = [], box.x
    for middle, words in zip(middles, labels, strict=True):
        half = pen.room(words) / 2
        places.append(max(middle, least + half))
        least = places[-1] + half + 10
    limit = box.right
    for at in range(len(places) - 1, -1, -1):
        half = pen.room(labels[at]) / 2
        places[at] = min(places[at], limit - half)
        limit = places[at] - half - 10
    leads = ([(a, y + 2), (b, y + 9)] for a, b in zip(middles, places, strict=True))
    yield pen.strokes(f"{key}-leads", leads, "axis thin")
    for at, (place, words) in enumerate(zip(places, labels, strict=True)):
        yield pen.text(f"{key}{at}-name", place, y + 11 + pen.size, words, "label", anchor="middle")


def _opened(stage: Stage, state: State, spots: Sequence[float], foot: float) -> Iterator[Mark]:
    """The bytes that hold the weight's bits as squares, the highest bit left, those of the weight marked."""
    pen, side = stage.pen, stage.pen.large + 4
    pitch, gap = pen.room("0" + BETWEEN, size=pen.large), 16 if pen.narrow else 30
    y = 176 if pen.narrow else pen.size + 12
    opened = state.case.own_bytes()
    x = 0.0 if pen.narrow else pen.width - len(opened) * (8 * pitch + gap) + gap
    legs = []
    for spot, (field, at, low, value) in zip(spots, opened, strict=True):
        name = field.name
        yield pen.text(f"{name}-head", x, y - 6, f"byte {at}, in {name}", "note")
        mine = range(low, low + field.bits)
        squares = {bit: _square(x + (7 - bit) * pitch, y, pitch - 2, side) for bit in range(8)}
        others = [square for bit, square in squares.items() if bit not in mine]
        if others:
            yield pen.strokes(f"{name}-rest", others, "axis thin")
        yield pen.strokes(f"{name}-own", [squares[bit] for bit in mine], "hot")
        digits = f"{value:08b}"
        for start in range(0, 8, 2):  # in pairs, so that a fallback font cannot push them out of their squares
            words, middle = BETWEEN.join(digits[start : start + 2]), x + (start + 1) * pitch - 1
            yield pen.text(f"{name}{start}", middle, y + side / 2, words, "value", anchor="middle", size=pen.large,
                           middle=True)  # fmt: skip
        left = x + (7 - mine[-1]) * pitch
        words = f"weight {state.case.own}"
        half = pen.room(words) / 2
        middle = min(max(left + field.bits * pitch / 2 - 1, x + half), pen.width - half)
        yield pen.text(f"{name}-mine", middle, y + side + pen.size + 2, words, "hot", anchor="middle")
        legs.append([(spot, foot), (middle, y + side + pen.size + 8)])
        x += 8 * pitch + gap
    if not pen.narrow:  # on a phone the byte lies under names, which a line would cross
        yield pen.strokes("legs", legs, "hot thin dashed")


def _square(x: float, y: float, wide: float, tall: float) -> list[tuple[float, float]]:
    return [(x, y), (x + wide, y), (x + wide, y + tall), (x, y + tall), (x, y)]
