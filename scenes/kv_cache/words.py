"""Sizes, counts and names as the reader reads them."""

from __future__ import annotations

from loom.draw import count, plain, quantity

from .model import LATENT, POSITION, Cache


def amount(size: int) -> str:
    """Bytes: in full below a million, then to three digits."""
    return f"{size:,}\u00a0B" if size < 10**6 else quantity(size, "B")


def share(part: float, whole: float) -> str:
    """A percentage, to two digits, or one decimal."""
    percent = 100 * part / whole
    if percent < 0.01:
        return "less than 0.01%"
    return f"{percent:.1f}%" if percent >= 0.1 else f"{percent:.2f}%"


def times(factor: float) -> str:
    """A factor with one decimal, or whole where it is."""
    return f"{factor:,.0f}×" if factor == round(factor) else f"{factor:,.1f}×" if factor < 100 else f"{plain(factor)}×"


def heads_of(heads: int) -> str:
    """What a layer keeps for its heads."""
    return count(heads, "KV head") if heads else "one latent"


def factors(cache: Cache, heads: int) -> str:
    """The product behind one token in one layer."""
    if not heads:
        return f"({LATENT} + {POSITION}) × {cache.element} B"
    return f"2 × {count(heads, 'head')} × {cache.shape.head_dim} × {cache.element} B"
