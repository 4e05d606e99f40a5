"""k-quants: where the bits of a 4.5-bit weight go."""

from __future__ import annotations

from loom.scene import Choice, Column, Range, Scene, Table, Value

from .case import PARTS, SHOWN, Case, case_of
from .data import BELL, DATA, OUTLIER, SHIFTS
from .drawing import draw
from .kinds import CODES, KINDS, SCALES, SUPER
from .narration import PHASES, exactly

NAMES = {part: f"weights {(part - 1) * SHOWN} to {part * SHOWN - 1}" for part in PARTS}
SHIFTED = dict(zip(SHIFTS, ("a curve shifted up", "a curve above 0"), strict=True))


def table(case: Case) -> Table:
    """One row for each sub-block."""
    columns = (
        Column("sub_block", "sub-block"),
        Column("ideal_scale", "ideal scale", digits=4),
        Column("ideal_min", "ideal min", digits=4),
        Column("sc", "sc"),
        Column("m", "m"),
        Column("scale", "scale", digits=4),
        Column("min", "min", digits=4),
        Column("error", "RMS error", digits=4),
    )
    rows = [(sub.index, *sub.ideal, *sub.counts, *sub.kept, error)
            for sub, error in zip(case.subs, case.errors, strict=True)]  # fmt: skip
    return Table(columns, rows)


def values(case: Case) -> dict[str, Value]:
    kind, own = case.kind, case.own
    return {
        "bits": _bits(kind.total),
        "bytes": Value(kind.bytes, "bytes"),
        "blocks": Value(kind.blocks),
        "size": Value(kind.size),
        "sqnr": Value(case.sqnr, "dB"),
        "error": Value(case.error, "%"),
        "scale_bits": Value(kind.scale_bits, "bits"),
        "min_bits": Value(kind.min_bits, "bits"),
        "code_bits": _bits(kind.spent(CODES)),
        "scales_share": _bits(kind.spent(SCALES)),
        "super_share": _bits(kind.spent(SUPER)),
        "naive": Value(case.naive, "bits"),
        "ideal_sqnr": Value(case.ideal_sqnr, "dB"),
        "normal": Value(case.normal, "dB"),
        "levels": Value(kind.highest - kind.lowest + 1),
        "d": Value(float(case.packed.d[0, 0])),
        "dmin": Value(float(case.packed.dmin[0, 0])),
        "weight": Value(float(case.numbers[own])),
        "code": Value(case.codes[own]),
        "decoded": Value(float(case.decoded[own])),
    }


def _bits(value: float) -> Value:
    """Bits per weight with all their digits."""
    digits = exactly(value).replace(".", "").lstrip("0")
    return Value(value, "bits", digits=max(1, len(digits)))


SCENE = Scene(
    title="Where do the bits of a weight go?",
    summary="256 weights are stored as small codes in sub-blocks, each with a scale that is itself rounded to a few "
    "bits against one number for all 256.",
    params=(
        Choice("type", "Type", tuple(KINDS), default="Q4_K"),
        Choice("data", "Weights", {BELL: "a bell curve", OUTLIER: "three outliers", **SHIFTED}),
        Range("part", "Close up", NAMES, default=1, when={"data": DATA}),
    ),
    sentence="Store {data} in {type}.",
    solve=lambda type, data, part: case_of(type, data, part),
    steps=PHASES,
    draw=draw,
    table=table,
    values=values,
    opening=4,
    key_steps=(4,),
    sources=("k-quants", "ggml", "gguf"),
    leaves_out="These are ggml’s reference quantisers. With an importance matrix the bytes differ. Real tensors have "
    "thousands of super-blocks, and kernels multiply by codes and scales without writing decoded weights to memory.",
)
