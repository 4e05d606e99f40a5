"""Where the bits go: the ledger of bits per weight, and the types by bits and error."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import log

from loom.draw import Box, Mark, headline, memoized, percent
from loom.scene import Moment

from .kinds import CODES, KINDS, PARTS, SCALES, SUPER, Kind
from .narration import bits_a_weight, exactly
from .pace import found
from .stage import MOST_BITS, Stage

LEAST, MOST = "Q2_K", "Q8_0"  # the types with the fewest and the most bits, which are named
ROLES = {CODES: "work", SCALES: "memory", SUPER: "data"}


def part_names(kind: Kind) -> dict[str, str]:
    """What each part is called that takes any bits."""
    scales, top = ("scale, min", "d, dmin") if kind.min_bits else ("scale", "d")
    return {CODES: "code", SCALES: scales} | ({SUPER: top} if kind.nested else {})


def draw_ledger(stage: Stage, moment: Moment) -> Iterator[Mark]:
    coded, rounded = (moment.past(phase) == 1 for phase in ("coded", "rounded"))
    scaled = len(found(moment)) if moment.phase in ("ideal", "rounded") else None
    yield from _ledger(stage, scaled, coded, rounded)


@memoized
def _ledger(stage: Stage, scaled: int | None, coded: bool, rounded: bool) -> Iterator[Mark]:
    """How many bits a weight takes: a bar that the steps fill, and what each part of it is for.

    While the story is about scales, what those of so many sub-blocks would take as FP32 lies under what they take.
    """
    kind, box = stage.case.kind, stage.ledger
    unit, boxes = box.width / MOST_BITS, segments(stage)
    if scaled is not None:
        naive = Box(boxes[1].x, box.y, _naive(stage, scaled) * unit, box.height)
        yield stage.rect("naive", naive, "dropped outline", round=0)
        if scaled == kind.blocks:
            yield stage.hatch("naive-hatch", naive, "dropped thin")
    yield stage.rect("whole", Box(box.x, box.y, kind.total * unit, box.height), "ghost", round=0)
    spent = [CODES] * coded + [SCALES, SUPER] * rounded
    for part, segment in zip(PARTS, boxes, strict=True):
        if part in spent and segment.width:
            told = f"{part_names(kind)[part]}: {bits_a_weight(kind.spent(part))}"
            yield stage.rect(part, segment, ROLES[part], round=0, read=told)
    yield from _spent(stage, sum(kind.spent(part) for part in spent), scaled is not None and rounded)
    yield from _shares(stage, 0 if rounded else scaled or 0, spent)


def segments(stage: Stage) -> list[Box]:
    """Where each part lies in the bar of bits."""
    unit = stage.ledger.width / MOST_BITS
    return stage.ledger.hstack(*(stage.case.kind.spent(part) * unit for part in PARTS))


def _naive(stage: Stage, scaled: int) -> float:
    """Bits for each of the 256 weights that scales and minima of so many sub-blocks take as FP32."""
    return stage.case.naive * scaled / stage.case.kind.blocks


def _spent(stage: Stage, spent: float, scales: bool) -> Iterator[Mark]:
    """How many bits are spent so far, of how many there are; on scales, and how many it would be as FP32."""
    box, total, bits = stage.ledger, stage.case.kind.total, exactly(spent)
    goal = f"of {exactly(total)}"
    words = stage.pick((f"{goal} bits a weight",), (goal, "bits a weight")) if spent < total else ("bits a weight",)
    if scales:
        words = (f"{stage.pick('bits a weight for scales', 'bits')}, not {exactly(stage.case.naive)}",)
    kind = stage.case.kind
    told = [exactly(some) for some in (kind.total, kind.spent(SCALES) + kind.spent(SUPER))]  # all that will stand there
    yield from headline(stage, box.x, stage.pick(22, 30), bits, words, widest=told)


def _shares(stage: Stage, scaled: int, spent: Sequence[str]) -> Iterator[Mark]:
    """The parts of a weight in numbers, over the bar; on a phone under it. Each waits in its place for its number."""
    kind, box = stage.case.kind, stage.ledger
    x, y = box.x, stage.pick(box.bottom + stage.size + 4, 56)
    for part, name in part_names(kind).items():
        bits, whose = (
            exactly(kind.spent(part)),
            {CODES: "of its own", SCALES: f"of {kind.size}", SUPER: "of all 256"}[part],
        )
        counts = [exactly(_naive(stage, at)) for at in range(kind.blocks + 1)] if part == SCALES else []
        beside = x + (stage.text_width([bits, *counts], strong=True) + 5 if stage.narrow else 52)
        if part in spent:
            yield stage.text(f"{part}-bits", x, y, bits, f"{ROLES[part].replace('data', 'value')} strong")
        elif scaled and part == SCALES:
            whose = "as FP32"
            yield stage.text("naive-bits", x, y, exactly(_naive(stage, scaled)), "dropped strong")
        words = name if stage.narrow else f"{name} {whose}"
        yield stage.text(f"{part}-name", beside, y, words, "label" if part in spent else "note")
        x, y = (beside + stage.text_width(name) + 12, y) if stage.narrow else (x, y + 20)


@memoized
def draw_types(stage: Stage, told: bool) -> Iterator[Mark]:
    """Every type over the bar, by its bits and its error, which is a number once it is told; the knob chooses one."""
    case, box, rail = stage.case, stage.ledger, _rail(stage)
    for rival, (x, y) in zip(case.rivals, rail, strict=True):
        words = f"{rival.name}: {exactly(rival.kind.total)} bits, error {percent(rival.error)}"
        yield stage.circle(f"type-{rival.name}", x, y, stage.pick(3, 4), "data soft", read=words)
    for name, beside in ((LEAST, stage.narrow), (MOST, False)):  # on a phone there is no room over the first
        if name != case.name:
            x, y = rail[list(KINDS).index(name)]
            half = stage.text_width(name) / 2
            x, y = (x - half - 7, y + 4) if beside else (min(x, stage.width - half), y - 8)
            yield stage.text(f"name-{name}", x, y, name, "note", anchor="middle")
    if not stage.narrow:
        for bits in (2, 4, 6, 8):
            words = f"{bits} bits" if bits == 8 else str(bits)
            x = box.x + bits * box.width / MOST_BITS
            yield stage.text(f"bits-{bits}", x, box.bottom + stage.size + 6, words, "note", anchor="middle")
    here = rail[list(KINDS).index(case.name)]
    yield stage.line("type-bits", *here, here[0], box.y, "hot thin dashed")
    if told:
        yield from _error(stage, *here)
    yield stage.knob("type", *here, "type", rail)


def _error(stage: Stage, x: float, y: float) -> Iterator[Mark]:
    """The error of the type that is chosen, beside its dot; where there is no room, the number alone, over it."""
    error, end = percent(stage.case.error), stage.width
    if stage.narrow and stage.case.name != MOST:
        end -= stage.text_width(MOST)
    beside = x + stage.pick(stage.knob_radius + 2, 12)
    fits = beside + stage.text_width(f"error {error}", strong=True) <= end
    words, y = (f"error {error}", y - stage.pick(3, 14)) if fits else (error, y - stage.knob_radius - 2)
    x = min(beside, stage.width - stage.text_width(error, strong=True))
    yield stage.text("type-error", x, y, words, "value strong answer")


def _rail(stage: Stage) -> list[tuple[float, float]]:
    """Where each type stands: bits to the right, on the scale of the bar; the larger its error, the higher."""
    box, unit = stage.plot, stage.ledger.width / MOST_BITS
    logs = [log(rival.error) for rival in stage.case.rivals]
    low, high = min(logs), max(logs)
    return [(box.x + rival.kind.total * unit, box.bottom - box.height * (at - low) / (high - low))
            for rival, at in zip(stage.case.rivals, logs, strict=True)]  # fmt: skip
