"""A number in every format: the nearest value, or too large, or lost, or no such thing.

.. [1] IEEE 754-2019, doi:10.1109/IEEESTD.2019.8766229, section 4.3.1 (round to nearest).
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from .._formats.floats import FLOATS, Float, decoded, encoded, float_format

SMALL = ("E2M1", "E2M3", "E3M2", "E4M3", "E5M2")  # every code can be set
WIDE = ("FP16", "BF16", "TF32", "FP32")  # a number is picked instead
FORMATS = SMALL + WIDE
TOP = {name: int(encoded(FLOATS[name].largest, name)) for name in FORMATS}  # the largest finite value's code


class Nearest(NamedTuple):
    """A number in one format. `code` and `value` are None where the format has nothing of the kind."""

    fmt: Float
    code: int | None
    value: float | None  # ±∞ and NaN where that is the number and the format has it
    error: float | None  # |value − number| ÷ |number| [1]; 0 for zero, ∞ and NaN
    verdict: str  # exact, rounded, overflow, zero, none


def relative_error(value: float, number: float) -> float:
    """|value − number| ÷ |number| [1]; 0 where both are zero, or not finite."""
    return abs(value - number) / abs(number) if math.isfinite(number) and number else 0.0


def overflows(number: float, fmt: Float) -> bool:
    """Whether a finite number rounds past the largest finite value [1]_: from half a step above it on.

    Half a step exactly is a tie: it stays if the largest value has an even mantissa, as E4M3's 448 has.
    """
    half_step = 2.0 ** (math.frexp(fmt.largest)[1] - fmt.mantissa_bits - 2)
    beyond = abs(number) - fmt.largest
    return beyond > half_step or (beyond == half_step and TOP[fmt.name] % 2 == 1)


def nearest(numbers: ArrayLike, format: str) -> list[Nearest]:
    """Numbers, shape (n,), in one format: ties to even, and the largest finite value where one overflows.

    ∞ and NaN stay what they are where the format has them, and have no code where it does not.
    """
    fmt, numbers = float_format(format), np.asarray(numbers, dtype=np.float64)
    codes = encoded(np.where(np.isfinite(numbers), numbers, 0.0), format)
    each = zip(numbers.tolist(), codes.tolist(), decoded(codes, format).tolist(), strict=True)
    return [_judged(fmt, *one) for one in each]


def _judged(fmt: Float, number: float, code: int, value: float) -> Nearest:
    if not math.isfinite(number):
        if not (fmt.nan if math.isnan(number) else fmt.infinite):
            return Nearest(fmt, None, None, None, "none")
        return Nearest(fmt, _special_code(number, fmt), number, 0.0, "exact")
    error = relative_error(value, number)
    verdict = "exact" if not error else "rounded" if value else "zero"
    return Nearest(fmt, code, value, error, "overflow" if overflows(number, fmt) else verdict)


def everywhere(numbers: ArrayLike) -> list[tuple[Nearest, ...]]:
    """Numbers, shape (n,), each in every format, from the smallest to the largest."""
    return list(zip(*(nearest(numbers, format) for format in FORMATS), strict=True))


def special_counts(format: str) -> dict[str, int]:
    """How many distinct finite values a format has (±0 once), and how many codes for ±∞ and for NaN."""
    fmt, top = float_format(format), TOP[format]
    infinities = 2 * fmt.infinite
    return {"finite": 2 * top + 1, "infinities": infinities, "nans": 2**fmt.bits - 2 * (top + 1) - infinities}


def _special_code(number: float, fmt: Float) -> int:
    """The code of ∞, or of NaN with all bits of the mantissa set, which every format with NaN has."""
    code = 2 ** (fmt.bits - 1) - (2**fmt.mantissa_bits if math.isinf(number) else 1)
    return code + (2 ** (fmt.bits - 1) if math.copysign(1, number) < 0 else 0)
