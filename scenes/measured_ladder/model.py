"""Thirteen kernels of one product: their speeds as expected and as measured, read from the results."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache

from .._silicon.results import Point, Result, Series, results
from .rungs import RUNGS, Rung

SIDE = 4096  # rows and columns of all three matrices
TERA = 1e12
REACHED = 0.9  # of what was expected: below it, something else than its limit held a kernel up


@dataclass(frozen=True)
class Speed:
    """A rung with its speeds [TFLOP/s]."""

    rung: Rung
    predicted: float
    measured: float
    least: float
    most: float

    @property
    def ratio(self) -> float:
        """Measured over predicted."""
        return self.measured / self.predicted

    @property
    def short(self) -> bool:
        """Whether it stayed below its limit."""
        return self.ratio < REACHED

    @property
    def held_by(self) -> str:
        """What held it up."""
        return self.rung.cause if self.short else self.rung.limit

    @property
    def takes(self) -> float:
        """How long one product took [s]: 2 `SIDE`^3 operations at the measured speed."""
        return 2 * SIDE**3 / (self.measured * TERA)


@dataclass(frozen=True)
class Ladder:
    """All rungs on one GPU, and the one that is looked at."""

    part: str
    speeds: tuple[Speed, ...]
    chosen: Speed

    @property
    def times(self) -> float:
        """The last rung over the first."""
        return self.speeds[-1].measured / self.speeds[0].measured

    def series(self, name: str, unit: str) -> Series:
        """What else was measured of products on this GPU."""
        return known()[self.part].of(name, unit)


@cache
def known() -> Mapping[str, Result]:
    """The results by their GPUs."""
    return results("matmul")


def solve(gpu: str, rung: str) -> Ladder:
    """The ladder on a GPU, with one rung to look at.

    Parameters
    ----------
    gpu : str
        A part that was measured, as "H100".
    rung : str
        The id of a rung.

    Returns
    -------
    Ladder
        Speeds of a product of `SIDE` rows and columns, expected and measured [TFLOP/s].
    """
    series = known()[gpu].of("speed", "FLOP/s")
    speeds = tuple(speed(one, series.one(rung=one.result)) for one in RUNGS)
    return Ladder(gpu, speeds, next(one for one in speeds if one.rung.id == rung))


def speed(rung: Rung, point: Point) -> Speed:
    """A rung with the numbers of its point."""
    return Speed(rung, (point.predicted or 0) / TERA, point.median / TERA, point.min / TERA, point.max / TERA)
