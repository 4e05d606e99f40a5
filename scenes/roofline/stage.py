"""Where things stand: a log-log plot with the sums beside it, or under it on a phone."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache, cached_property

from loom.draw import Axis, Box, Pen, spread

from .machines import GPUS, TERA
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
    panel: Box  # the sums
    right: float  # how far labels of the plot may reach

    @property
    def margin(self) -> float:
        """Where the names of the GPUs begin, right of the plot."""
        return self.plot.right + 6

    @cached_property
    def decades(self) -> list[tuple[float, float, float]]:
        """The ticks of both axes: a number, where it stands along, and how high."""
        return [(tick, self.x(tick), self.y(tick * TERA)) for tick in DECADES]

    def x(self, intensity: float) -> float:
        """Left of the axis, where 0 lies, everything stands on its edge."""
        return self.plot.x + X.share(intensity) * self.plot.width

    def y(self, rate: float) -> float:
        """The height of a rate in FLOP/s."""
        return self.plot.bottom - Y.share(rate / TERA) * self.plot.height

    def dot(self, case: Case) -> Point:
        """Where a kernel touches the roof."""
        return self.x(case.intensity), self.y(case.attainable)

    def gpu_names(self, precision: str) -> dict[str, float]:
        """The name of each GPU, and how high it stands at the end of its roof."""
        heights = [self.y(gpu.peak(precision)) for gpu in GPUS.values()]
        return dict(zip(GPUS, spread(heights, 1.2 * self.size, self.plot.y, self.plot.bottom), strict=True))

    def slope(self, bandwidth: float, until: float) -> list[Point]:
        """The part of a roof that rises, up to an intensity or the edge of the picture."""
        start, end = INTENSITIES[0], min(until, INTENSITIES[1], RATES[1] * TERA / bandwidth)
        return [(self.x(at), self.y(at * bandwidth)) for at in (start, end)]


NARROW = Stage(328, Box(44, 36, 232, 204), Box(0, 290, 328, 150), 328)
WIDE = Stage(840, Box(58, 46, 446, 320), Box(570, 0, 270, 410), 560)


@cache  # the same for every GPU and kernel that the reader may choose
def roofs_of(stage: Stage, precision: str) -> dict[str, list[Point]]:
    """The whole roof of each GPU: where it begins, its ridge, and where it ends."""
    peaks = {name: gpu.peak(precision) for name, gpu in GPUS.items()}
    slopes = {name: stage.slope(gpu.bandwidth, ridge_point(peaks[name], gpu.bandwidth)) for name, gpu in GPUS.items()}
    return {name: [*slope, (stage.plot.right, stage.y(peaks[name]))] for name, slope in slopes.items()}
