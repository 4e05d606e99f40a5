"""The strip under the weights: how far each of them is off, then the bytes of the super-block."""

from __future__ import annotations

from collections.abc import Iterator

from loom.draw import Box, Mark, percent
from loom.scene import Moment

from .bits import ROLES, part_names, segments
from .case import OWN
from .kinds import PARTS, SUPER, Kind
from .pace import fallen, landed, moved, spotted
from .stage import Stage


def draw_bytes(stage: Stage, moment: Moment) -> Iterator[Mark]:
    """The fields of the super-block on one scale, and the bytes that hold the bits of the weight.

    Part after part, they come out of the bar of bits.
    """
    kind, box, at = stage.case.kind, stage.strip, spotted(moment)
    yield stage.text("bytes-name", box.x - 5, box.y + box.height / 2, "bytes", "label", anchor="end", middle=True)
    yield from _fields(stage, moved(moment))
    if at:
        unit = box.width / kind.bytes
        spots = [
            box.x + (byte + 0.5) * unit if at > 1 else stage.columns[OWN] for _, byte, _, _ in stage.case.own_bytes
        ]
        yield stage.strokes("spots", ([(spot, box.y - 3), (spot, box.bottom + 3)] for spot in spots), "hot")
    if here := landed(moment):
        names, each = part_names(kind), _bytes_of(kind)
        parts = [part for part in PARTS if part in names][:here]
        words = f"{sum(each[part] for part in parts)} bytes: " + " + ".join(
            f"{names[one]} {each[one]}" for one in parts
        )
        yield stage.text("bytes", box.x, box.bottom + stage.size + 2, words, "note")
    if at > 2 and not stage.narrow:
        places = " and ".join(str(byte) for _, byte, _, _ in stage.case.own_bytes)
        mine = f"weight {stage.case.own} in byte {places}"
        yield stage.text("bytes-own", box.right, box.bottom + stage.size + 2, mine, "hot", anchor="end")


def _fields(stage: Stage, parts: int) -> Iterator[Mark]:
    """Each field among the bytes if it is of the first `parts`, else where its bits are in the bar over it."""
    kind, box, sizes = stage.case.kind, stage.strip, _bytes_of(stage.case.kind)
    runs, unit, fields = _runs(kind), box.width / kind.bytes, []
    there, before = [part for part in PARTS if sizes[part]][:parts], dict.fromkeys(PARTS, 0)
    ledger = dict(zip(PARTS, segments(stage), strict=True))
    for index, field in enumerate(box.hstack(*(size * unit for _, _, size in runs * kind.structs))):
        struct, at = divmod(index, len(runs))
        name, part, size = runs[at]
        bits = ledger[part]
        each = bits.width / sizes[part]
        start = Box(bits.x + before[part] * each, bits.y, size * each, bits.height)
        before[part] += size
        told, role = f"{name}: {size} bytes", f"{ROLES[part]} soft"
        place = field.inset(right=0.5) if part in there else start
        fields.append(stage.rect(f"field-{part}-{struct}-{name}", place, role, round=0, read=told))
    yield from sorted(fields, key=lambda mark: mark.key)  # in one order for all types, so that they share files


def draw_errors(stage: Stage, moment: Moment) -> Iterator[Mark]:
    """How far each of the 32 weights is off: first between the weight and its level, then on a line, enlarged."""
    case, box = stage.case, stage.strip
    off = (case.decoded - case.numbers)[case.near].tolist()
    (zero, one), most = stage.levels([0, 1]), max(map(abs, off))
    middle, full = box.y + stage.pick(8, 11), stage.pick(8, 12)
    factor = max(round(full / (abs(zero - one) * most)), 1) if most else 1
    places = [(middle, middle - value * abs(zero - one) * factor) for value in off]
    if not fallen(moment):
        places = [*zip(*(stage.levels(some[case.near].tolist()) for some in (case.numbers, case.decoded)), strict=True)]
    lines = [[(x, start), (x, end)] for x, (start, end) in zip(stage.columns, places, strict=True)]
    yield stage.line("error-zero", box.x, middle, box.right, middle, "axis thin")
    yield stage.strokes("lost", lines, "dropped thick")
    yield stage.text("error-name", box.x - 5, middle, "error", "label", anchor="end", middle=True)
    if moment.progress == 1:
        words = f"{factor} times as large as drawn above; all 256: {percent(case.error)}"
        yield stage.text("error-sum", box.x, box.bottom + stage.size + 4, words, "dropped strong answer")


def _bytes_of(kind: Kind) -> dict[str, int]:
    """How many of the bytes each part takes."""
    return {part: round(kind.spent(part) * kind.bytes / kind.total) for part in PARTS}


def _runs(kind: Kind) -> list[tuple[str, str, int]]:
    """Fields of a struct, d and dmin as one: name, part, bytes."""
    fields = [(field.name, field.part, field.bytes) for field in kind.fields if field.name != "dmin"]
    if not kind.min_bits:
        return fields
    return [("d, dmin", part, 2 * size) if part == SUPER else (name, part, size) for name, part, size in fields]
