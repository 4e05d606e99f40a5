"""Floating-point formats: their codes, their values, and rounding to them.

A code with sign s, exponent field E and mantissa field m stands for (−1)^s · 2^(E − bias) · 1.m,
and where E is 0 for the subnormal (−1)^s · 2^(1 − bias) · 0.m.

.. [1] IEEE 754-2019, doi:10.1109/IEEESTD.2019.8766229, section 3.4 (FP16, FP32).
.. [2] Open Compute Project, OFP8 1.0, 2023, section 5 (E4M3, E5M2).
.. [3] Open Compute Project, Microscaling Formats v1.0, 2023, section 5.3 (E3M2, E2M3, E2M1) and 5.4 (E8M0).
"""

from functools import cache
from typing import NamedTuple

import ml_dtypes
import numpy as np

EXPONENT = 0x7FF << 52  # the bits of a float64 that hold its exponent


class Float(NamedTuple):
    """One format; `dtype` is the type whose casts it is tested against, None where no library has one."""

    name: str
    exponent_bits: int
    mantissa_bits: int  # stored, without the hidden one
    bias: int
    largest: float  # finite
    dtype: type | None
    infinite: bool  # has codes for ±∞
    nan: bool  # has codes that are no number

    @property
    def bits(self):
        """Bits of one code, its sign included [bit]."""
        return 1 + self.exponent_bits + self.mantissa_bits

    @property
    def smallest_normal(self):
        """The smallest value with a hidden one [1]."""
        return 2.0 ** (1 - self.bias)

    @property
    def smallest(self):
        """The smallest value above zero [1]."""
        return 2.0 ** (1 - self.bias - self.mantissa_bits)

    @property
    def epsilon(self):
        """The distance from 1 to the next larger value [1]."""
        return 2.0**-self.mantissa_bits


def _shaped(exponent_bits, mantissa_bits, lost=0):
    """Largest finite value of a format whose top `lost` codes are taken for other things."""
    bias = 2 ** (exponent_bits - 1) - 1
    top = 2 ** (exponent_bits + mantissa_bits) - 1 - lost
    exponent, mantissa = divmod(top, 2**mantissa_bits)
    return (1 + mantissa / 2**mantissa_bits) * 2.0 ** (exponent - bias)


def _float(name, exponent_bits, mantissa_bits, dtype, special="ieee"):
    # IEEE formats give their whole top binade to ∞ and NaN; E4M3 gives one code, and the smallest ones nothing.
    lost = {"ieee": 2**mantissa_bits, "nan": 1, "none": 0}[special]
    bias, largest = 2 ** (exponent_bits - 1) - 1, _shaped(exponent_bits, mantissa_bits, lost)
    return Float(name, exponent_bits, mantissa_bits, bias, largest, dtype, special == "ieee", special != "none")


FLOATS = {
    fmt.name: fmt
    for fmt in (
        _float("FP32", 8, 23, np.float32),
        _float("TF32", 8, 10, None),  # lies in the top 19 bits of an FP32
        _float("BF16", 8, 7, ml_dtypes.bfloat16),
        _float("FP16", 5, 10, np.float16),
        _float("E5M2", 5, 2, ml_dtypes.float8_e5m2),
        _float("E4M3", 4, 3, ml_dtypes.float8_e4m3fn, "nan"),
        _float("E3M2", 3, 2, ml_dtypes.float6_e3m2fn, "none"),
        _float("E2M3", 2, 3, ml_dtypes.float6_e2m3fn, "none"),
        _float("E2M1", 2, 1, ml_dtypes.float4_e2m1fn, "none"),
    )
}


def fields(codes, fmt):
    """Sign, exponent and mantissa fields of codes; three integer arrays of the codes' shape."""
    fmt, codes = float_format(fmt), np.asarray(codes, dtype=np.int64)
    mantissa, rest = codes % 2**fmt.mantissa_bits, codes >> fmt.mantissa_bits
    return rest >> fmt.exponent_bits, rest % 2**fmt.exponent_bits, mantissa


