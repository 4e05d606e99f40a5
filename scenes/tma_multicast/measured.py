"""What clusters of an H100 read from L2 and got, with multicast and each block for itself."""

from __future__ import annotations

from loom.scene import Value

from .._silicon.results import results

PART = "H100"
TOLD = (2, 4, 8)  # blocks that all want the same
MERGED = 4  # the most of them for which L2 was read once without multicast
HOW = {"alone": "each for itself", "multicast": "multicast"}


def values() -> dict[str, Value]:
    """What prose quotes: sectors read from L2 for each that is wanted, and bytes that arrive in a second."""
    found = results("tma").get(PART)
    if found is None:
        return {}
    delivered, sectors = found.of("delivered", "B/s"), found.of("sectors", "sectors")
    named = {}
    for blocks in TOLD:
        for name, how in HOW.items():
            read = sectors.one(asking="SMs", how=how, blocks=blocks).median
            named[f"measured_{name}_{blocks}"] = Value(read, "×")
            named[f"measured_{name}_{blocks}_rate"] = Value(delivered.one(how=how, blocks=blocks).median, "B/s")
    return named


def alone() -> dict[int, float]:
    """Reads of L2 for each that is wanted, without multicast, by how many blocks want it; nothing if not measured."""
    found = results("tma").get(PART)
    counted = found.of("sectors", "sectors") if found else None
    return {blocks: counted.one(asking="SMs", how=HOW["alone"], blocks=blocks).median for blocks in TOLD if counted}
