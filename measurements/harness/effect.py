"""An effect: what is measured, what the textbook says of it, and the program that asks the GPU."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from measurements.harness.gpu import Gpu
    from measurements.harness.machine import Machine

Place = Mapping[str, float | str]  # where on the axes a number was measured

NAME = "name"  # the unit of an axis whose places are words
COUNTS = (
    "bits", "blocks", "elements", "experts", "heads", "instructions", "keys", "launches", "loads", "pages", "probes",
    "requests", "rows", "sectors", "splits", "stages", "threads", "tiles", "warps", "wavefronts", "words",
)  # fmt: skip
UNITS = ("1", "s", "B", "B/s", "FLOP/s", "FLOP/cycle", "cycles", "Hz", "W", "J", *COUNTS)


class MeasurementError(Exception):
    """A measurement that can't be made; its text is for whoever runs it."""


@dataclass(frozen=True)
class Series:
    """One quantity over some axes. A counted one comes from hardware counters, which not every machine lets us read."""

    id: str
    label: str
    unit: str
    axes: tuple[str, ...]
    axis_units: tuple[str, ...]
    counted: bool = False

    def __post_init__(self) -> None:
        if len(self.axes) != len(self.axis_units) or not self.axes:
            raise MeasurementError(f"series {self.id!r} has {len(self.axes)} axes and {len(self.axis_units)} units")
        for unit in (self.unit, *self.axis_units):
            if unit not in (*UNITS, NAME) or self.unit == NAME:
                raise MeasurementError(f"series {self.id!r}: {unit!r} is none of our units: {', '.join(UNITS)}")

    def unfit(self, at: Place) -> str | None:
        """What is wrong with a place on our axes."""
        if tuple(at) != self.axes:
            return f"the axes are {', '.join(self.axes)}, not {', '.join(at) or 'none'}"
        for (axis, value), unit in zip(at.items(), self.axis_units, strict=True):
            number = isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value)
            if not (isinstance(value, str) if unit == NAME else number):
                return f"{axis} is {value!r}, and its unit is {unit!r}"
        return None


@dataclass(frozen=True)
class Sample:
    """Every repetition's number at one place, in the series' unit; checked, if the program's output was compared."""

    series: str
    at: Place
    samples: list[float]
    checked: bool


@dataclass(frozen=True)
class Effect:
    """One folder of `measurements/`: its `effect.py` says `EFFECT = Effect(…)`.

    `predict` gives the textbook's number for a place of a series from the GPU's data sheet alone, or None where the
    textbook says nothing. It never sees what was measured.
    """

    title: str
    question: str
    series: tuple[Series, ...]
    predicted_from: str  # one sentence: which model, which constants
    predict: Callable[[Gpu, str, Place], float | None]
    measure: Callable[[Machine], Iterator[Sample]]
    flags: Mapping[str, tuple[str, ...]] = field(default_factory=dict)  # of nvcc, for a source: {"x.cu": ("-lcublas",)}
    modules: tuple[str, ...] = ()  # Python packages that it needs, as torch
    limit: float = 60.0  # [s], after which it is stopped
    vectors: bool = False  # whether a file of arrays goes with the result

    def __post_init__(self) -> None:
        ids = [series.id for series in self.series]
        if len(ids) != len(set(ids)) or not ids:
            raise MeasurementError(f"the series of an effect need names of their own: {', '.join(ids) or 'none'}")
        if not self.predicted_from.endswith("."):
            raise MeasurementError("`predicted_from` is a sentence: which model, with which constants")

    def find(self, series: str) -> Series:
        """The series of this id."""
        for one in self.series:
            if one.id == series:
                return one
        raise MeasurementError(f"no series {series!r}: there are {', '.join(one.id for one in self.series)}")
