"""Angles and lengths in words."""

from __future__ import annotations

import math

from loom.draw import plain

NAMES = {
    "none": "no change",
    "interpolation": "position interpolation",
    "ntk-aware": "the NTK-aware base",
    "yarn": "YaRN",
}
SHORT = {"none": "no change", "interpolation": "interpolation", "ntk-aware": "NTK-aware", "yarn": "YaRN"}


def degrees(angle: float) -> str:
    """An angle in degrees, with three digits."""
    return f"{plain(math.degrees(angle), 3)}°"


def turned(angle: float) -> str:
    """An angle: in turns where it is a turn or more."""
    return degrees(angle) if angle < 2 * math.pi else f"{plain(angle / (2 * math.pi), 3)} turns"


def decimals(number: float, digits: int = 3) -> str:
    """A score with so many decimals, and a real minus sign."""
    return f"{number:.{digits}f}".replace("-", "−")


def tokens(number: float) -> str:
    """A length in tokens: in millions with three digits, below that whole or with three digits."""
    return f"{plain(number / 1e6, 3)} million" if number >= 1e6 else plain(number, 3)


def pairs(count: int) -> str:
    """A number of pairs."""
    return "1 pair" if count == 1 else f"{count} pairs"
