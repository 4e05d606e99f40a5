"""What an H100 did with tiles: bytes that ours loaded, as its counters say, and how fast products in Triton were."""

from __future__ import annotations

from functools import cache

from loom.scene import Value

from .._silicon.drawing import Dot
from .._silicon.results import Point, results
from .model import BF16, mainloop_intensity, naive_loads

PART = "H100"  # the scene's GPU
TERA = 1e12
SIDE, FLOAT = 4096, 4  # of the products that were measured; bytes of a number where loads were counted
COUNTED = {16: "shared 16", 32: "shared 32", 64: "registers 4x4", 128: "registers 8x8"}  # by the side of a tile
TIMED = ("64x64", "128x128", "128x256")


@cache
def loaded() -> dict[int, float]:
    """Bytes into L1 for each tile; nothing where nothing was measured."""
    found = results("matmul").get(PART)
    if found is None:
        return {}
    series = found.of("l1_bytes", "B")
    return {tile: point.median for tile, rung in COUNTED.items() for point in series.where(rung=rung)}


@cache
def fastest() -> dict[str, Point]:
    """The best number of stages for each tile [FLOP/s]."""
    found = results("matmul").get(PART)
    if found is None:
        return {}
    series = found.of("stages", "FLOP/s")
    best = {tile: max(series.where(tile=tile), key=lambda point: point.median, default=None) for tile in TIMED}
    return {tile: point for tile, point in best.items() if point}


def relative(tile: int) -> float | str:
    """Bytes that were counted, in percent of those that a naive kernel asks for."""
    asked = naive_loads(SIDE, SIDE, SIDE) * FLOAT
    return 100 * loaded()[tile] / asked if tile in loaded() else "–"


def dots() -> tuple[Dot, ...]:
    """The same over the bytes that a tile asks for [FLOP/B, TFLOP/s], L2 or HBM whichever brings them."""
    found = []
    for tile, point in fastest().items():
        rows, columns = map(int, tile.split("x"))
        told = f"{rows} × {columns} in Triton, measured on an {PART}: {point.median / TERA:.0f} TFLOP/s"
        intensity = float(mainloop_intensity(rows, columns, BF16))
        found.append(Dot(intensity, point.median / TERA, point.min / TERA, point.max / TERA, told))
    return tuple(found)


def values() -> dict[str, Value]:
    """What prose quotes."""
    speeds = {f"measured_{tile}": Value(point.median / TERA, "TFLOP/s") for tile, point in fastest().items()}
    return speeds | {f"measured_loads_{tile}": Value(size, "B") for tile, size in loaded().items()}