def decoded(codes, fmt):
    """Values [1] of codes, float64 of their shape; ±∞ and NaN where the format says so.

    Raises ValueError for an unknown format and for codes outside 0 … 2^bits − 1.
    """
    fmt, codes = float_format(fmt), np.asarray(codes, dtype=np.int64)
    if np.any((codes < 0) | (codes >= 2**fmt.bits)):
        raise ValueError(f"a code of {fmt.name} is one of 0 … {2**fmt.bits - 1}")
    sign, exponent, mantissa = fields(codes, fmt)
    fraction = mantissa / 2**fmt.mantissa_bits + (exponent > 0)
    value = np.ldexp(fraction, np.maximum(exponent, 1) - fmt.bias)
    special = value > fmt.largest
    if fmt.infinite:
        value = np.where(special, np.where(mantissa == 0, np.inf, np.nan), value)
    else:
        value = np.where(special, np.nan, value)
    return np.where(sign == 1, -value, value)


def encoded(values, fmt):
    """Codes of the nearest values, int64 of the values' shape: ties to even, clipped, −0 kept.

    Raises ValueError for an unknown format and for NaN, which not every format has.
    """
    fmt = float_format(fmt)
    nearest = rounded(values, fmt)
    size = np.abs(nearest)
    exponent = np.frexp(np.maximum(size, fmt.smallest_normal))[1] - 1
    steps = np.ldexp(size, fmt.mantissa_bits - exponent).astype(np.int64)  # the hidden one adds one to the field
    body = steps + ((exponent + fmt.bias - 1) << fmt.mantissa_bits)
    return body + (np.signbit(nearest).astype(np.int64) << (fmt.bits - 1))


def spacing(values, fmt):
    """Distance from |values| to the next larger value of the format [1], float64 of their shape.

    Constant below the smallest normal; beyond the largest finite value, that of the top binade.
    """
    fmt = float_format(fmt)
    size = np.abs(np.asarray(values, dtype=np.float64)).clip(fmt.smallest_normal, fmt.largest)
    binade = (size.view(np.int64) & EXPONENT).view(np.float64)  # its power of two; frexp and ldexp take far longer
    return binade * fmt.epsilon


def rounded(values, fmt):
    """Nearest values of the format [1], float64 of the values' shape: ties to even, clipped to ± the largest.

    Clipping is a choice: beyond the largest value libraries differ, and give the largest, NaN or ∞.
    Equal to clipping and casting a float32 through `ml_dtypes`; from float64 that cast rounds twice, to
    float32 first, so that a number just beside a midpoint passes for a tie.

    Raises ValueError for an unknown format and for NaN.
    """
    fmt, values = float_format(fmt), np.asarray(values, dtype=np.float64)
    if np.isnan(values).any():
        raise ValueError("not every format has NaN, so none is rounded to")
    clipped = values.clip(-fmt.largest, fmt.largest)
    step = spacing(clipped, fmt)
    return np.rint(clipped / step) * step  # np.rint keeps the sign of what becomes zero


@cache  # several scenes list the same values, some for every state
def finite_values(fmt):
    """Every finite value of a format of at most 16 bits [1], ascending, ±0 once; float64 of shape (count,), read-only.

    Raises ValueError for an unknown format, and for one of more than 16 bits.
    """
    fmt = float_format(fmt)
    if fmt.bits > 16:
        raise ValueError(f"{fmt.name} has too many values to list")
    values = decoded(np.arange(2**fmt.bits), fmt)
    values = np.unique(values[np.isfinite(values)] + 0.0)
    values.setflags(write=False)
    return values


def float_format(name):
    """The format of this name, or the format itself; raises ValueError for an unknown name."""
    if isinstance(name, Float):
        return name
    if name not in FLOATS:
        raise ValueError(f"unknown format '{name}', expected one of {', '.join(FLOATS)}")
    return FLOATS[name]
