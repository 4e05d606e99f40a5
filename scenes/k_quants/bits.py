"""Where the bits go: the ledger of bits per weight, the bits of one weight, and their bytes in the super-block."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from loom.draw import Box, Mark, number, percent, plain
from loom.scene import Moment

from .case import Case
from .kinds import CODES, PARTS, SCALES, SUPER, Kind
from .narration import exactly
from .stage import MOST_BITS, Stage

ROLES = {CODES: "kept", SCALES: "series-2", SUPER: "series-5"}
BETWEEN = "\u00a0\u00a0"  # two digits


def part_names(kind: Kind) -> dict[str, str]:
    """What each part is called that takes any bits."""
    scales, top = ("scales, minima", "d, dmin") if kind.min_bits else ("scales", "d")
    return {CODES: "codes", SCALES: scales} | ({SUPER: top} if kind.nested else {})


def draw_ledger(stage: Stage, moment: Moment) -> Iterator[Mark]:
    """The bar at the foot that the steps fill."""
    case, kind, box = stage.case, stage.case.kind, stage.foot
    unit, below, names = box.width / MOST_BITS, box.bottom + stage.size + 4, part_names(stage.case.kind)
    words = f"{exactly(kind.total)} bits per weight, {kind.bytes} bytes in all"
    yield stage.rect("whole", Box(box.x, box.y, kind.total * unit, box.height), "ghost", round=0)
    yield stage.text("total", box.x, box.y - 6, words, "label strong")
    if moment.phase == "ideal":
        naive = Box(box.x + kind.spent(CODES) * unit, box.y, case.naive * unit, box.height)
        yield stage.rect("naive", naive, "dropped outline", round=0)
        yield stage.hatch("naive-hatch", naive, "dropped thin")
        words = f"{names[SCALES]} as FP32: {exactly(case.naive)}"
        yield stage.text("naive-name", naive.right, below, words, "dropped", anchor="end")
    if moment.since("rounded"):
        yield from _segments(stage, kind, box, unit, PARTS if moment.since("coded") else PARTS[1:])
    if moment.phase not in ("ideal", "rounded"):
        terms = [f"{exactly(kind.spent(part))} {name}" for part, name in names.items()]
        yield stage.text("sum", box.x, below, " + ".join(terms), "note")


def _segments(stage: Stage, kind: Kind, box: Box, unit: float, parts: Sequence[str]) -> Iterator[Mark]:
    """What has been spent so far."""
    boxes = box.beside(*(kind.spent(part) * unit for part in PARTS))
    for part, segment in zip(PARTS, boxes, strict=True):
        if part in parts and segment.width:
            yield stage.rect(part, segment, ROLES[part], round=0)


def draw_ladder(stage: Stage) -> Iterator[Mark]:
    """Every type as a bar of its bits, with the error on these weights: each bar is a button."""
    top, high, left, unit = stage.pick((246, 192, 44, 19), (228, 186, 72, 42))
    case, rivals = stage.case, stage.case.rivals
    step, full, most = high / len(rivals), 200, max(rival.error for rival in rivals)
    tall = step - stage.pick(7, 6)
    bits, errors = left + 9 * unit - stage.pick(4, 0), stage.width - stage.pick(0, 72)
    yield stage.text("bits-head", left, top - 7, "bits per weight", "note")
    yield stage.text("error-head", errors, top - 7, stage.pick("error", "error, RMS"), "note", anchor="end")
    order = sorted(enumerate(rivals), key=lambda pair: pair[1] is not case)  # the chosen one first: it came from below
    for row, rival in order:
        y, role = top + row * step, "hot strong" if rival is case else "label"
        yield from _rival(stage, rival, Box(left, y, 0, tall), unit)
        middle = y + tall / 2
        yield stage.text(f"{row}-name", 0, middle, rival.name, role, middle=True)
        yield stage.text(f"{row}-bits", bits, middle, exactly(rival.kind.total), role, middle=True)
        yield stage.text(f"{row}-error", errors, middle, percent(rival.error), role, anchor="end", middle=True)
    if not stage.narrow:
        left, ys = errors - 70 - full, [top + row * step + tall / 2 for row in range(len(rivals))]
        lines = [[(left, y), (left + full * rival.error / most, y)] for y, rival in zip(ys, rivals, strict=True)]
        yield stage.strokes("errors", lines, "dropped thick")


def _rival(stage: Stage, rival: Case, place: Box, unit: float) -> Iterator[Mark]:
    """A type's bar: codes, then what the codes are scaled with."""
    if rival is stage.case:
        yield from _segments(stage, rival.kind, place, unit, PARTS)
        return
    codes = rival.kind.spent(CODES)
    own, rest = place.beside(codes * unit, (rival.kind.total - codes) * unit)
    press, label = {"type": rival.name}, f"show {rival.name}"
    yield stage.rect(rival.name, own, "kept soft", round=0, set=press, label=label)
    yield stage.rect(f"{rival.name}-s", rest, "series-2 soft", round=0)


