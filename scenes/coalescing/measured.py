"""What an H100's memory gave at every stride, beside the share of the fetched bytes that is used."""

from __future__ import annotations

from functools import cache

from loom.draw import percent, quantity
from loom.scene import Value

from .._silicon.drawing import Dot
from .._silicon.results import Point, results
from .model import ELEMENT, Load

PART = "H100"
SHOWN = (1, 2, 3, 4, 6, 8, 12, 16, 24, 32)  # elements: enough of them to see where it bends


@cache
def useful(element: int) -> dict[int, Point]:
    """The bytes asked for that came in a second [B/s], by the stride from lane to lane."""
    found = results("coalescing").get(PART)
    if found is None:
        return {}
    return {int(point.at["stride"]): point for point in found.of("useful", "B/s").where(element=element)}


def share(load: Load) -> float | None:
    """That rate as a share of the one at stride 1 [%], for loads like those that were measured."""
    found = useful(load.element)
    if load.pattern != "strided" or load.offset or load.stride not in found:
        return None
    return 100 * found[load.stride].median / found[1].median


def dots(load: Load) -> tuple[Dot, ...]:
    """For the curve [%]; loads were measured from offset 0 on."""
    found = {} if load.offset else useful(load.element)
    if not found:
        return ()
    unit = found[1].median / 100
    return tuple(
        Dot(stride, one.median / unit, one.min / unit, one.max / unit,
            f"measured on an {PART}, stride {stride}: {quantity(one.median, 'B/s')}, {percent(one.median / unit)}")
        for stride, one in found.items() if stride in SHOWN
    )  # fmt: skip


def values() -> dict[str, Value]:
    """What prose quotes, of words of 4 bytes; nothing where nothing was measured."""
    found = results("coalescing").get(PART)
    if found is None:
        return {}
    fetched = found.of("hbm", "B")
    named = {}
    for stride in (1, 8, 16, 32):
        named[f"measured_{stride}"] = Value(useful(ELEMENT)[stride].median, "B/s")
        named[f"measured_share_{stride}"] = Value(share(Load("strided", ELEMENT, stride, 0)) or 0, "%")
        named[f"measured_word_{stride}"] = Value(fetched.one(stride=stride).median, "B")
    copied = found.of("copied", "B/s")
    for kernel in ("blocks", "persistent"):
        start, moved = (copied.one(kernel=kernel, offset=offset).median for offset in (0, 1))
        named[f"measured_offset_{kernel}"] = Value(100 * (1 - moved / start), "%")
    return named
