"""What an H100 did with large products in each format."""

from __future__ import annotations

from loom.scene import Value

from .._silicon.results import results

PART = "H100"
TERA = 1e12


def values() -> dict[str, Value]:
    """The rate of each format for prose to quote; nothing where nothing was measured."""
    found = results("precision").get(PART)
    points = found.of("rate", "FLOP/s").points if found else ()
    return {
        f"measured_{str(one.at['format']).replace(' ', '_')}": Value(one.median / TERA, "TFLOP/s") for one in points
    }
