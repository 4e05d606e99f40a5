"""Block formats: 32 numbers become 17 bytes, a shared scale and four bits each."""

from __future__ import annotations

from loom.scene import Choice, Column, Range, Scene, Table, Value

from .case import BF16_BYTES, PEAKS, SHOWN, Case, case_of
from .model import MXFP4, NVFP4
from .narration import STORY, byte
from .panels import draw

ROUNDED = 3  # the step in which something is lost
COLUMNS = (
    Column("numbers", "numbers"),
    Column("low", "low half", digits=3),
    Column("high", "high half", digits=3),
    Column("scale", "scale", digits=3),
    Column("low_code", "code"),
    Column("high_code", "code, high"),
    Column("byte", "byte, hex"),
    Column("low_decoded", "low decoded", digits=3),
    Column("high_decoded", "high decoded", digits=3),
)


def table(case: Case) -> Table:
    """One row for each byte that holds two numbers."""
    rows = []
    for _, low, high in sorted({case.pair(at) for at in range(SHOWN)}):
        codes = case.codes[low], case.codes[high]
        given, back = case.numbers[[low, high]].tolist(), case.decoded[[low, high]].tolist()
        rows.append((f"{low}, {high}", *given, float(case.scales[low]), *codes, byte(codes[1] << 4 | codes[0]), *back))
    return Table(COLUMNS, rows)


def values(case: Case) -> dict[str, Value]:
    packed, own, top = case.packed, case.own, case.top
    return {
        "amax": Value(case.peak),
        "scale": Value(float(packed.scales[own])),
        "tensor_scale": Value(packed.tensor_scale),
        "scale_byte": Value(int(packed.scale_codes[own])),
        "peak": Value(abs(float(case.scaled[top]))),
        "element": Value(abs(float(case.elements[top]))),
        "decoded": Value(abs(float(case.decoded[top]))),
        "clipped": Value(len(case.clipped)),
        "bits": Value(8 * case.bytes / SHOWN, "bits"),
        "bytes": Value(case.bytes, "bytes"),
        "before": Value(BF16_BYTES, "bytes"),
        "times": Value(BF16_BYTES / case.bytes, "×"),
        "sqnr": Value(case.sqnr, "dB"),
        "error": Value(case.error, "%"),
        "worst": Value(round(case.worst, 4), "%"),
        "rest": Value(case.rest, "%"),
        "zeroed": Value(100 * case.zeroed / SHOWN, "%"),
    }


SCENE = Scene(
    title="Which scale suits 32 numbers?",
    summary="A block of numbers shares one scale; divided by it, each number is rounded to one of eight sizes and "
    "stored in four bits, two numbers to a byte.",
    params=(
        Choice("format", "Format", (MXFP4, NVFP4)),
        Choice(
            "rule",
            "Scale",
            {"floor": "rounded down", "even": "amax rounded first", "ceil": "rounded up"},
            when={"format": (MXFP4,)},
        ),
        Range("peak", "Largest number", PEAKS, default=7.5),
    ),
    sentence="Store numbers up to {peak} in {format}[, scale {rule}].",
    solve=case_of,
    steps=STORY,
    draw=draw,
    table=table,
    values=values,
    opening=ROUNDED,
    key_steps=(ROUNDED,),
    sources=("ocp-mx", "nvfp4-pretraining", "mxfp8-recipes", "torchao-mx", "ggml"),
    leaves_out="Real tensors have millions of numbers, in blocks along the axis that a product sums over; those here "
    "are 32 of a bell curve, the largest drawn out by hand, and both blocks of NVFP4 are its whole tensor. They are "
    "FP32, and BF16 only counts bytes. Codes are in GGUF’s order, numbers half a block apart; other "
    "libraries pack neighbours and keep scales apart. NVFP4’s FP32 scale of the tensor is not counted.",
)
