"""What a float's bits spell: any code of the small formats, a number's nearest code in the wide ones."""

from __future__ import annotations

import math

from loom.scene import Choice, Column, Range, Scene, Table, Value

from .drawing import draw
from .everywhere import VERDICTS
from .model import NUMBERS, Spelled, spelled, steps
from .narration import say
from .nearest import FORMATS, SMALL, WIDE, everywhere, special_counts
from .words import LABELS, number


def table(format: str, code4: int, code6: int, code8: int, number: str) -> Table:
    columns = (
        Column("format", "format"),
        Column("bits", "bits"),
        Column("exponent_bits", "exponent bits"),
        Column("mantissa_bits", "mantissa bits"),
        Column("nearest", "nearest value"),
        Column("error", "error", "%", digits=6),
        Column("verdict", "what happens"),
    )
    rows = [
        (near.fmt.name, near.fmt.bits, near.fmt.exponent_bits, near.fmt.mantissa_bits, cell(near.value),
         "–" if near.error is None else 100 * near.error, VERDICTS.get(near.verdict, "rounded"))
        for near in everywhere(spelled(format, code4, code6, code8, number).number)
    ]  # fmt: skip
    return Table(columns, rows)


def cell(value: float | None) -> str:
    """A nearest value in the table: all digits that FP32 can need."""
    return "–" if value is None else number(value, 9)


def values(format: str, code4: int, code6: int, code8: int, number: str) -> dict[str, Value]:
    one = spelled(format, code4, code6, code8, number)
    fmt, counts = one.fmt, special_counts(format)
    return {
        "bits": Value(fmt.bits, "bits"),
        "exponent_bits": Value(fmt.exponent_bits),
        "mantissa_bits": Value(fmt.mantissa_bits),
        "bias": Value(fmt.bias),
        "largest": shortest(fmt.largest),
        "smallest_normal": shortest(fmt.smallest_normal),
        "smallest": shortest(fmt.smallest),
        "epsilon": shortest(fmt.epsilon),
        "largest_power": Value(math.frexp(fmt.largest)[1] - 1),
        "smallest_normal_power": Value(1 - fmt.bias),
        "smallest_power": Value(1 - fmt.bias - fmt.mantissa_bits),
        "finite": Value(counts["finite"]),
        "infinities": Value(counts["infinities"]),
        "nans": Value(counts["nans"]),
        "code": Value(one.code),
        "power": Value(one.power),
        "significand": shortest(one.significand),
        "value": shortest(finite_value(one)),
        "spacing": shortest(one.spacing),
        "error": Value(100 * one.error, "%"),
        "exact": Value(sum(near.verdict == "exact" for near in everywhere(one.number))),
    }


def shortest(value: float) -> Value:
    """A number with all its digits where seven will do, else with four."""
    exact = (digits for digits in range(1, 8) if float(f"{value:.{digits - 1}e}") == value)
    return Value(value, digits=next(exact, 4))


def finite_value(one: Spelled) -> float:
    """The value; ∞ as the largest finite value of its sign and NaN as 0, which is what prose can quote."""
    if one.kind == "nan":
        return 0.0
    return one.value if one.finite else math.copysign(one.fmt.largest, one.value)


def formats(bits: int) -> list[str]:
    """The small formats of so many bits."""
    return [name for name in SMALL if sum(map(int, name[1::2])) + 1 == bits]


SCENE = Scene(
    title="What number do these bits spell?",
    summary="The exponent's bits pick a power of two, the mantissa's bits a step on the way to the next one, "
    "and the last step shows the same number in nine formats.",
    params=(
        Choice("format", "Format", FORMATS, default="E4M3"),
        Range("code4", "Code of 4 bits", tuple(range(16)), default=5, when={"format": formats(4)}),
        Range("code6", "Code of 6 bits", tuple(range(64)), default=21, when={"format": formats(6)}),
        Range("code8", "Code of 8 bits", tuple(range(256)), default=69, when={"format": formats(8)}),
        Choice("number", "Number", {name: LABELS.get(name, name) for name in NUMBERS}, when={"format": WIDE}),
    ),
    sentence="Read bits as {format}. In a wide format, write {number}.",
    steps=steps,
    draw=draw,
    say=say,
    table=table,
    values=values,
    opening=4,
    key_steps=(-1,),
    split=("format", "code8"),
    sources=("ieee-754", "ocp-ofp8", "ocp-mx", "fp8-formats", "bf16-study"),
    leaves_out="A number beyond the largest value is drawn as that value. In hardware and libraries it becomes ∞, NaN "
    "or the largest value, by format and by mode. TF32 is no format of memory: "
    "it is how tensor cores read an FP32, of whose 32 bits they use 19.",
)
