"""Numbers as the reader reads them."""

from __future__ import annotations


def figure(number: float) -> str:
    """Three digits at most, and no zeros at the end: 0.5, 2, 295."""
    return f"{number:.3g}"
