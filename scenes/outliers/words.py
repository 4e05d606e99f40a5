"""How the scene spells its numbers and names."""

from __future__ import annotations

from .model import Case

NAMES = {"INT8": "INT8", "E4M3": "FP8 E4M3", "E2M1": "FP4 E2M1"}
CURE_NAMES = {"none": "no cure", "smoothing": "smoothing", "rotation": "rotation"}


def share(percent: float) -> str:
    """A percentage with as many digits as it needs: 48%, 1.2%, 0.03%; only what is none is 0%, only all is 100%."""
    if 0 < percent < 0.005:
        return "almost none"
    if 99.5 < percent < 100:
        return f"{min(percent, 99.9):.1f}%"
    whole = percent == 0 or percent >= 9.95
    return f"{percent:.0f}%" if whole else f"{percent:.1f}%" if percent >= 0.095 else f"{percent:.2f}%"


def size(number: float) -> str:
    """A magnitude with three digits at most: 162, 13.5, 1.28, 0.054."""
    return f"{number:.3g}" if number >= 0.1 else f"{number:.2g}"


def spaced(one: Case) -> str:
    """What the format offers around zero."""
    if one.fmt == "INT8":
        return f"255 values, {size(one.step)} apart"
    if one.fmt == "E4M3":
        return "253 values, crowded near 0"
    return f"15 values; next to 0 is ±{size(one.step)}"
