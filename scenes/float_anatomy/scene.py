"""What a float's bits spell: any code of the small formats, a number's nearest code in the wide ones."""

from __future__ import annotations

import math

from loom.scene import Choice, Column, Range, Scene, Table, Value

from .._formats.floats import FLOATS
from .drawing import VERDICTS, draw
from .model import CODES, NUMBERS, Spelled, spelled
from .narration import PHASES
from .nearest import FORMATS, SMALL, WIDE, special_counts
from .words import LABELS, number

COLUMNS = (
    Column("format", "format"),
    Column("bits", "bits"),
    Column("exponent_bits", "exponent bits"),
    Column("mantissa_bits", "mantissa bits"),
    Column("nearest", "nearest value"),
    Column("error", "error", "%", digits=6),
    Column("verdict", "what happens"),
)


def table(one: Spelled) -> Table:
    return Table(COLUMNS, [
        (near.fmt.name, near.fmt.bits, near.fmt.exponent_bits, near.fmt.mantissa_bits,
         "–" if near.value is None else number(near.value, 9),  # all digits that FP32 can need
         "–" if near.error is None else 100 * near.error, VERDICTS.get(near.verdict, "rounded"))
        for near in one.everywhere
    ])  # fmt: skip


def values(one: Spelled) -> dict[str, Value]:
    fmt, counts = one.fmt, special_counts(one.fmt.name)
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
        **{name: Value(many) for name, many in counts.items()},
        "code": Value(one.code),
        "power": Value(one.power),
        "significand": shortest(one.significand),
        "value": shortest(finite_value(one)),
        "spacing": shortest(one.spacing),
        "error": Value(100 * one.error, "%"),
        "exact": Value(sum(near.verdict == "exact" for near in one.everywhere)),
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


def code_range(bits: int) -> Range:
    """The codes of the small formats of so many bits."""
    formats = [name for name in SMALL if FLOATS[name].bits == bits]
    start = {4: 5, 6: 21, 8: 69}[bits]
    return Range(f"code{bits}", "Code", tuple(range(2**bits)), default=start, when={"format": formats})


SCENE = Scene(
    title="What number do these bits spell?",
    summary="The exponent’s bits pick a power of two, the mantissa’s bits a step on the way to the next one, "
    "and the last step shows it in nine formats.",
    params=(
        Choice("format", "Format", FORMATS, default="E4M3"),
        *map(code_range, CODES),
        Choice("number", "Number", {name: LABELS.get(name, name) for name in NUMBERS}, when={"format": WIDE}),
    ),
    sentence="Read[ code {code4}][ code {code6}][ code {code8}][ the code nearest to {number}] as {format}",
    solve=spelled,
    steps=PHASES,
    draw=draw,
    table=table,
    values=values,
    opening=3,
    key_steps=(3,),
    sources=("ieee-754", "ocp-ofp8", "ocp-mx", "fp8-formats", "bf16-study"),
    leaves_out="A number beyond the largest value is drawn as that value. In hardware and libraries it becomes ∞, NaN "
    "or the largest value, by format and by mode. TF32 is no format of memory: "
    "it is how tensor cores read an FP32, of whose 32 bits they use 19.",
)
