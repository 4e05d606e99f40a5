"""The values that a number format holds, the gaps between them, and two formats compared."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from .._formats.floats import finite_values, float_format, spacing

Array = NDArray[np.float64]

INTEGERS = {"INT4": 4, "INT8": 8}  # name: bits
NAMES = ("E2M1", "E2M3", "E3M2", "E4M3", "E5M2", "INT4", "INT8", "FP16", "BF16")


@dataclass(frozen=True)
class Format:
    """A float or an integer in two's complement; lengths without a unit are numbers that it holds [1]."""

    name: str
    bits: int
    exponent_bits: int  # 0 of an integer
    mantissa_bits: int  # 0 of an integer
    smallest: float  # above zero
    smallest_normal: float  # of an integer 1
    largest: float

    @property
    def integer(self) -> bool:
        return self.name in INTEGERS

    @property
    def subnormals(self) -> int:
        """Positive values below the smallest normal one."""
        return round(self.smallest_normal / self.smallest) - 1

    @property
    def binades(self) -> float:
        """largest / smallest, as a power of two."""
        return float(np.log2(self.largest) - np.log2(self.smallest))


@lru_cache
def number_format(name: str) -> Format:
    """The format of this name.

    Raises
    ------
    ValueError
        If `name` is not one of `NAMES`.

    References
    ----------
    .. [1] Open Compute Project, OFP8 1.0, 2023, section 5 (E4M3, E5M2).
    .. [2] Open Compute Project, Microscaling Formats v1.0, 2023, section 5.3 (E3M2, E2M3, E2M1).
    """
    if name not in NAMES:
        raise ValueError(f"a format is one of {', '.join(NAMES)}, not {name!r}")
    if name in INTEGERS:
        bits = INTEGERS[name]
        return Format(name, bits, 0, 0, 1.0, 1.0, 2.0 ** (bits - 1) - 1)
    fmt = float_format(name)
    return Format(name, fmt.bits, fmt.exponent_bits, fmt.mantissa_bits, fmt.smallest, fmt.smallest_normal, fmt.largest)


@lru_cache
def all_values(name: str) -> Array:
    """Every finite value of a format [1], ascending, ±0 once; shape (count,).

    Raises ValueError for an unknown name.
    """
    fmt = number_format(name)
    if fmt.integer:
        return np.arange(-(2.0 ** (fmt.bits - 1)), 2.0 ** (fmt.bits - 1))
    return np.asarray(finite_values(name))


@lru_cache
def values_from_zero(name: str) -> Array:
    """The values that are not negative [1], ascending from 0; shape (n,)."""
    values = all_values(name)
    return values[values >= 0]


def gap(values: Array | float, name: str) -> Array:
    """Distance from |values| to the next larger value of the format [1]; of their shape.

    That of the top power of two beyond the largest value, and of an integer 1 everywhere.
    """
    if number_format(name).integer:
        return np.ones(np.shape(values))
    return np.asarray(spacing(values, name))


def relative_gap(values: Array | float, name: str) -> Array:
    """Distance to the next larger value, divided by the value [1]; of the shape of `values`, which are above 0.

    In (2^−(m + 1), 2^−m] for the normal values of a float with m bits of mantissa.
    Raises ValueError for a value that is not above 0.
    """
    if np.any(np.asarray(values) <= 0):
        raise ValueError("only a value above 0 has a relative gap")
    return np.asarray(gap(values, name) / values)


def relative_extent(name: str) -> tuple[float, float]:
    """The least and the most relative gap of the normal values [1]; of an integer those of all from 1."""
    fmt = number_format(name)
    values = values_from_zero(name)
    normal = relative_gap(values[values >= fmt.smallest_normal], name)
    return float(normal.min()), float(normal.max())


def values_per_power(name: str) -> dict[int, int]:
    """How many values lie from 2^k to below 2^(k + 1), by k; only powers of two that hold some."""
    exponents = np.frexp(values_from_zero(name)[1:])[1] - 1
    powers, counts = np.unique(exponents, return_counts=True)
    return dict(zip(powers.tolist(), counts.tolist(), strict=True))


def code_uses(name: str) -> dict[str, int]:
    """What the 2^bits codes stand for: how many are "negative", "zero", "below one", "one up" or "special".

    "below one" are above 0, "special" are ∞ and NaN. The counts add up to 2^bits.
    """
    fmt, values = number_format(name), all_values(name)
    uses = {
        "negative": int((values < 0).sum()),
        "zero": 1 if fmt.integer else 2,  # a float has +0 and −0
        "below one": int(((values > 0) & (values < 1)).sum()),
        "one up": int((values >= 1).sum()),
    }
    return {**uses, "special": 2**fmt.bits - sum(uses.values())}


def finer(first: str, second: str) -> list[tuple[int, float, float]]:
    """Whose gaps are smaller, over all numbers from 0 to where the shorter format ends.

    Returns
    -------
    list of (int, float, float)
        −1 where those of `first` are, 0 where both are equal, 1 where those of `second` are, and from where
        to where [1]; in order, neighbours differ.
    """
    top = min(number_format(first).largest, number_format(second).largest)
    lowest = min(number_format(name).smallest_normal for name in (first, second))
    exponents = range(round(np.log2(lowest)), int(np.floor(np.log2(top))) + 1)
    edges = [0.0, *(2.0**k for k in exponents if 2.0**k < top), top]
    runs: list[tuple[int, float, float]] = []
    for low, high in pairwise(edges):
        which = int(np.sign(float(gap(low, first)) - float(gap(low, second))))
        start = runs.pop()[1] if runs and runs[-1][0] == which else low
        runs.append((which, start, high))
    return runs


def reach(first: str, second: str) -> float:
    """Where the linear axis ends [1]: the power of two at or above the largest value of the shorter format."""
    top = min(number_format(first).largest, number_format(second).largest)
    return float(2.0 ** np.ceil(np.log2(top)))


@dataclass(frozen=True)
class State:
    """Two formats, an axis, and what is shown of them."""

    first: str
    second: str
    axis: str
    step: str

    @property
    def log(self) -> bool:
        return self.axis == "log"

    @property
    def both(self) -> bool:
        """Whether the second format is there."""
        return self.step in ("beside", "relative")


STEPS = ("values", "gaps", "zero", "beside", "relative")
AXES = ("linear", "log")


def steps(first: str, second: str, axis: str) -> list[State]:
    """The five steps of one choice. Raises ValueError for an unknown format or axis."""
    if axis not in AXES:
        raise ValueError(f"axis is one of {AXES}, not {axis!r}")
    return [State(number_format(first).name, number_format(second).name, axis, step) for step in STEPS]
