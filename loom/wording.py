"""Numbers and lists as a sentence says them: percentages, factors, powers, what is listed, and how many there are."""

from __future__ import annotations

from collections.abc import Sequence

from loom.quantity import plain, superscript

MINUS = "−"


def count(number: int, one: str, many: str = "") -> str:
    """A number of things: 1 warp, 2 warps; `many` is a plural that is more than an s."""
    return f"{number:,} {one if number == 1 else many or one + 's'}"


def listed(words: Sequence[str], last: str = "and") -> str:
    """Words in a sentence: one, two and three."""
    return f" {last} ".join(filter(None, (", ".join(words[:-1]), *words[-1:])))


def number(value: float, digits: int = 3) -> str:
    """At most so many significant digits, and no zero behind the point that says nothing: 7.5, not 7.50."""
    return trimmed(plain(float(f"{value:.{digits}g}"), digits)) if value else "0"


def fixed(value: float, decimals: int = 2) -> str:
    """So many decimals, with a true minus sign, and none before a number that is rounded to 0."""
    text = f"{value:,.{decimals}f}"
    return text.replace("-", MINUS) if any(digit in "123456789" for digit in text) else text.lstrip("-")


def percent(value: float, digits: int = 3) -> str:
    """A percentage to so many significant digits, whole where it is: 12.5%, 100%."""
    return f"{plain(value, digits)}%"


def times(factor: float) -> str:
    """A factor: whole where it is, else with one decimal, or three digits from 100 on."""
    whole = factor == round(factor)
    return f"{factor:,.0f}×" if whole else f"{factor:,.1f}×" if factor < 100 else f"{plain(factor)}×"


def power(base: int, exponent: int) -> str:
    """A power, its exponent raised: 2⁻⁹."""
    return f"{base}{superscript(exponent)}"


def trimmed(text: str) -> str:
    """A written number without the zeros behind its point that say nothing."""
    front, mark, back = text.partition("\u00a0")
    return (front.rstrip("0").rstrip(".") if "." in front else front) + mark + back
