"""A result: one effect on one GPU, as a file that anyone can read, check and make again."""

from __future__ import annotations

import hashlib
import json
import math
import statistics
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from measurements.harness.build import HERE
from measurements.harness.effect import Effect, MeasurementError, Sample, Series
from measurements.harness.gpu import Gpu

SCHEMA = 1
LARGEST = 100_000  # [B] of a result's file
SHARED = ("harness/include/measure.cuh", "harness/pytorch.py", "harness/timing.py")  # what decides all numbers


def digest(path: Path) -> str:
    """The SHA-256 of a file."""
    return hashlib.sha256(path.read_bytes()).hexdigest()


def sources(name: str) -> dict[str, str]:
    """What an effect's numbers depend on, and its digests: its folder's programs, and how time is taken."""
    own = [
        path for path in (HERE / name).iterdir() if path.suffix in (".py", ".cu", ".cuh") and path.stem != "__init__"
    ]
    paths = [*sorted(own), *(HERE / shared for shared in SHARED)]
    return {path.relative_to(HERE).as_posix(): digest(path) for path in paths}


def rounded(value: float) -> float:
    """Six digits, more than any clock here is worth."""
    return float(f"{value:.6g}")


def point(effect: Effect, series: Series, gpu: Gpu, sample: Sample) -> dict[str, Any]:
    """What was predicted for one place and what was measured there."""
    where = f"{series.id} at {dict(sample.at)}"
    unfit = series.unfit(sample.at)
    if unfit:
        raise MeasurementError(f"{where}: {unfit}")
    values = sample.samples
    if not values or not all(isinstance(value, int | float) and math.isfinite(value) for value in values):
        raise MeasurementError(f"{where}: no finite numbers, {values!r}")
    if not isinstance(sample.checked, bool):
        raise MeasurementError(f"{where}: checked is {sample.checked!r}")
    predicted = effect.predict(gpu, series.id, sample.at)
    return {
        "at": dict(sample.at),
        "predicted": None if predicted is None else rounded(predicted),
        "min": rounded(min(values)),
        "median": rounded(statistics.median(values)),
        "max": rounded(max(values)),
        "repetitions": len(values),
        "checked": sample.checked,
    }


def collect(effect: Effect, gpu: Gpu, samples: Iterable[Sample]) -> list[dict[str, Any]]:
    """All series with their points, in the order in which they were measured."""
    points: dict[str, list[dict[str, Any]]] = {series.id: [] for series in effect.series}
    for sample in samples:
        found = point(effect, effect.find(sample.series), gpu, sample)
        if any(one["at"] == found["at"] for one in points[sample.series]):
            raise MeasurementError(f"{sample.series} at {dict(sample.at)} was measured twice")
        points[sample.series].append(found)
    empty = [series.id for series in effect.series if not points[series.id] and not series.counted]
    if empty:
        raise MeasurementError(f"nothing was measured for {', '.join(empty)}")
    return [
        {
            "id": series.id,
            "label": series.label,
            "unit": series.unit,
            "axes": [{"name": a, "unit": u} for a, u in zip(series.axes, series.axis_units, strict=True)],
            "points": points[series.id],
        }
        for series in effect.series
        if points[series.id]
    ]


def text(value: Any, indent: str = "") -> str:
    """JSON with sorted keys and two spaces, but one line for each point and for whatever is short."""
    line = json.dumps(value, sort_keys=True, ensure_ascii=False)
    if not isinstance(value, dict | list) or "at" in value or (indent and len(line) <= 100):
        return line
    deeper = f"{indent}  "
    if isinstance(value, dict):
        rows = [f"{json.dumps(key)}: {text(one, deeper)}" for key, one in sorted(value.items())]
        return "{\n" + ",\n".join(deeper + row for row in rows) + f"\n{indent}}}"
    return "[\n" + ",\n".join(deeper + text(one, deeper) for one in value) + f"\n{indent}]"


def write(record: Mapping[str, Any], path: Path) -> None:
    """A result's file."""
    written = text(record) + "\n"
    if len(written.encode()) > LARGEST:
        raise MeasurementError(f"{path.name} would have {len(written):,} characters; measure fewer points")
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(written, encoding="utf-8")
