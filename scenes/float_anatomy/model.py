"""What the bits of a float spell: fields, kind, value and neighbours.

.. [1] IEEE 754-2019, doi:10.1109/IEEESTD.2019.8766229, section 3.4.
.. [2] Open Compute Project, OFP8 1.0, 2023, section 5 (E4M3, E5M2).
.. [3] Open Compute Project, Microscaling Formats v1.0, 2023, section 5.3 (E3M2, E2M3, E2M1).
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache, cached_property
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from .._formats.floats import Float, decoded, encoded, fields, float_format, spacing
from .nearest import Nearest, everywhere, relative_error

CODES = {4: "code4", 6: "code6", 8: "code8"}  # bits of a small format: the parameter that holds its code

# The numbers to pick from; some depend on the format.
NUMBERS: dict[str, Callable[[Float], float]] = {
    "π": lambda fmt: math.pi,
    "0.1": lambda fmt: 0.1,
    "1/3": lambda fmt: 1 / 3,
    "448": lambda fmt: 448.0,
    "65504": lambda fmt: 65504.0,
    "16777217": lambda fmt: 16777217.0,
    "1e-8": lambda fmt: 1e-8,
    "1e-40": lambda fmt: 1e-40,
    "1e30": lambda fmt: 1e30,
    "largest subnormal": lambda fmt: fmt.smallest_normal - fmt.smallest,
    "one step above 1": lambda fmt: 1 + fmt.epsilon,
}


class Parts(NamedTuple):
    """Codes taken apart; every array has their shape. A value is ± 2^power · significand."""

    fields: NDArray[np.int64]  # shape (3, …): sign, exponent and mantissa
    power: NDArray[np.int64]  # of two; an exponent field of 0 counts as 1
    significand: NDArray[np.float64]  # [1]: 1.m, or 0.m where the exponent field is 0
    value: NDArray[np.float64]  # [1]: ±∞ and NaN as such
    kind: NDArray[np.str_]  # zero, subnormal, normal, infinite, nan


def parts(codes: ArrayLike, format: str) -> Parts:
    """Codes as `Parts` [1]_ [2]_ [3]_. Raises ValueError for an unknown format and for codes that it has not."""
    fmt, value = float_format(format), decoded(codes, format)
    sign, exponent, mantissa = fields(codes, format)
    significand = (exponent > 0) + mantissa / 2**fmt.mantissa_bits
    kinds = [np.isnan(value), np.isinf(value), exponent > 0, mantissa > 0]
    kind = np.select(kinds, ["nan", "infinite", "normal", "subnormal"], "zero")
    return Parts(np.stack([sign, exponent, mantissa]), np.maximum(exponent, 1) - fmt.bias, significand, value, kind)


@dataclass(frozen=True, eq=False)
class Spelled:
    """A code of a format, taken apart. `number` was to be written: the code's own value, or the number picked."""

    fmt: Float
    code: int
    number: float
    picked: str  # the number's name, if it was picked
    fields: tuple[int, int, int]  # sign, exponent and mantissa
    power: int  # of two, that the exponent field stands for
    significand: float  # 1.m, or 0.m of a subnormal [1]
    value: float  # [1]; ±∞ and NaN as such
    kind: str  # zero, subnormal, normal, infinite, or nan
    spacing: float  # from |value| to the next larger value [1]; that of the top powers of two for ∞ and NaN
    everywhere: tuple[Nearest, ...]  # the number in every format

    @property
    def negative(self) -> bool:
        return self.fields[0] == 1

    @property
    def finite(self) -> bool:
        return math.isfinite(self.value)

    @property
    def reserved(self) -> bool:
        """Whether the exponent field itself says that this is no number: E4M3's NaN has an ordinary one."""
        return not self.finite and self.fmt.infinite

    @cached_property
    def neighbours(self) -> tuple[float | None, float | None]:
        """The next finite values below and above [1]; None beyond the largest one, and for ∞ and NaN."""
        if not self.finite:
            return None, None
        size = abs(self.value)
        inner = float(decoded(self.code % 2 ** (self.fmt.bits - 1) - 1, self.fmt.name)) if size else -self.fmt.smallest
        kept = size + self.spacing if size < self.fmt.largest else None
        if not self.negative or not size:
            return inner, kept
        return None if kept is None else -kept, -inner

    @property
    def error(self) -> float:
        """|value − number| ÷ |number| [1]; 0 for a code, which is its own number."""
        return relative_error(self.value, self.number) if self.picked else 0.0

    @property
    def rounds(self) -> bool:
        """Whether a number was picked that is no value of the format."""
        return bool(self.picked) and self.number != self.value


def read(fmt: Float, codes: ArrayLike, numbers: ArrayLike, picked: str = "") -> list[Spelled]:
    """Codes taken apart, with the numbers that they were to be; both of shape (n,). Raises ValueError as `parts`."""
    found = parts(codes, fmt.name)
    finite = np.where(np.isfinite(found.value), found.value, fmt.largest)
    columns = (codes, numbers, found.fields.T, found.power, found.significand, found.value, found.kind,
               spacing(finite, fmt.name))  # fmt: skip
    return [
        Spelled(fmt, code, number, picked, tuple(fields), *rest)
        for code, number, fields, *rest in zip(*(np.asarray(one).tolist() for one in columns), everywhere(numbers),
                                               strict=True)
    ]  # fmt: skip


@cache  # all codes of a small format are to be seen, and one by one they would take far longer
def every_code(format: str) -> list[Spelled]:
    """The codes of a format from 0 up."""
    codes = np.arange(2 ** float_format(format).bits)
    return read(float_format(format), codes, decoded(codes, format))


def spelled(format: str, code4: int = 0, code6: int = 0, code8: int = 0, number: str = "π") -> Spelled:
    """The code that the parameters mean: one of 4, 6 or 8 bits, or that of the value nearest to a number.

    A number beyond the largest finite value gets the code of that one. Raises ValueError for an unknown format or
    number, and for a code outside 0 … 2^bits − 1.
    """
    fmt = float_format(format)
    if fmt.bits in CODES:
        code = {4: code4, 6: code6, 8: code8}[fmt.bits]
        if not 0 <= code < 2**fmt.bits:
            raise ValueError(f"a code of {format} is one of 0 … {2**fmt.bits - 1}")
        return every_code(format)[code]
    if number not in NUMBERS:
        raise ValueError(f"unknown number '{number}', expected one of {', '.join(NUMBERS)}")
    wanted = NUMBERS[number](fmt)
    return read(fmt, encoded([wanted], format), [wanted], number)[0]
