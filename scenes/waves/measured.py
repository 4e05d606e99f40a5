"""What an H100 took for blocks that do nothing but arithmetic, one on each SM at a time."""

from __future__ import annotations

from functools import cache

from loom.draw import count, quantity
from loom.scene import Value

from .._silicon.drawing import Dot
from .._silicon.results import Point, results
from .model import SMS

PART = "H100"
SHOWN = tuple(SMS * wave // 2 for wave in range(1, 7)) + tuple(SMS * wave + 1 for wave in range(1, 4))  # blocks


@cache
def times() -> dict[int, Point]:
    """The time of a launch [s] by its blocks; nothing where nobody measured."""
    found = results("waves").get(PART)
    return {int(one.at["blocks"]): one for one in found.of("time", "s").where(on_sm=1)} if found else {}


def busy(blocks: int, time: float) -> float:
    """The share of a time for which all SMs compute [%], if every block computes as long as was expected of it."""
    expected = times()[1].predicted or 0.0
    return 100 * blocks * expected / (SMS * time)


def dots() -> tuple[Dot, ...]:
    """For the saw [%]; the longest time is the least share."""
    return tuple(
        Dot(blocks, *(busy(blocks, time) for time in (one.median, one.max, one.min)),
            f"measured on an {PART}: {count(blocks, 'block')} took {quantity(one.median, 's')}")
        for blocks, one in times().items() if blocks in SHOWN
    )  # fmt: skip


def values() -> dict[str, Value]:
    """What prose quotes."""
    if not times():
        return {}
    full, over, twice = (times()[blocks].median for blocks in (SMS, SMS + 1, 2 * SMS))
    return {
        "measured_132": Value(full, "s"),
        "measured_133": Value(over, "s"),
        "measured_ratio": Value(over / full, "×"),
        "measured_wave": Value(twice - full, "s"),
        "measured_launch": Value(2 * full - twice, "s", digits=2),
    }
