"""How the scene spells its numbers."""

from __future__ import annotations

from loom.draw import plain


def signed(number: float, digits: int = 0) -> str:
    """A number with a real minus, which 0 never has."""
    text = f"{number:,.{digits}f}"
    return text.replace("-", "−") if float(text.replace(",", "")) else text.lstrip("-")


def trit(value: int) -> str:
    """A ternary weight with its sign: +1, 0, −1."""
    return f"{value:+d}".replace("-", "−") if value else "0"


def gamma(value: float) -> str:
    """A scale to three decimals, as it is multiplied by."""
    return f"{value:.3f}"


def bits(value: float) -> str:
    """Bits for each weight, exactly: 1.6875, 2.0625; or to three decimals."""
    return plain(value, 5) if value * 16 == round(value * 16) else f"{value:.3f}"


def joined(numbers: list[int], sign: str) -> str:
    """34 + 81 + 12; without any, 0."""
    return f" {sign} ".join(map(str, numbers)) or "0"
