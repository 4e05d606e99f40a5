"""The story of 32 numbers: its phases, what is said of each, the arithmetic, and how codes are written."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np

from loom.draw import count, number, power
from loom.scene import Phase

from .._formats.blocks import SCALE_LARGEST
from .._formats.floats import decoded
from .case import SHOWN, Case
from .model import LARGEST, MXFP4, NVFP4
from .pace import beats

# As the control has them, with the names that the bars have.
RULE_WORDS = {
    "floor": ", its scale rounded down (floor),",
    "even": ", amax rounded first (even),",
    "ceil": ", its scale rounded up (ceil),",
}
TINY = 0.01  # [%]: what FP32’s own rounding leaves is below


def _amax(case: Case) -> str:
    words = "A column is a number’s size, without its sign."
    if case.format == MXFP4:
        return f"{words} One scale will measure all {SHOWN}; the largest, amax {number(case.peak)}, decides it."
    return (
        f"{words} Each 16 have an amax and a scale byte of their own: {case.bytes} bytes, not 17. "
        f"The larger amax, {number(case.peak)}, counts for both."
    )


def _scale(case: Case) -> str:
    if case.format != MXFP4:
        return (
            f"E2M1’s eight sizes are rungs. A scale in E4M3 brings the last, {LARGEST:g}, as near to each amax as it "
            "can, in units of s, one FP32 number."
        )
    words = "E2M1’s eight sizes are rungs; the scale, a power of two, sets how high."
    over = f", over the largest up to {LARGEST:g}"
    if case.rule == "floor":
        return f"{words} Rounded down (floor), it is the largest power of two up to amax{over}."
    if case.rule == "even":
        rounded = number(shortened(case))
        return f"{words} Even rounds amax first, to {rounded}, and takes the largest power of two up to that{over}."
    scale = number(float(case.packed.scales[0]))
    return f"{words} Rounded up (ceil): the least that lifts the last, {LARGEST:g} · scale, to amax or higher: {scale}."


def _rounded(case: Case) -> str:
    words = "Divided by its scale, each number goes to the nearest rung. "
    top, rung = number(float(case.scaled[case.top])), number(float(case.elements[case.top]))
    if case.top in case.clipped:
        words += f"There is none above {LARGEST:g}, so {top} is clipped to {rung}"
    else:
        words += f"The largest, {top}, goes to {rung}"
    return words + (f", and {count(case.zeroed, 'number')} to 0." if case.zeroed else ".")


def _codes(case: Case) -> str:
    _, low, high = case.pair(case.top)
    value = case.codes[high] << 4 | case.codes[low]
    return (
        f"A code: a sign (s; a dash is a minus), two exponent bits (e), a mantissa bit (m). Numbers {low} and {high} "
        f"make byte 0x{byte(value)}. To read one, multiply its rung by the scale."
    )


def _error(case: Case) -> str:
    rule = RULE_WORDS[case.rule] if case.format == MXFP4 else ""
    return (
        f"{case.format}{rule} loses {percent(case.error)}, a root mean square (RMS). "
        f"The largest is {percent(case.worst)} off, the others {percent(case.rest)}; "
        f"{case.zeroed or 'none'} of {SHOWN} became 0."
    )


def _phase(name: str, tell: Callable[[Case], str]) -> Phase:
    return Phase(name, lambda moment: tell(moment.result), beats=lambda moment: beats(name, moment.result))


STORY = (
    _phase("amax", _amax),
    _phase("scale", _scale),
    _phase("rounded", _rounded),
    _phase("codes", _codes),
    _phase("error", _error),
)


def percent(value: float) -> str:
    """A percentage; one too small to write is called so, and none is none."""
    return f"{number(value)}%" if value >= TINY or not value else f"under {TINY:g}%"


def bits(code: int, length: int = 4) -> str:
    """A code in binary, its highest bit first."""
    return f"{code:0{length}b}"


def byte(value: int) -> str:
    """A byte in hexadecimal."""
    return f"{value:02x}"


def exponent_of(value: float) -> int:
    """The largest k with 2^k ≤ |value|."""
    return math.frexp(abs(value))[1] - 1


def shortened(case: Case) -> float:
    """The amax that the scale is worked out from: by the rule "even", rounded to two binary digits, halves up."""
    if case.rule != "even":
        return case.peak
    digit = 2.0 ** (exponent_of(case.peak) - 1)
    return float(np.floor(case.peak / digit + 0.5) * digit)


def scale_sums(case: Case, block: int) -> list[str]:
    """How the scale of a block is worked out."""
    amax, scale = float(case.packed.amax[block]), float(case.packed.scales[block])
    k, low, top = exponent_of(scale), exponent_of(shortened(case)), exponent_of(LARGEST)
    if case.format == NVFP4:
        stored, whole = float(decoded(case.packed.scale_codes[block], "E4M3")), case.packed.tensor_scale
        return [
            f"s = {number(case.peak)} ÷ ({LARGEST:g} · {SCALE_LARGEST:g}) = {number(whole)}",
            f"{number(amax)} ÷ {LARGEST:g} ÷ s = {number(amax / LARGEST / whole, 4)}, in E4M3 {number(stored)}",
            f"scale = {number(stored)} · s = {number(scale)}",
        ]
    if case.rule != "ceil":
        cut = f"{number(amax)} → {number(shortened(case))}; " if shortened(case) != amax else ""
        return [
            f"{cut}{power(2, low)} ≤ {number(shortened(case))} < {power(2, low + 1)}",
            f"{power(2, top)} ≤ {LARGEST:g}, the last rung, < {power(2, top + 1)}",
            f"scale = {power(2, low)} ÷ {power(2, top)} = {power(2, k)} = {number(scale)}",
        ]
    return [
        f"{number(amax)} ÷ {LARGEST:g}, the last rung, = {number(amax / LARGEST)}",
        f"{power(2, k - 1)} < {number(amax / LARGEST)} ≤ {power(2, k)}",
        f"scale = {power(2, k)} = {number(scale)}",
    ]


def restored(case: Case, at: int) -> str:
    """One element times its scale."""
    element, scale, back = (number(float(values[at])) for values in (case.elements, case.scales, case.decoded))
    return f"{element} · {scale} = {back}"
