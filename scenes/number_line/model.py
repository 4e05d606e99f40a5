"""The values that a number format holds, the gaps between them, and two formats compared."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cache, cached_property
from itertools import groupby, pairwise

import numpy as np
from numpy.typing import NDArray

from .._formats.floats import finite_values, float_format, spacing

Array = NDArray[np.float64]

INTEGERS = {"INT4": 4, "INT8": 8}  # name: bits
NAMES = ("E2M1", "E2M3", "E3M2", "E4M3", "E5M2", "INT4", "INT8", "FP16", "BF16")
PAIRS = ("E4M3 and INT8", "E4M3 and E5M2", "E2M1 and INT4", "BF16 and FP16")
# Where a window may end: at quarters of the way from each power of two to the next.
_ENDS = (*(2.0**power * quarter / 4 for power in range(-10, 16) for quarter in range(4, 8)), 2.0**16)
WINDOWS: tuple[float, ...] = tuple(int(end) if end.is_integer() else end for end in _ENDS)  # as links spell them

POWERS = 8  # of two on the ruler on which each is as wide as the others


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

    @cached_property
    def binades(self) -> float:
        """largest / smallest, as a power of two."""
        return float(np.log2(self.largest) - np.log2(self.smallest))

    @cached_property
    def values(self) -> Array:
        """Every finite value [1], ascending, ±0 once; shape (count,)."""
        if self.integer:
            return np.arange(-(2.0 ** (self.bits - 1)), 2.0 ** (self.bits - 1))
        return np.asarray(finite_values(self.name))

    @cached_property
    def from_zero(self) -> Array:
        """The values that are not negative [1], ascending from 0; shape (n,)."""
        return self.values[self.values >= 0]

    def gap(self, values: Array | float) -> Array:
        """Distance from |values| to the next larger value [1]; of their shape.

        That of the top power of two beyond the largest value, and of an integer 1 everywhere.
        """
        return np.ones(np.shape(values)) if self.integer else np.asarray(spacing(values, self.name))

    def relative_gap(self, values: Array | float) -> Array:
        """Distance to the next larger value, divided by the value [1]; of the shape of `values`, which are above 0.

        In (2^−(m + 1), 2^−m] for the normal values of a float with m bits of mantissa.
        Raises ValueError for a value that is not above 0.
        """
        if np.any(np.asarray(values) <= 0):
            raise ValueError("only a value above 0 has a relative gap")
        return np.asarray(self.gap(values) / values)

    @cached_property
    def relative_extent(self) -> tuple[float, float]:
        """The least and the most relative gap of the normal values [1]; of an integer those of all from 1."""
        normal = self.relative_gap(self.from_zero[self.from_zero >= self.smallest_normal])
        return float(normal.min()), float(normal.max())

    @cached_property
    def per_power(self) -> dict[int, int]:
        """How many values lie from 2^k to below 2^(k + 1), by k; only powers of two that hold some."""
        powers, counts = np.unique(np.frexp(self.from_zero[1:])[1] - 1, return_counts=True)
        return dict(zip(powers.tolist(), counts.tolist(), strict=True))

    @cached_property
    def uses(self) -> dict[str, int]:
        """What the 2^bits codes stand for: how many are "negative", "zero", "below one", "one up" or "special".

        "below one" are above 0, "special" are ∞ and NaN. The counts add up to 2^bits.
        """
        uses = {
            "negative": int((self.values < 0).sum()),
            "zero": 1 if self.integer else 2,  # a float has +0 and −0
            "below one": int(((self.values > 0) & (self.values < 1)).sum()),
            "one up": int((self.values >= 1).sum()),
        }
        return {**uses, "special": 2**self.bits - sum(uses.values())}


@cache  # one object for each name
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


@dataclass(frozen=True)
class Pair:
    """Two formats, and the window in which their numbers are looked at."""

    first: Format
    second: Format
    window: float = 1.0  # from 0 up to here [1]

    @property
    def both(self) -> tuple[Format, Format]:
        return self.first, self.second

    @property
    def top(self) -> float:
        """Where the shorter format ends [1]."""
        return min(self.first.largest, self.second.largest)

    @cached_property
    def low(self) -> float:
        """Where the ruler begins on which each power of two is as wide: itself a power of two."""
        return 2.0 ** (math.ceil(math.log2(self.window)) - POWERS)

    @cached_property
    def inside(self) -> tuple[int, ...]:
        """How many numbers of either format are in the window: at least 0, and below its end."""
        return tuple(int((fmt.from_zero < self.window).sum()) for fmt in self.both)

    def finer(self) -> list[tuple[int, float, float]]:
        """Whose gaps are smaller, over all numbers from 0 to where the shorter format ends.

        Returns
        -------
        list of (int, float, float)
            −1 where those of the first are, 0 where both are equal, 1 where those of the second are, and from where
            to where [1]; in order, neighbours differ.
        """
        lowest = min(fmt.smallest_normal for fmt in self.both)
        exponents = range(round(np.log2(lowest)), int(np.floor(np.log2(self.top))) + 1)
        edges = [0.0, *(2.0**k for k in exponents if 2.0**k < self.top), self.top]
        lows = np.array(edges[:-1])
        which = np.sign(self.first.gap(lows) - self.second.gap(lows)).astype(int).tolist()
        stretches = zip(which, pairwise(edges), strict=True)
        runs = [(sign, list(run)) for sign, run in groupby(stretches, key=lambda stretch: stretch[0])]
        return [(sign, run[0][1][0], run[-1][1][1]) for sign, run in runs]


def pair(formats: str, window: float) -> Pair:
    """Two formats, as named in `PAIRS`, in a window. Raises ValueError for others, and a window that is not above 0."""
    if formats not in PAIRS:
        raise ValueError(f"formats are one of {', '.join(PAIRS)}, not {formats!r}")
    if window <= 0:
        raise ValueError(f"a window ends above 0, not at {window:g}")
    first, second = formats.split(" and ")
    return Pair(number_format(first), number_format(second), window)
