"""The story of 32 numbers: its phases, what is said of each, the arithmetic, and how codes are written."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np

from loom.draw import count, fixed, number
from loom.scene import Phase

from .._formats.blocks import SCALE_LARGEST
from .._formats.floats import decoded
from .case import BF16_BYTES, SHOWN, Case
from .model import LARGEST, MXFP4, NVFP4, RUNGS

TINY = 0.01  # [%]: what FP32’s own rounding leaves is below


def _numbers(_: Case) -> str:
    return (
        f"{SHOWN} numbers, two bytes each in BF16: {BF16_BYTES} bytes. "
        "A column is a number’s size, a dash under it a minus sign."
    )


def _amax(case: Case) -> str:
    if case.format == MXFP4:
        return (
            f"The largest size, called amax, is {number(case.amax)}. "
            f"All {SHOWN} numbers will be measured by one scale, and amax decides which."
        )
    return (
        "Each block of 16 has a largest size of its own, its amax. "
        f"That of the whole tensor, {number(case.tensor_amax)}, counts as well."
    )


def _scale(case: Case) -> str:
    rungs = "E2M1, a float of four bits, has eight sizes, drawn as rungs"
    if case.format != MXFP4:
        return (
            f"{rungs}; NVFP4 brings the last one, {LARGEST:g}, as near to each block’s amax as a scale in E4M3, "
            "an eight-bit float, allows. The scales count in units of s, one FP32 number for the tensor."
        )
    words = f"{rungs}; the scale X, a power of two, sets how high. "
    low, top, scale = exponent_of(case.amax), exponent_of(LARGEST), number(float(case.packed.scales[0]))
    if case.rule == "floor":
        return words + (
            f"Floor divides the power of two in amax, {power(low)}, by that in the last rung, {power(top)}: "
            f"X = {scale}."
        )
    return words + f"Ceil takes the smallest that lifts the last rung, {LARGEST:g} · X, to amax or higher: X = {scale}."


def _rounded(case: Case) -> str:
    words = f"Divided by its scale, each number goes to the nearest rung: {', '.join(f'{rung:g}' for rung in RUNGS)}. "
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
        "A code is a sign bit (s), two exponent bits (e) for a power of two, and a mantissa bit (m), the digit after "
        f"the point. Number {low}, the low half, and number {high}, the high half, make byte 0x{byte(value)}; "
        f"with {'the scale' if case.format == MXFP4 else 'two scales'}, {case.bytes} bytes hold all {SHOWN}."
    )


def _decoded(case: Case) -> str:
    at = case.top
    return (
        f"To read a number, look its rung up and multiply by the scale: {bits(case.codes[at])} is "
        f"{number(float(case.elements[at]))}, and {restored(case, at)}. It was {number(float(case.numbers[at]))}."
    )


def _error(case: Case) -> str:
    zeroed = case.zeroed or "none"
    return (
        f"{case.name} loses {percent(case.error)} of these numbers, as a root mean square (RMS): the signal is "
        f"{number(case.sqnr)} dB above the error. "
        f"The largest is {percent(case.worst)} off, and {zeroed} of {SHOWN} became 0."
    )


def _phase(name: str, tell: Callable[[Case], str]) -> Phase:
    return Phase(name, lambda moment: tell(moment.result))


STORY = (
    _phase("numbers", _numbers),
    _phase("amax", _amax),
    _phase("scale", _scale),
    _phase("rounded", _rounded),
    _phase("codes", _codes),
    _phase("decoded", _decoded),
    _phase("error", _error),
)


def percent(value: float) -> str:
    """A percentage; one too small to write is called so."""
    return f"{number(value)}%" if value >= TINY else f"under {TINY:g}%"


def power(exponent: int) -> str:
    """A power of two."""
    return f"2^{fixed(exponent, 0)}"


def bits(code: int, length: int = 4) -> str:
    """A code in binary, its highest bit first."""
    return f"{code:0{length}b}"


def byte(value: int) -> str:
    """A byte in hexadecimal."""
    return f"{value:02x}"


def exponent_of(value: float) -> int:
    """The largest k with 2^k ≤ |value|."""
    return math.frexp(abs(value))[1] - 1


def scale_sums(case: Case, block: int) -> list[str]:
    """How the scale of a block is worked out."""
    amax, scale = float(case.packed.amax[block]), float(case.packed.scales[block])
    k, low, top = exponent_of(scale), exponent_of(amax), exponent_of(LARGEST)
    if case.format == NVFP4:
        stored, whole = float(decoded(case.packed.scale_codes[block], "E4M3")), case.packed.tensor_scale
        return [
            f"s = {number(case.tensor_amax)} ÷ ({LARGEST:g} · {SCALE_LARGEST:g}) = {number(whole)}",
            f"{number(amax)} ÷ {LARGEST:g} ÷ s = {number(amax / LARGEST / whole, 4)}, in E4M3 {number(stored)}",
            f"scale = {number(stored)} · s = {number(scale)}",
        ]
    if case.rule == "floor":
        return [
            f"{power(low)} ≤ {number(amax)} < {power(low + 1)}",
            f"{power(top)} ≤ {LARGEST:g}, the last rung, < {power(top + 1)}",
            f"X = {power(low)} ÷ {power(top)} = {power(k)} = {number(scale)}",
        ]
    return [
        f"{number(amax)} ÷ {LARGEST:g}, the last rung, = {number(amax / LARGEST)}",
        f"{power(k - 1)} < {number(amax / LARGEST)} ≤ {power(k)}",
        f"X = {power(k)} = {number(scale)}",
    ]


def rounding_sums(case: Case, block: int) -> list[str]:
    """Where rounding takes a block's largest number, of the others the one that it moves most, and the smallest."""
    places = np.arange(block * case.packed.size, (block + 1) * case.packed.size)
    largest, moved = case.largest[block], np.abs(case.elements - case.scaled)[places]
    moved[places == largest] = -1
    moves, least = int(places[np.argmax(moved)]), int(places[np.argmin(np.abs(case.numbers[places]))])
    followed = {"largest": largest, "moved most": moves, "smallest": least}
    if case.numbers[moves] == case.numbers[least]:
        followed = {"largest": largest, "another": moves}
    return [f"{name}: {divided(case, at)}" for name, at in followed.items()]


def divided(case: Case, at: int) -> str:
    """One number over its scale, and the rung it goes to."""
    given, scale, scaled, element = (
        number(float(values[at])) for values in (case.numbers, case.scales, case.scaled, case.elements)
    )
    return f"{given} ÷ {scale} = {scaled} → {element}"


def restored(case: Case, at: int) -> str:
    """One element times its scale."""
    element, scale, back = (number(float(values[at])) for values in (case.elements, case.scales, case.decoded))
    return f"{element} · {scale} = {back}"
