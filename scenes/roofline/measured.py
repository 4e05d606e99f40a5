"""How an H100's L2 makes a kernel that is limited by memory seem quicker than its memory."""

from __future__ import annotations

from loom.draw import quantity
from loom.scene import Value

from .._silicon.results import Result, results

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
    again, flushed, large = (quantity(rate, "B/s") for rate in rates(found).values())
    return (
        f" On an {PART}, a kernel that read and wrote 14 MiB seemed to move {again} when it was launched again and "
        f"again, beyond the slanted roof, for all of it stayed in L2; cold, it came to {flushed}, and to {large} with "
        "data that no cache holds."
    )
