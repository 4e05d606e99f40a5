"""How numbers are written."""

from __future__ import annotations


def percent(share: float) -> str:
    """A percentage; with a decimal under 10, and never 100% for less."""
    if share < 9.95:
        return f"{share:.1f}".removesuffix(".0") + "%"
    return f"{min(round(share), 99) if share < 100 else 100}%"
