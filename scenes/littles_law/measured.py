"""What memories gave for so many bytes in flight: ours of an H100, by many mixes, and another's of a B200."""

from __future__ import annotations

from functools import cache

from loom.draw import count
from loom.scene import Value

from .._silicon.drawing import Dot
from .._silicon.results import Point, Series, results
from .model import LANES, MEASURED, Traffic

PART = "H100"
KIB = 1024
SHOWN = (128, KIB, 4 * KIB, 8 * KIB, 16 * KIB, 32 * KIB, 128 * KIB)  # [B]: enough of them to see the bend
GIGA = 1e9


@cache
def series() -> Series | None:
    """The rates of the H100, if somebody has measured."""
    found = results("littles_law").get(PART)
    return found.of("read", "B/s") if found else None


def extremes(in_flight: int) -> tuple[Point, ...]:
    """The worst and the best mix of warps, loads and widths for so many bytes; one where there is no other."""
    found = series()
    mixes = sorted(found.where(in_flight=in_flight), key=lambda one: one.median) if found else []
    return (*mixes[:1], *mixes[1:][-1:])


def rate(traffic: Traffic) -> Point | None:
    """Of one mix, where it was measured."""
    found = series() if traffic.gpu.name == PART else None
    wanted = {"warps": traffic.warps, "loads": traffic.loads, "width": traffic.width}
    return next(iter(found.where(**wanted)), None) if found else None


def dots(gpu: str) -> tuple[Dot, ...]:
    """For the curve [GB/s]."""
    if gpu != PART:
        return tuple(
            Dot(in_flight, reached, reached, reached, f"measured: {in_flight:,} B in flight, {reached:,.0f} GB/s")
            for in_flight, reached in MEASURED.get(gpu, ())
        )
    return tuple(_dot(one) for in_flight in SHOWN for one in extremes(in_flight)) if series() else ()


def _dot(one: Point) -> Dot:
    in_flight, width = int(one.at["in_flight"]), int(one.at["width"])
    mix = f"{count(int(one.at['warps']), 'warp')} × {count(int(one.at['loads']), 'load')} × {LANES * width} B"
    told = f"measured, {mix} = {in_flight:,} B: {one.median / GIGA:,.0f} GB/s"
    return Dot(in_flight, one.median / GIGA, one.min / GIGA, one.max / GIGA, told)


def values() -> dict[str, Value]:
    """What prose quotes: the least and the most that mixes of so many KiB brought; nothing where nobody measured."""
    named = {}
    for kib in (4, 8, 16, 32, 128) if series() else ():
        worst, best = (one.median for one in extremes(kib * KIB))
        named[f"measured_{kib}k_least"] = Value(worst, "B/s", digits=4)
        named[f"measured_{kib}k_most"] = Value(best, "B/s", digits=4)
    return named
