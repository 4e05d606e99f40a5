"""The story of 32 numbers: its phases, and what is said of each."""

from __future__ import annotations

from collections.abc import Callable

from loom.draw import count, number
from loom.scene import Phase

from .case import BF16_BYTES, SHOWN, Case
from .model import LARGEST, MXFP4, RUNGS
from .words import bits, byte, exponent_of, percent, power, restored


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
