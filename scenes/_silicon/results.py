"""Results of measurements as plain data, read strictly: a number that is not what it says it is must not be drawn."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from hashlib import sha256
from pathlib import Path
from types import MappingProxyType
from typing import Literal

from loom.scene import DataError, read_data

FOLDER = Path(__file__).parents[2] / "measurements/results"
AGAIN = "measure again: python measurements/run.py"


@dataclass(frozen=True)
class Axis:
    """What a series was measured over."""

    name: str
    unit: str


@dataclass(frozen=True)
class Point:
    """The numbers of all repetitions at one place, and what was expected there before."""

    at: dict[str, float | str]
    predicted: float | None
    min: float
    median: float
    max: float
    repetitions: int
    checked: bool


@dataclass(frozen=True)
class Series:
    """One quantity at many places."""

    id: str
    label: str
    unit: str
    axes: tuple[Axis, ...]
    points: tuple[Point, ...]

    def where(self, **at: float | str) -> tuple[Point, ...]:
        """The points at some places of some axes, in the order in which they were measured."""
        return tuple(point for point in self.points if all(point.at[axis] == value for axis, value in at.items()))

    def one(self, **at: float | str) -> Point:
        """The only point there."""
        (found,) = self.where(**at)
        return found


@dataclass(frozen=True)
class Gpu:
    """The part that was asked, as its driver tells it: bytes, hertz and watts."""

    name: str
    slug: str
    sms: int
    memory: float
    l2: float
    power_limit: float
    clock_sm_max: float
    clock_memory_max: float
    driver: str

    @property
    def part(self) -> str:
        """How scenes call it: H100."""
        return self.slug.upper()


@dataclass(frozen=True)
class Vectors:
    """A file of arrays that goes with a result."""

    file: str
    sha256: str


@dataclass(frozen=True)
class Result:
    """All that one effect gave on one GPU."""

    schema: Literal[1]
    name: str
    title: str
    question: str
    gpu: Gpu
    software: dict[str, str | None]
    date: str
    command: str
    quick: Literal[False]  # a trial run is nothing to show
    clocks: dict[str, float]
    power: dict[str, float]
    source: dict[str, str]
    predicted_from: str
    series: tuple[Series, ...]
    vectors: Vectors | None = None

    def of(self, series: str, unit: str) -> Series:
        """A series in the unit that the scene draws."""
        found = next((one for one in self.series if one.id == series), None)
        if found is None or found.unit != unit:
            told = f"has no series '{series}'" if found is None else f"has '{series}' in {found.unit}"
            raise DataError(shown(self.gpu.slug, self.name), f"{told}, where a scene wants it in {unit}", AGAIN)
        return found


@cache  # a scene asks for every picture, and is imported anew when a file has changed
def results(name: str, folder: Path = FOLDER) -> Mapping[str, Result]:
    """What every GPU that was asked gave for an effect, by its part's name; nothing where nobody has measured."""
    slugs = sorted(place.name for place in folder.iterdir() if place.is_dir()) if folder.is_dir() else []
    found = [read(folder / slug / f"{name}.json") for slug in slugs if (folder / slug / f"{name}.json").is_file()]
    return MappingProxyType({one.gpu.part: one for one in found})


def read(path: Path) -> Result:
    """One result.

    Raises
    ------
    DataError
        If the file is not what `measurements/run.py` writes, is called otherwise than it calls itself, or was made by
        other programs than those that lie there now.
    """
    slug, name = path.parent.name, path.stem
    found = read_data(path, Result, shown(slug, name), AGAIN)
    if (found.gpu.slug, found.name) != (slug, name):
        raise DataError(shown(slug, name), f"is the result of {found.name} on {found.gpu.slug}", AGAIN)
    for source, digest in found.source.items():
        program = path.parents[2] / source
        if not program.is_file() or sha256(program.read_bytes()).hexdigest() != digest:
            raise DataError(shown(slug, name), f"$.source: {source} is not the file that it was measured with", AGAIN)
    return found


def shown(slug: str, name: str) -> str:
    """What a result's file is called in a mistake."""
    return f"measurements/results/{slug}/{name}.json"
