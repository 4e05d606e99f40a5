"""Where things stand: a log-log plot with the sums beside it, or under it on a phone."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from loom.draw import Axis, Box, Pen, Plot, spread

from .machines import GPUS, TERA
from .model import Case
from .moments import State

# The same axes for every choice, so that places can be compared: FLOP/B, and TFLOP/s.
INTENSITIES, RATES = (0.06, 12_000.0), (0.03, 30_000.0)
X_TICKS, Y_TICKS = (0.1, 1.0, 10.0, 100.0, 1_000.0, 10_000.0), (0.1, 1.0, 10.0, 100.0, 1_000.0, 10_000.0)

Point = tuple[float, float]


@dataclass(frozen=True)
class Stage:
    """The geometry of one width."""

    pen: Pen

    @cached_property
    def plot(self) -> Plot:
        box = Box(44, 36, 232, 204) if self.pen.narrow else Box(58, 46, 446, 320)
        return Plot(self.pen, box, Axis("intensity", "FLOP/B", span=INTENSITIES, log=True, ticks=X_TICKS),
                    Axis("rate", "TFLOP/s", span=RATES, log=True, ticks=Y_TICKS), "roof")  # fmt: skip

    @property
    def margin(self) -> float:
        """Where the names of the GPUs begin, right of the plot."""
        return self.plot.box.right + 6

    @property
    def right(self) -> float:
        """How far labels of the plot may reach."""
        return 328 if self.pen.narrow else self.margin + 50

    @property
    def panel(self) -> Box:
        """The sums."""
        return Box(0, 290, 328, 150) if self.pen.narrow else Box(570, 0, 270, 410)

    def x(self, intensity: float) -> float:
        """Left of the axis, where 0 lies, everything stands on its edge."""
        return self.plot.at(max(intensity, INTENSITIES[0]), RATES[0])[0]

    def y(self, rate: float) -> float:
        """The height of a rate in FLOP/s."""
        return self.plot.at(INTENSITIES[0], max(rate / TERA, RATES[0]))[1]

    def dot(self, case: Case) -> Point:
        """Where a kernel touches the roof."""
        return self.x(case.intensity), self.y(case.attainable)

    def gpu_names(self, state: State) -> list[tuple[str, float]]:
        """The name of each GPU, and how high it stands at the end of its roof."""
        heights = [self.y(gpu.peak(state.precision)) for gpu in GPUS.values()]
        box = self.plot.box
        return list(zip(GPUS, spread(heights, 1.2 * self.pen.size, box.y, box.bottom), strict=True))

    def gpu_boxes(self, state: State) -> list[Box]:
        """The room of those names."""
        high = self.pen.size
        return [Box(self.margin, y - high / 2, 40, high) for _, y in self.gpu_names(state)]

    def slope(self, bandwidth: float, until: float) -> list[Point]:
        """The part of a roof that rises, up to an intensity or the edge of the picture."""
        start = INTENSITIES[0]
        end = min(until, INTENSITIES[1], RATES[1] * TERA / bandwidth)
        return [(self.x(start), self.y(start * bandwidth)), (self.x(end), self.y(end * bandwidth))]

    def ceiling(self, peak: float, ridge: float) -> list[Point]:
        """The part of a roof that is level."""
        return [(self.x(ridge), self.y(peak)), (self.plot.box.right, self.y(peak))]

    def roof(self, state: State, name: str) -> list[Point]:
        """The whole roof of a GPU, ridge included."""
        gpu = GPUS[name]
        peak = gpu.peak(state.precision)
        ridge = peak / gpu.bandwidth
        return [*self.slope(gpu.bandwidth, ridge), self.ceiling(peak, ridge)[1]]


def height_at(roof: list[Point], x: float) -> float:
    """How high on the stage a roof is over `x`: it rises in a straight line, then is level."""
    (left, low), (ridge, top), _ = roof
    return top if x >= ridge else low + (top - low) * (x - left) / (ridge - left)
