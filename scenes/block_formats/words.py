"""How numbers and codes are written in this scene."""

from __future__ import annotations

import math

from loom.draw import plain

MINUS = "−"
TINY = 0.01  # [%]: what FP32’s own rounding leaves is below


def number(value: float, digits: int = 3) -> str:
    """A number with so many significant digits; nothing after the point that says nothing."""
    text = plain(float(f"{value:.{digits}g}"), digits)
    return text.rstrip("0").rstrip(".") if "." in text and "e" not in text else text


def percent(value: float) -> str:
    """A percentage; one too small to write is called so."""
    return f"{number(value)}%" if value >= TINY else f"under {TINY:g}%"


def power(exponent: int) -> str:
    """A power of two."""
    return f"2^{exponent}".replace("-", MINUS)


def bits(code: int, length: int = 4) -> str:
    """A code in binary, its highest bit first."""
    return f"{code:0{length}b}"


def byte(value: int) -> str:
    """A byte in hexadecimal."""
    return f"{value:02x}"


def exponent_of(value: float) -> int:
    """The largest k with 2^k ≤ |value|."""
    return math.frexp(abs(value))[1] - 1
