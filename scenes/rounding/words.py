"""Numbers as the reader reads them."""

from __future__ import annotations

import math

from loom.draw import fixed, trimmed

from .story import Story


def number(value: float, story: Story) -> str:
    """A number near the lens, with as many digits as tell it from its neighbours."""
    return decimal(value, max(fine_digits(story.step), first_digit(story.update)))


def step_of(step: float) -> str:
    """A distance between neighbours, to two or three digits."""
    return decimal(step, fine_digits(step))


def amount(value: float, digits: int = 4) -> str:
    """A result, to a few digits."""
    return trimmed(fixed(value, max(0, digits - 1 - math.floor(math.log10(abs(value)))))) if value else "0"


def percent(share: float) -> str:
    """A share of 1, to about three digits."""
    per = 100 * share
    if per in (0, 100) or 1 <= per <= 99:
        return f"{per:.1f}".removesuffix(".0") + "%"
    return trimmed(fixed(per, 1 - math.floor(math.log10(min(per, 100 - per))))) + "%"


def decimal(value: float, digits: int) -> str:
    """`value` in full where five decimals do, else with `digits` of them; no zeros at the end."""
    return trimmed(fixed(value, 5 if float(value * 10**5).is_integer() else digits))


def first_digit(value: float) -> int:
    """The decimal at which a number begins, at least 0."""
    return max(0, -math.floor(math.log10(abs(value))))


def fine_digits(value: float) -> int:
    """The decimals that show a number to two digits, or to three if it begins with a small one."""
    return first_digit(value) + (1 if float(f"{value:e}"[:3]) >= 2.5 else 2)
