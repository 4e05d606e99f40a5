"""What the plots share: an axis of tokens, and the look of each method's line."""

from __future__ import annotations

from loom.draw import Axis, Pen

SPAN = (1.0, 2e8)  # tokens; the longest wavelength of all bases and factors is 1.6e8
TICKS = (1.0, 100.0, 1e4, 1e6, 1e8)
STYLES = {"interpolation": "series-1 thin", "ntk-aware": "series-2 thin dashed", "yarn": "series-3 thin"}


def tokens_axis(pen: Pen, title: str) -> Axis:
    """Tokens on a log scale: distances and wavelengths share it."""
    return Axis(title, "tokens", SPAN, log=True, ticks=TICKS[:4] if pen.narrow else TICKS)
