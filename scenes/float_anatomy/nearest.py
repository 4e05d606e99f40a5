"""A number in every format: the nearest value, or too large, or lost, or no such thing.

.. [1] IEEE 754-2019, doi:10.1109/IEEESTD.2019.8766229, section 4.3.1 (round to nearest).
"""

from __future__ import annotations

import math
from functools import lru_cache
from typing import NamedTuple

from .._formats.floats import Float, decoded, encoded, float_format, spacing

SMALL = ("E2M1", "E2M3", "E3M2", "E4M3", "E5M2")  # every code can be set
WIDE = ("FP16", "BF16", "TF32", "FP32")  # a number is picked instead
FORMATS = SMALL + WIDE


class Nearest(NamedTuple):
    """A number in one format. `code` and `value` are None where the format has nothing of the kind."""

    fmt: Float
    code: int | None
    value: float | None  # ±∞ and NaN where that is the number and the format has it
    error: float | None  # |value − number| ÷ |number| [1]; 0 for zero, ∞ and NaN
    verdict: str  # exact, rounded, overflow, zero, none


def relative_error(value: float, number: float) -> float:
    """|value − number| ÷ |number| [1]; 0 where both are zero, or not finite."""
    if not math.isfinite(number) or number == 0:
        return 0.0
    return abs(value - number) / abs(number)


def overflows(number: float, fmt: Float) -> bool:
    """Whether a finite number rounds past the largest finite value [1]_: from half a step above it on.

    Half a step exactly is a tie: it stays if the largest value has an even mantissa, as E4M3's 448 has.
    """
    limit = fmt.largest + float(spacing(fmt.largest, fmt.name)) / 2
    even = int(encoded(fmt.largest, fmt.name)) % 2 == 0
    return abs(number) > limit or (abs(number) == limit and not even)


def nearest(number: float, format: str) -> Nearest:
    """A number in one format: ties to even, and the largest finite value where it overflows.

    ∞ and NaN stay what they are where the format has them, and have no code where it does not.
    """
    fmt = float_format(format)
    if math.isnan(number) or math.isinf(number):
        held = fmt.nan if math.isnan(number) else fmt.infinite
        code = _special_code(number, fmt) if held else None
        return Nearest(fmt, code, number if held else None, 0.0 if held else None, "exact" if held else "none")
    code = int(encoded(number, format))
    value = float(decoded(code, format))
    error = relative_error(value, number)
    if overflows(number, fmt):
        return Nearest(fmt, code, value, error, "overflow")
    return Nearest(fmt, code, value, error, "exact" if not error else "rounded" if value else "zero")


@lru_cache(maxsize=4096)
def _everywhere(number: float, negative: bool) -> tuple[Nearest, ...]:
    return tuple(nearest(number, format) for format in FORMATS)


def everywhere(number: float) -> tuple[Nearest, ...]:
    """A number in every format, from the smallest to the largest; −0 is told from 0."""
    return _everywhere(number, math.copysign(1, number) < 0)


def special_counts(format: str) -> dict[str, int]:
    """How many distinct finite values a format has (±0 once), and how many codes for ±∞ and for NaN."""
    fmt = float_format(format)
    top = int(encoded(fmt.largest, fmt.name))
    infinities = 2 * fmt.infinite
    return {"finite": 2 * top + 1, "infinities": infinities, "nans": 2**fmt.bits - 2 * (top + 1) - infinities}


def _special_code(number: float, fmt: Float) -> int:
    """The code of ∞, or of NaN with all bits of the mantissa set, which every format with NaN has."""
    body = 2 ** (fmt.bits - 1) - 1
    if math.isinf(number):
        body -= 2**fmt.mantissa_bits - 1
    return body + (2 ** (fmt.bits - 1) if math.copysign(1, number) < 0 else 0)
