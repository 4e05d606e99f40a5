"""What an H100 did with large products in each format."""

from __future__ import annotations

from loom.scene import Value

from .._silicon.drawing import Dot
from .._silicon.results import results
from .model import BATCHES, Case

PART = "H100"
TERA = 1e12


def values() -> dict[str, Value]:
    """The rate of each format for prose to quote; nothing where nothing was measured."""
    found = results("precision").get(PART)
    points = found.of("rate", "FLOP/s").points if found else ()
    return {
        f"measured_{str(one.at['format']).replace(' ', '_')}": Value(one.median / TERA, "TFLOP/s") for one in points
    }


def rate(case: Case) -> float | str:
    """What a ring says, for the table [TFLOP/s]."""
    return next((dot.y for dot in dots(case)), "–")


def dots(case: Case) -> tuple[Dot, ...]:
    """The rate of large products in the format of a pair whose two widths are one [rows, TFLOP/s]; at the right edge,
    where the roof is as flat as at the 8,192 rows that were measured.
    """
    found = results("precision").get(case.gpu.name)
    if found is None or case.pair.weights != case.pair.activations:
        return ()
    wanted = case.pair.weights.lower()
    points = [one for one in found.of("rate", "FLOP/s").points if one.at["format"] == wanted]
    return tuple(
        Dot(BATCHES[-1], one.median / TERA, one.min / TERA, one.max / TERA,
            f"{case.pair.weights} measured on an {case.gpu.name}, 8,192 rows: {one.median / TERA:,.0f} TFLOP/s")
        for one in points
    )  # fmt: skip
