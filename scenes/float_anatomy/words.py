"""Numbers in words: as many digits as tell a value from its neighbours, and powers of two as such."""

from __future__ import annotations

import math

from .model import Spelled

RAISED = str.maketrans("0123456789-", "⁰¹²³⁴⁵⁶⁷⁸⁹⁻")
LABELS = {"65504": "65,504", "16777217": "16,777,217", "1e-8": "10⁻⁸", "1e-40": "10⁻⁴⁰", "1e30": "10³⁰"}


def raised(number: int) -> str:
    """An exponent, small and high: ⁻⁹."""
    return str(number).translate(RAISED)


def power(exponent: int) -> str:
    """A power of two: 4, 1/2, and as 2⁻⁹ where it is below 1/8 or above 1024."""
    if 0 <= exponent <= 10:
        return f"{2**exponent:,}"
    return f"1/{2**-exponent}" if -3 <= exponent < 0 else f"2{raised(exponent)}"


def digits(name: str) -> int:
    """Significant digits by which values of a format differ from their neighbours."""
    return 9 if name == "FP32" else 7


def number(value: float, most: int = 7) -> str:
    """A value with at most `most` significant digits; a power of ten beside it where zeros would be many."""
    if not math.isfinite(value) or value == 0:
        text = "NaN" if math.isnan(value) else "∞" if value else "0"
        return f"−{text}" if math.copysign(1, value) < 0 and text != "NaN" else text
    if 1e-4 <= abs(value) < 1e9:
        text = f"{value:,.{max(0, most - 1 - math.floor(math.log10(abs(value))))}f}"
        return _short(text)
    front, _, exponent = f"{value:.{most - 1}e}".partition("e")
    front = "" if float(front) == 1 else f"{_short(front)} × "
    return f"{front}10{raised(int(exponent))}"


def equals(value: float, most: int) -> str:
    """= or ≈, as `number` keeps all digits of the value or not."""
    whole = abs(value) < 1e9 and value == round(value)
    return "=" if whole or not math.isfinite(value) or float(f"{value:.{most}g}") == value else "≈"


def percent(share: float) -> str:
    """A relative error with at most three digits: 12.5%, 0.0508%, 2.78 × 10⁻⁶%."""
    return f"{number(100 * share, 3)}%"


def picked(one: Spelled) -> str:
    """The number that was to be written, as its name or as its value."""
    if not one.picked:
        return number(one.value, digits(one.fmt.name))
    if one.picked in LABELS:
        return LABELS[one.picked]
    return number(one.number, digits(one.fmt.name)) if " " in one.picked else one.picked


def binary(field: int, length: int) -> str:
    """A field's bits."""
    return f"{field:0{length}b}"


def _short(text: str) -> str:
    text = text.rstrip("0").rstrip(".") if "." in text else text
    return text.replace("-", "−")
