"""What an H100 did with 64 experts: speeds of grouped and of padded products, and times of a few rows."""

from __future__ import annotations

from loom.scene import Value

from .._silicon.results import results

PART = "H100"
TERA = 1e12


def values() -> dict[str, Value]:
    """What prose quotes: wanted multiplications a second for 8,192 rows, and the time of 512; nothing if unmeasured."""
    found = results("experts").get(PART)
    if found is None:
        return {}
    named = {}
    for point in found.of("speed", "FLOP/s").points:
        named[f"measured_{point.at['method']}_{point.at['routing']}"] = Value(point.median / TERA, "TFLOP/s")
    for point in found.of("rows_run", "1").points:
        named[f"measured_rows_{point.at['method']}_{point.at['routing']}"] = Value(point.median, "×")
    for point in found.of("few_rows", "s").points:
        named[f"measured_few_{point.at['experts']:.0f}_{point.at['routing']}"] = Value(point.median, "s")
    return named
