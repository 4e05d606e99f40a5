"""Numbers as the reader reads them."""

from __future__ import annotations

import math

from loom.draw import fixed, significant, trimmed


def number(value: float) -> str:
    """A sum or a term: whole eighths in full, or two decimals, or two digits where those would be 0."""
    size = abs(value)
    if 0 < size < 0.1:
        return trimmed(fixed(value, first_digit(size) + 1))
    return trimmed(fixed(value, 3 if size < 1000 and (value * 8).is_integer() else 2))


def size_of(step: float) -> str:
    """A spacing, exact down to 1/16."""
    return trimmed(fixed(step, 4 if step >= 0.05 else first_digit(step) + 1)) if step >= 1e-9 else "almost 0"


def amount(difference: float) -> str:
    """How far two sums are apart, to about three digits."""
    if difference < 0.01:
        return size_of(difference)
    return (
        significant(difference)
        if difference >= 100
        else trimmed(fixed(difference, 2 + max(first_digit(difference), 0)))
    )


def error(percent: float) -> str:
    """A relative error."""
    if percent < 0.001:
        return "< 0.001%"
    return f"{percent:.{1 if percent >= 1 else first_digit(percent) + (percent >= 0.01)}f}%"


def first_digit(value: float) -> int:
    """The decimal at which a number below 1 begins."""
    return -math.floor(math.log10(value))
