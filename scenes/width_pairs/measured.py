"""What an H100 did with large products in each format."""

from __future__ import annotations

from loom.scene import Value

from .._silicon.drawing import Dot
from .._silicon.results import Point, results
from .model import Case

PART = "H100"
ROWS = 8192
TERA = 1e12


def values() -> dict[str, Value]:
    """The rate of each format for prose to quote; nothing where nothing was measured."""
    found = results("precision").get(PART)
    points = found.of("rate", "FLOP/s").points if found else ()
    return {
        f"measured_{str(one.at['format']).replace(' ', '_')}": Value(one.median / TERA, "TFLOP/s") for one in points
    }


def rate(case: Case) -> float | str:
    """The rate of large products in the format of a pair whose two widths are one, for the table [TFLOP/s]."""
    point = _point(case.gpu.name, case.pair.weights) if case.pair.weights == case.pair.activations else None
    return point.median / TERA if point else "–"


def dots(case: Case) -> tuple[Dot, ...]:
    """How many times as fast a narrow format was as BF16, in products of as many rows as were measured."""
    if case.pair.weights != case.pair.activations or case.pair.weights == "BF16":
        return ()
    point, usual = (_point(case.gpu.name, width) for width in (case.pair.weights, "BF16"))
    if not point or not usual:
        return ()
    ratio = point.median / usual.median
    told = f"{case.pair.weights} measured on an {case.gpu.name}, {ROWS:,} rows: {ratio:.1f}× the rate of BF16"
    return (Dot(ROWS, ratio, point.min / usual.max, point.max / usual.min, told),)


def _point(gpu: str, width: str) -> Point | None:
    found = results("precision").get(gpu)
    points = found.of("rate", "FLOP/s").points if found else ()
    return next((one for one in points if one.at["format"] == width.lower()), None)
