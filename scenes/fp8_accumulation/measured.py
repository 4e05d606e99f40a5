"""What an H100's tensor cores lost of long sums, and how fast its library is with promotion and without."""

from __future__ import annotations

from functools import cache

from loom.draw import count
from loom.scene import Value

from .._silicon.drawing import Dot
from .._silicon.results import Point, Result, results
from .lengths import NEVER, STALL
from .story import Story
from .words import error

PART = "H100"
TERA = 1e12


@cache
def result() -> Result | None:
    return results("fp8_accumulation").get(PART)


def points(series: str, promote: int) -> dict[int, Point]:
    """By the number of terms; nothing where nothing was measured."""
    found = result()
    return {int(one.at["length"]): one for one in found.of(series, "1").where(promote=promote)} if found else {}


def dots(promote: int) -> tuple[Dot, ...]:
    """Shares lost of uniform products [%]."""
    return tuple(
        Dot(length, 100 * one.median, 100 * one.min, 100 * one.max,
            f"measured on an {PART}, {count(length, 'term')}: {error(100 * one.median)} lost")
        for length, one in points("uniform", promote).items()
    )  # fmt: skip


def dots_of_ones() -> tuple[Dot, ...]:
    """Shares lost of sums of ones that are never promoted, where any was [%]."""
    found = {length: 100 * (1 - one.median / length) for length, one in points("ones", NEVER).items()}
    return tuple(
        Dot(length, share, share, share, f"measured on an {PART}, {length:,} ones: the sum is {STALL:,}")
        for length, share in found.items() if share
    )  # fmt: skip


def sums(story: Story) -> dict[str, float]:
    """Sums of so many ones, by the accumulator."""
    one = points("ones", NEVER if story.promote == "never" else int(story.promote)).get(story.count)
    return {"Hopper": one.median} if one else {}


def values() -> dict[str, Value]:
    """What prose quotes; nothing where nothing was measured."""
    found = result()
    if found is None:
        return {}
    never, often = points("uniform", NEVER), points("uniform", 128)
    rates = {str(one.at["accumulation"]): one.median for one in found.of("rate", "FLOP/s").points}
    probes = found.of("probes", "probes")
    return {
        "measured_probes": Value(sum(probes.one(format=name).median for name in ("e4m3", "e5m2"))),
        "measured_stall": Value(max(one.median for one in points("ones", NEVER).values())),
        "measured_lost_1024": Value(100 * never[1024].median, "%"),
        "measured_lost_4096": Value(100 * never[4096].median, "%"),
        "measured_lost_65536": Value(100 * never[65536].median, "%"),
        "measured_promoted_4096": Value(100 * often[4096].median, "%", digits=2),
        "measured_promoted_65536": Value(100 * often[65536].median, "%", digits=2),
        "measured_rate": Value(rates["fast"] / TERA, "TFLOP/s"),
        "measured_rate_promoted": Value(rates["promoted"] / TERA, "TFLOP/s"),
        "measured_price": Value(100 * (1 - rates["promoted"] / rates["fast"]), "%", digits=2),
    }
