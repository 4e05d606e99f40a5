"""How an H100's L2 makes a kernel that is limited by memory seem quicker than its memory."""

from __future__ import annotations

from functools import cache

from loom.draw import quantity
from loom.scene import Value

from .._gpus.rates import ELEMENT_BYTES, TERA
from .._silicon.drawing import Dot
from .._silicon.results import Point, Result, results
from .kernels import gemm

PART = "H100"
SIZE = 14 * 1024**2  # [B] that are read, and as many written: together they stay in L2
LARGE = 1024**3  # [B]: far more than L2 holds


def elementwise() -> Result | None:
    """What became of a kernel that reads and writes each number once; nothing where nobody measured."""
    return results("elementwise").get(PART)


def rates(found: Result) -> dict[str, float]:
    """Bytes read and written in a second [B/s]: launched again and again, from memory each time, and of large data."""
    moved = found.of("moved", "B/s")
    return {
        "again": moved.one(mode="20 launches", size=SIZE).median,
        "flushed": moved.one(mode="flushed", size=SIZE).median,
        "large": moved.one(mode="flushed", size=LARGE).median,
    }


def values() -> dict[str, Value]:
    """What prose quotes."""
    found = elementwise()
    return {f"measured_{name}": Value(rate, "B/s") for name, rate in rates(found).items()} if found else {}


def remark() -> str:
    """What to know of caches where bandwidth is measured."""
    found = elementwise()
    if not found:
        return ""
    again = quantity(rates(found)["again"], "B/s")
    what = "14\u00a0MiB that were read and written over and over"
    return f" On an {PART}, {what} seemed to move {again}: they never left L2."


SMALL = 1024**2  # [B]: so little that most of its time is that of a launch
LINE = 2 / 8  # [FLOP/B] of 2 x + 1 in float32, which is what was timed
SIDE, RAGGED = 8192, 4097  # of square products: large ones, and ones whose rows begin anywhere


@cache
def dots(part: str, precision: str) -> tuple[Dot, ...]:
    """A kernel without reuse at three sizes, and products in this precision [FLOP/B, TFLOP/s]."""
    return (*_streamed(part), *_multiplied(part, precision))


def _streamed(part: str) -> tuple[Dot, ...]:
    found = results("elementwise").get(part)
    if found is None:
        return ()
    moved = found.of("moved", "B/s")
    asked = (("1 MiB", "", "flushed", SMALL), ("1 GiB", "", "flushed", LARGE),
             ("14 MiB", ", over and over", "20 launches", SIZE))  # fmt: skip
    return tuple(_dot(f"2 x + 1 of {name}{how}", name, part, LINE, moved.one(mode=mode, size=size), LINE)
                 for name, how, mode, size in asked)  # fmt: skip


def _multiplied(part: str, precision: str) -> tuple[Dot, ...]:
    products, ragged = (results(name).get(part) for name in ("precision", "matmul"))
    points = products.of("rate", "FLOP/s").where(format=precision.lower()) if products else ()
    found = [(SIDE, point) for point in points]
    if ragged and precision == "BF16":
        found += [(RAGGED, point) for point in ragged.of("off_grid", "FLOP/s").where(side=RAGGED)]
    intensities = {side: gemm(side, side, side, ELEMENT_BYTES[precision]).intensity for side in (SIDE, RAGGED)}
    return tuple(_dot(f"{side:,} × {side:,} in {precision}", f"{side:,}²", part, intensities[side], one)
                 for side, one in found)  # fmt: skip


def multiplied(part: str, precision: str) -> float:
    """What a large product reached [FLOP/s]; nothing where nobody measured."""
    products = results("precision").get(part)
    points = products.of("rate", "FLOP/s").where(format=precision.lower()) if products else ()
    return max((one.median for one in points), default=0.0)


def _dot(what: str, name: str, part: str, intensity: float, one: Point, flops: float = 1) -> Dot:
    """`flops` are those of each byte or whatever else was counted in a second."""
    least, middle, greatest = (flops * rate / TERA for rate in (one.min, one.median, one.max))
    told = f"{what}, measured on an {part}: {quantity(middle * TERA, 'FLOP/s')}"
    return Dot(intensity, middle, least, greatest, told, name)
