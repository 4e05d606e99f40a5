"""Numbers in words: powers of two as such, and none with more digits than a reader takes in."""

from __future__ import annotations

import math

from loom.draw import power, significant, trimmed


def number(value: float, digits: int = 3) -> str:
    """A value: a power of two below 1/8 or from 2²⁰ as such, other very large or small ones with a power of ten."""
    fraction, exponent = math.frexp(abs(value))
    if value and fraction == 0.5 and not -3 <= exponent - 1 < 20:
        return ("−" if value < 0 else "") + power(2, exponent - 1)
    if value and not 1e-4 <= abs(value) < 1e7:
        tens = math.floor(math.log10(abs(value)))
        return f"{significant(value / 10.0**tens, digits)} × {power(10, tens)}"
    return trimmed(significant(value, max(digits, 5) if abs(value) >= 1 else digits))


def percent(share: float) -> str:
    """A share with at most three digits: 12.5%, 6.67%, 0.787%."""
    return f"{trimmed(significant(100 * share, 3))}%"
