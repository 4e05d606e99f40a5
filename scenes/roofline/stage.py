"""Where things stand: a log-log plot with the sums beside it, or under it on a phone."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache, cached_property

from loom.draw import Axis, Box, Pen, dodge

from .._gpus.rates import GPUS, TERA
from .model import Case, ridge_point

# The same axes for every choice, so that places can be compared: FLOP/B, and TFLOP/s.
INTENSITIES, RATES = (0.06, 12_000.0), (0.03, 30_000.0)
X = Axis("intensity", "FLOP/B", INTENSITIES, log=True, clip=True)  # 0 stands on its edge
Y = Axis("rate", "TFLOP/s", RATES, log=True, clip=True)

DECADES = (0.1, 1.0, 10.0, 100.0, 1_000.0, 10_000.0)  # of both axes
Point = tuple[float, float]


@dataclass(frozen=True)
class Stage(Pen):
    """A pen that knows the places."""

    plot: Box
    answer: Point  # the baseline of what limits
    bars: Box  # the two times

    @cached_property
    def decades(self) -> list[tuple[float, float, float]]:
        """The ticks of both axes: a number, where it stands along, and how high."""
        return [(tick, self.x(tick), self.y(tick * TERA)) for tick in DECADES]

    def x(self, intensity: float) -> float:
        """Left of the axis, where 0 lies, everything stands on its edge."""
        return self.plot.x + X.normalize(intensity) * self.plot.width

    def y(self, rate: float) -> float:
        """The height of a rate in FLOP/s."""
        return self.plot.bottom - Y.normalize(rate / TERA) * self.plot.height

    def dot(self, case: Case) -> Point:
        """Where a kernel touches the roof; without arithmetic it stands in the corner of scales that have no 0."""
        return (self.x(case.intensity), self.y(case.attainable))

    def gpu_names(self, precision: str) -> dict[str, float]:
        """The name of each GPU, and how high it stands at the end of its roof."""
        heights = [self.y(gpu.peak(precision)) for gpu in GPUS.values()]
        return dict(zip(GPUS, dodge(heights, 1.2 * self.size, self.plot.y, self.plot.bottom), strict=True))

    def slope(self, bandwidth: float, until: float) -> list[Point]:
        """The part of a roof that rises, up to an intensity or the edge of the picture."""
        start, end = INTENSITIES[0], min(until, INTENSITIES[1], RATES[1] * TERA / bandwidth)
        return [(self.x(at), self.y(at * bandwidth)) for at in (start, end)]


NARROW = Stage(328, Box(44, 34, 240, 128), (0, 232), Box(176, 214, 152, 0))
WIDE = Stage(840, Box(58, 40, 470, 212), (610, 66), Box(610, 142, 230, 0))


@cache  # the same for every GPU and kernel that the reader may choose
def roofs_of(stage: Stage, precision: str) -> dict[str, list[Point]]:
    """The whole roof of each GPU: where it begins, its ridge, and where it ends."""
    peaks = {name: gpu.peak(precision) for name, gpu in GPUS.items()}
    slopes = {name: stage.slope(gpu.bandwidth, ridge_point(peaks[name], gpu.bandwidth)) for name, gpu in GPUS.items()}
    return {name: [*slope, (stage.plot.right, stage.y(peaks[name]))] for name, slope in slopes.items()}
