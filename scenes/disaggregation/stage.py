"""Where things stand: lanes of two GPUs in three ways, and a chart beside them or, on a phone, in place of some."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from loom.draw import Axis, Box, Pen, Plot

from .case import PACES, PROMPTS
from .lanes import APART, ARRIVALS, CHUNKS, SHOWN, WHOLE

LANES = {
    "whole-0": "GPU 1", "whole-1": "GPU 2", "chunks-0": "GPU 1", "chunks-1": "GPU 2",
    "prefill": "GPU 1, prefill", "link": "link", "decode": "GPU 2, decode",
}  # fmt: skip
GROUPS = {WHOLE: ("whole-0", "whole-1"), CHUNKS: ("chunks-0", "chunks-1"), APART: ("prefill", "link", "decode")}
TIMES = (1e-4, 1e2)  # [s]: the chart's span


@dataclass(frozen=True)
class Stage(Pen):
    """A pen that knows the places. A prefill is as wide for all prompts: time is measured in it."""

    left: float  # where time begins
    right: float
    rows: tuple[tuple[str, float, float], ...]  # lane, top, height
    chart: Box

    def row(self, lane: str) -> Box:
        _, top, height = next(row for row in self.rows if row[0] == lane)
        return Box(self.left, top, self.right - self.left, height)

    def way(self, prompt: int) -> Box:
        """The row of a prompt's cache on the link: below those of the prompts before it."""
        return self.row("link").rows(len(ARRIVALS), gap=1)[prompt]

    def x(self, times: float) -> float:
        """Where a time stands, in times of a prefill."""
        return self.left + (self.right - self.left) * min(times, SHOWN) / SHOWN

    def group(self, lanes: tuple[str, ...]) -> Box:
        """The box around some lanes."""
        first, last = self.row(lanes[0]), self.row(lanes[-1])
        return Box(first.x, first.y, first.width, last.bottom - first.y)

    def title(self, way: str) -> float:
        """The baseline of what stands over the lanes of a way."""
        return self.row(GROUPS[way][0]).y - self.pick(9, 8)

    @cached_property
    def times(self) -> Plot:
        """Prefill and transfer over the prompt's length."""
        ticks = (512, 4096, 32_768)
        return Plot(self, self.chart, Axis("prompt", "tokens", (PROMPTS[0] / 1.5, PROMPTS[-1]), log=True, ticks=ticks),
                    Axis("time", "s", TIMES, log=True), "times")  # fmt: skip

    def rates(self, most: float) -> Plot:
        """Requests a second over the target for the time between tokens: from where its knob is clear of the scale."""
        return Plot(self, self.chart, Axis("a token every", "ms", (6.5, PACES[-1]), log=True, ticks=PACES),
                    Axis("requests a second", "", (0, 1.12 * most)), "rates")  # fmt: skip


WIDE = Stage(840, left=104, right=548, chart=Box(638, 74, 186, 214), rows=(
    ("whole-0", 70, 20), ("whole-1", 94, 20), ("chunks-0", 142, 20), ("chunks-1", 166, 20),
    ("prefill", 214, 20), ("link", 238, 30), ("decode", 272, 20),
))  # fmt: skip
NARROW = Stage(328, left=52, right=328, chart=Box(46, 68, 266, 86), rows=(
    ("whole-0", 66, 20), ("whole-1", 89, 20), ("chunks-0", 137, 20), ("chunks-1", 160, 20),
    ("prefill", 208, 20), ("link", 231, 32), ("decode", 266, 20),
))  # fmt: skip