def draw_weight(stage: Stage) -> Iterator[Mark]:
    """A weight as long as its bits: a square for each bit of its code, and its share of what is common to many."""
    case, kind, size = stage.case, stage.case.kind, stage.size
    unit, tall = stage.pick((34.0, 26.0), (44.0, 34.0))
    words = f"weight {case.own}: {exactly(kind.total)} bits"
    back = f"code {case.own_bits} = {plain(case.codes[case.own])}, read as {number(float(case.decoded[case.own]))}"
    yield stage.text("weight", 0, size, words, "label strong")
    yield stage.text("weight-code", stage.room(words, strong=True) + 14, size, back, "note")
    code = Box(0, size + 8, kind.bits * unit, tall)
    squares = code.columns(kind.bits)
    yield stage.outlines("own-code", (square.inset(1, 1, 2, 1) for square in squares), "kept")
    for bit, digit in enumerate(case.own_bits):
        yield stage.text(f"own{bit}", (bit + 0.5) * unit - 0.5, code.y + tall / 2, digit, "value", anchor="middle",
                         size=stage.large, middle=True)  # fmt: skip
    names = part_names(kind) | {CODES: "code"}
    boxes = dict(zip(names, code.beside(*(kind.spent(part) * unit for part in names)), strict=True))
    for part in (SCALES, SUPER):
        if part in boxes:
            yield stage.rect(f"own-{part}", boxes[part], ROLES[part], round=0)
    labels = [f"{name} {exactly(kind.spent(part))}" for part, name in names.items()]
    middles = [box.x + box.width / 2 for box in boxes.values()]
    yield from _names(stage, "own", 0, stage.width, code.bottom, middles, labels)


def draw_layout(stage: Stage) -> Iterator[Mark]:
    """The fields on one scale; above or beside them the bytes that hold the bits of the weight."""
    kind, box = stage.case.kind, stage.pick(Box(0, 98, 328, 16), Box(0, 126, 840, 20))
    runs, unit = _runs(kind), box.width / kind.bytes
    yield stage.text("bytes-head", box.x, box.y - 7, f"{kind.bytes} bytes, in order", "label strong")
    fields = box.beside(*(size * unit for _, _, size in runs * kind.structs))
    for index, field in enumerate(fields):
        struct, at = divmod(index, len(runs))
        yield stage.rect(f"f{struct}{at}", field.inset(right=0.5), ROLES[runs[at][1]], round=0)
    labels = [f"{name} {size}" for name, _, size in runs]
    if not kind.nested:
        labels = [f"{labels[0]},", f"{labels[1]}, eight times"]
    middles = [field.x + field.width / 2 for field in fields[: len(runs)]]
    yield from _names(stage, "f", box.x, box.right, box.bottom, middles, labels)
    spots = [box.x + (at + 0.5) * unit for _, at, _, _ in stage.case.own_bytes]
    yield stage.strokes("spots", ([(spot, box.y - 3), (spot, box.bottom + 3)] for spot in spots), "hot")
    yield from _opened(stage, spots, box.y - 4)


def _runs(kind: Kind) -> list[tuple[str, str, int]]:
    """Fields of a struct, d and dmin as one."""
    fields = [(field.name, field.part, field.bytes) for field in kind.fields if field.name != "dmin"]
    if not kind.min_bits:
        return fields
    return [("d, dmin", part, 2 * size) if part == SUPER else (name, part, size) for name, part, size in fields]


def _names(stage: Stage, key: str, left: float, right: float, y: float, middles: Sequence[float],
           labels: Sequence[str]) -> Iterator[Mark]:  # fmt: skip
    """A name under each field, moved aside where it would touch the one before, with a line to what it names."""
    halves, places = [stage.room(words) / 2 for words in labels], []
    for middle, half in zip(middles, halves, strict=True):
        places.append(max(middle, left + half))
        left = places[-1] + half + 10
    for at in reversed(range(len(places))):
        places[at] = min(places[at], right - halves[at])
        right = places[at] - halves[at] - 10
    leads = ([(a, y + 2), (b, y + 9)] for a, b in zip(middles, places, strict=True))
    yield stage.strokes(f"{key}-leads", leads, "axis thin")
    for at, (place, words) in enumerate(zip(places, labels, strict=True)):
        yield stage.text(f"{key}{at}-name", place, y + 11 + stage.size, words, "label", anchor="middle")


def _opened(stage: Stage, spots: Sequence[float], foot: float) -> Iterator[Mark]:
    """The bytes that hold the weight's bits as squares, the highest bit left, those of the weight marked."""
    opened, side, words = stage.case.own_bytes, stage.large + 4, f"weight {stage.case.own}"
    pitch, gap = stage.room("0" + BETWEEN, size=stage.large), stage.pick(16, 30)
    x, y = stage.pick((0.0, 176), (stage.width - len(opened) * (8 * pitch + gap) + gap, stage.size + 12))
    legs, half = [], stage.room(words) / 2
    for spot, (field, at, low, value) in zip(spots, opened, strict=True):
        name, end = field.name, 7 - low  # the square of its lowest bit
        yield stage.text(f"{name}-head", x, y - 6, f"byte {at}, in {name}", "note")
        squares = [Box(x + at * pitch, y, pitch - 2, side) for at in range(8)]
        own = squares[end - field.bits + 1 : end + 1]
        others = [square for square in reversed(squares) if square not in own]
        if others:
            yield stage.outlines(f"{name}-rest", others, "axis thin")
        yield stage.outlines(f"{name}-own", reversed(own), "hot")
        for start in range(0, 8, 2):  # in pairs, so that a fallback font cannot push them out of their squares
            digits, middle = BETWEEN.join(f"{value:08b}"[start : start + 2]), x + (start + 1) * pitch - 1
            yield stage.text(f"{name}{start}", middle, y + side / 2, digits, "value", anchor="middle",
                             size=stage.large, middle=True)  # fmt: skip
        middle = min(max(own[0].x + field.bits * pitch / 2 - 1, x + half), stage.width - half)
        yield stage.text(f"{name}-mine", middle, y + side + stage.size + 2, words, "hot", anchor="middle")
        legs.append([(spot, foot), (middle, y + side + stage.size + 8)])
        x += 8 * pitch + gap
    if not stage.narrow:  # on a phone the byte lies under names, which a line would cross
        yield stage.strokes("legs", legs, "hot thin dashed")
