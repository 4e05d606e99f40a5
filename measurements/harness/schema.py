"""What a result's file must hold: each problem is told with its place."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from measurements.harness.effect import NAME, UNITS
from measurements.harness.results import SCHEMA

Rule = Callable[[Any], bool]


def text(value: Any) -> bool:
    """A string with something in it."""
    return isinstance(value, str) and bool(value.strip())


def number(value: Any) -> bool:
    """A finite number."""
    return isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value)


def size(value: Any) -> bool:
    """A positive number."""
    return number(value) and value > 0


def whole(value: Any) -> bool:
    """A positive whole number."""
    return size(value) and isinstance(value, int)


def optional(rule: Rule) -> Rule:
    """The rule, or null."""
    return lambda value: value is None or rule(value)


def like(pattern: str) -> Rule:
    """A string of this form."""
    return lambda value: isinstance(value, str) and re.fullmatch(pattern, value) is not None


DIGEST = like("[0-9a-f]{64}")
RECORD: dict[str, Rule] = {
    "schema": lambda value: value == SCHEMA,
    "name": like("[a-z][a-z0-9_]*"),
    "title": text,
    "question": text,
    "gpu": lambda value: isinstance(value, dict),
    "software": lambda value: isinstance(value, dict),
    "date": like(r"20\d\d-\d\d-\d\d"),
    "command": text,
    "quick": lambda value: isinstance(value, bool),
    "clocks": lambda value: isinstance(value, dict),
    "power": lambda value: isinstance(value, dict),
    "source": lambda value: isinstance(value, dict) and all(map(DIGEST, value.values())),
    "predicted_from": text,
    "series": lambda value: isinstance(value, list) and bool(value),
}
GPU: dict[str, Rule] = {
    "name": text, "slug": like("[a-z0-9]+"), "sms": whole, "memory": whole, "l2": whole, "power_limit": number,
    "clock_sm_max": size, "clock_memory_max": size, "driver": text,
}  # fmt: skip
SOFTWARE: dict[str, Rule] = {
    "cuda": text, "nvcc": optional(text), "python": text, "torch": optional(text), "triton": optional(text),
}  # fmt: skip
CLOCKS: dict[str, Rule] = dict.fromkeys(("sm_before", "sm_after", "memory_before", "memory_after"), size)
POWER: dict[str, Rule] = dict.fromkeys(("before", "after"), number)
SERIES: dict[str, Rule] = {
    "id": like("[a-z][a-z0-9_]*"), "label": text, "unit": lambda value: value in UNITS,
    "axes": lambda value: isinstance(value, list) and bool(value),
    "points": lambda value: isinstance(value, list) and bool(value),
}  # fmt: skip
AXIS: dict[str, Rule] = {"name": text, "unit": lambda value: value in (*UNITS, NAME)}
POINT: dict[str, Rule] = {
    "at": lambda value: isinstance(value, dict), "predicted": optional(number), "min": number, "median": number,
    "max": number, "repetitions": whole, "checked": lambda value: isinstance(value, bool),
}  # fmt: skip
VECTORS: dict[str, Rule] = {"file": like(r"[a-z0-9_]+\.vectors\.npz"), "sha256": DIGEST}


def fields(value: Any, rules: Mapping[str, Rule], place: str) -> Iterator[str]:
    """Whether a record has these fields and no others, each as its rule wants it."""
    if not isinstance(value, dict):
        yield f"{place} is no record"
        return
    for name in sorted(rules.keys() ^ value.keys()):
        yield f"{place}.{name} is {'missing' if name in rules else 'nothing that we know'}"
    for name, rule in rules.items():
        if name in value and not rule(value[name]):
            yield f"{place}.{name} is {value[name]!r:.80}"


def problems(record: Any) -> Iterator[str]:
    """All that is wrong with a result."""
    extra = {"vectors": lambda value: isinstance(value, dict)} if "vectors" in record else {}
    yield from fields(record, {**RECORD, **extra}, "result")
    for name, rules in (("gpu", GPU), ("software", SOFTWARE), ("clocks", CLOCKS), ("power", POWER)):
        yield from fields(record.get(name), rules, name)
    if extra:
        yield from fields(record["vectors"], VECTORS, "vectors")
    for at, series in enumerate(record.get("series", ())):
        place = f"series[{at}]"
        found = list(fields(series, SERIES, place))
        yield from found
        if not found:
            yield from points(series, place)


def points(series: Mapping[str, Any], place: str) -> Iterator[str]:
    """All that is wrong with the axes and the points of a series."""
    axes = series["axes"]
    wrong = [told for at, axis in enumerate(axes) for told in fields(axis, AXIS, f"{place}.axes[{at}]")]
    yield from wrong
    if wrong:
        return
    for at, point in enumerate(series["points"]):
        here = f"{place}.points[{at}]"
        found = list(fields(point, POINT, here))
        yield from found
        if found:
            continue
        if sorted(point["at"]) != sorted(axis["name"] for axis in axes):
            yield f"{here}.at is {point['at']}, and the axes are {', '.join(axis['name'] for axis in axes)}"
        elif not all((text if axis["unit"] == NAME else number)(point["at"][axis["name"]]) for axis in axes):
            yield f"{here}.at is {point['at']}, with a place that does not have its axis's unit"
        if not point["min"] <= point["median"] <= point["max"]:
            yield f"{here}: min {point['min']}, median {point['median']}, max {point['max']} are not in order"
