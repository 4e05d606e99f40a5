"""Numbers in words: as many digits as tell a value from its neighbours, and powers of two as such."""

from __future__ import annotations

import math

from loom.draw import fixed, power, trimmed

from .model import Spelled

LABELS = {"65504": "65,504", "16777217": "16,777,217", "1e-8": "10⁻⁸", "1e-40": "10⁻⁴⁰", "1e30": "10³⁰"}


def power_of_two(exponent: int) -> str:
    """A power of two: 4, 1/2, and as 2⁻⁹ where it is below 1/8 or above 1024."""
    if not -4 < exponent < 11:
        return power(2, exponent)
    return f"1/{2**-exponent}" if exponent < 0 else f"{2**exponent:,}"


def ends(one: Spelled) -> tuple[str, str]:
    """The powers of two that a number lies between, the one nearer to zero first."""
    sign = "−" if one.negative else ""
    inner, outer = (f"{sign}{power_of_two(one.power + step)}" for step in (0, 1))
    return (inner, outer) if one.fields[1] else ("0", inner)


def digits(name: str) -> int:
    """Significant digits by which values of a format differ from their neighbours."""
    return 9 if name == "FP32" else 7


def number(value: float, most: int = 7) -> str:
    """A value with at most `most` significant digits; a power of ten beside it where zeros would be many."""
    if not math.isfinite(value) or value == 0:
        text = "NaN" if math.isnan(value) else "∞" if value else "0"
        return f"−{text}" if math.copysign(1, value) < 0 and text != "NaN" else text
    if 1e-4 <= abs(value) < 1e9:
        return trimmed(fixed(value, max(0, most - 1 - math.floor(math.log10(abs(value))))))
    front, _, exponent = f"{value:.{most - 1}e}".partition("e")
    front = "" if float(front) == 1 else f"{trimmed(front).replace('-', '−')}\u00a0×\u00a0"
    return front + power(10, int(exponent))


def equals(value: float, most: int) -> str:
    """= or ≈, as `number` keeps all digits of the value or not."""
    whole = abs(value) < 1e9 and value == round(value)
    return "=" if whole or not math.isfinite(value) or float(f"{value:.{most}g}") == value else "≈"


def percent(share: float) -> str:
    """A relative error with at most three digits: 12.5%, 0.0508%, 2.78 × 10⁻⁶%."""
    return f"{number(100 * share, 3)}%"


def picked(one: Spelled) -> str:
    """The number that was to be written, as its name or as its value."""
    if not one.picked or " " in one.picked:
        return number(one.number, digits(one.fmt.name))
    return LABELS.get(one.picked, one.picked)
