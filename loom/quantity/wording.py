"""Numbers and lists as text for sentences: percentages, factors, powers, counts and enumerations."""

from __future__ import annotations

from collections.abc import Sequence

from loom.quantity import significant, superscript

MINUS = "−"


def count(number: int, one: str, many: str = "") -> str:
    """A number of things: 1 warp, 2 warps; `many` is a plural that is more than an s."""
    return f"{number:,} {one if number == 1 else many or one + 's'}"


def listed(words: Sequence[str], last: str = "and") -> str:
    """Words in a sentence: one, two and three."""
    return f" {last} ".join(filter(None, (", ".join(words[:-1]), *words[-1:])))


def number(value: float, digits: int = 3) -> str:
    """At most `digits` significant digits, without trailing zeros: 7.5, not 7.50."""
    return trimmed(significant(float(f"{value:.{digits}g}"), digits)) if value else "0"


def fixed(value: float, decimals: int = 2) -> str:
    """A fixed number of decimals, with a true minus sign; a number that is rounded to 0 has none."""
    text = f"{value:,.{decimals}f}"
    return text.replace("-", MINUS) if any(digit in "123456789" for digit in text) else text.lstrip("-")


def percent(value: float, digits: int = 3) -> str:
    """A percentage with `digits` significant digits; whole numbers are written whole: 12.5%, 100%."""
    return f"{significant(value, digits)}%"


def times(factor: float) -> str:
    """A factor such as 3.2×: whole numbers stay whole, others have one decimal, or three digits from 100 on."""
    whole = factor == round(factor)
    return f"{factor:,.0f}×" if whole else f"{factor:,.1f}×" if factor < 100 else f"{significant(factor)}×"


def power(base: int, exponent: int) -> str:
    """A power with its exponent as a superscript: 2⁻⁹."""
    return f"{base}{superscript(exponent)}"


def trimmed(text: str) -> str:
    """A written number without trailing zeros behind its decimal point."""
    front, mark, back = text.partition("\u00a0")
    return (front.rstrip("0").rstrip(".") if "." in front else front) + mark + back
