"""Measured over predicted, for every effect on one GPU."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache

from .._silicon.results import Point, Result, results
from .effects import EFFECTS, Effect

CLOSE = 10  # [%] what still counts as agreement
WITHIN = (1, 2, 5, CLOSE, 20, 30, 50, 100)  # [%] what may count as agreement


@dataclass(frozen=True, eq=False)  # `pairs` gives the same ones each time
class Pair:
    """What was expected of one effect, and what came; the least and the most of all repetitions with it."""

    effect: Effect
    predicted: float
    measured: float
    least: float
    most: float
    within: int = CLOSE  # [%]

    @property
    def unit(self) -> str:
        return "×" if self.effect.over else "" if self.effect.unit == "1" else self.effect.unit

    @property
    def ratio(self) -> float:
        """Measured over predicted."""
        return self.measured / self.predicted

    @property
    def close(self) -> bool:
        """Whether machine and model agree."""
        return 1 / (1 + self.within / 100) <= self.ratio <= 1 + self.within / 100


@dataclass(frozen=True)
class Comparison:
    """All effects on one GPU, and the one that is looked at."""

    part: str
    pairs: tuple[Pair, ...]
    chosen: Pair
    within: int  # [%]

    @property
    def close(self) -> int:
        """In how many effects machine and model agree."""
        return sum(pair.close for pair in self.pairs)

    @property
    def far(self) -> str:
        """How far apart still agrees, in words."""
        return f"within {self.within}%" if self.within < 100 else "within a factor of 2"


def stretched(ratio: float) -> float:
    """The root of how many halves or doubles it is: a percent can be seen beside a factor of two."""
    octaves = math.log2(ratio)
    return math.copysign(math.sqrt(abs(octaves)), octaves)


@cache
def known() -> dict[str, Mapping[str, Result]]:
    """The results by their names, and by the GPU that gave them."""
    return {name: results(name) for name in sorted({effect.result for effect in EFFECTS})}


def parts() -> list[str]:
    """The GPUs that were asked everything."""
    asked = [set(found) for found in known().values()]
    return sorted(set.intersection(*asked))


def pair(effect: Effect, part: str, within: int = CLOSE) -> Pair:
    """One effect on one GPU."""
    series = known()[effect.result][part].of(effect.series, effect.unit)
    found = series.one(**effect.at)
    below = series.one(**effect.over) if effect.over else None
    return Pair(effect, *(_over(found, below, name) for name in ("predicted", "median", "min", "max")), within)


def _over(found: Point, below: Point | None, name: str) -> float:
    """A number of a point; or, over another point, against that one's expected or middle number."""
    value = getattr(found, name)
    if below is None:
        return float(value)
    return float(value) / float(below.predicted or 0 if name == "predicted" else below.median)


@cache
def pairs(gpu: str, within: int) -> tuple[Pair, ...]:
    """Every effect on a GPU."""
    return tuple(pair(one, gpu, within) for one in EFFECTS)


@cache
def solve(gpu: str, effect: str, within: int = CLOSE) -> Comparison:
    """Every effect on a GPU, and one of them by its name; `within` says how far apart still agrees [%]."""
    found = pairs(gpu, within)
    return Comparison(gpu, found, next(one for one in found if one.effect.id == effect), within)
