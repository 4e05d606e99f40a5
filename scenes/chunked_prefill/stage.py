"""Where things stand: the prompt's lane over the others', time to the right; beside them, or below, a plot."""

from __future__ import annotations

from dataclasses import dataclass

from loom.draw import Axis, Box, Pen, Plot

from .engine import COUNT
from .model import DECODE
from .timeline import BEFORE, SPANS

TOKENS = Axis("tokens in a step", "", (48, 20_000), log=True, ticks=(64, 256, 1024, 4096))
TIMES = Axis("time", "ms", (4.0, 4000.0), log=True, ticks=(10, 100, 1000))
# Of a prompt's stream: as far as any choice goes, with room for words at the right [ms].
FIRSTS = {1024: (3.5, 180.0), 4096: (3.5, 1200.0), 16_384: (3.5, 10_000.0)}
GAPS = {1024: (3.5, 30.0), 4096: (3.5, 150.0), 16_384: (3.5, 1600.0)}
ROUND = {1024: (5, 10, 20, 50, 100), 4096: (5, 10, 30, 100, 1000), 16_384: (10, 100, 1000)}  # [ms]


@dataclass(frozen=True)
class Stage(Pen):
    """A pen that knows the places."""

    lane: Box  # of the prompt
    others: Box
    stream: Box
    plot_box: Box
    each: Box  # of the stream's requests: on a phone it takes some of the room of their rows
    answer: tuple[float, float]

    def x(self, time: float, prompt: int) -> float:
        """The place of a time since a prompt's arrival [s]; what comes later stands at the right end."""
        begin = -BEFORE * DECODE
        part = (time - begin) / (SPANS[prompt] - begin)
        return round(2 * (self.lane.x + self.lane.width * min(part, 1))) / 2

    def over(self, time: float, whole: float) -> float:
        """The place of a time of the stream, of which `whole` seconds are shown."""
        return self.stream.x + self.stream.width * min(time / whole, 1)

    def row(self, request: int) -> Box:
        return self.stream.rows(COUNT, self.pick(2, 3))[request]

    @property
    def plot(self) -> Plot:
        return Plot(self, self.plot_box, TOKENS, TIMES, "price")

    def scatter(self, prompt: int) -> Plot:
        """First tokens and gaps of the stream with such prompts, however they are computed."""
        first = Axis("to its first token", "ms", FIRSTS[prompt], log=True, ticks=ROUND[prompt])
        gap = Axis("between its tokens", "ms", GAPS[prompt], log=True, ticks=ROUND[prompt])
        return Plot(self, self.each, first, gap, "each")


WIDE = Stage(840, lane=Box(4, 32, 500, 40), others=Box(4, 130, 500, 136), stream=Box(4, 32, 500, 250),
             plot_box=Box(606, 142, 222, 146), each=Box(606, 142, 222, 146), answer=(560, 34))  # fmt: skip
NARROW = Stage(328, lane=Box(2, 58, 324, 20), others=Box(2, 125, 324, 34), stream=Box(2, 58, 324, 86),
               plot_box=Box(38, 228, 282, 64), each=Box(38, 190, 282, 102), answer=(0, 26))  # fmt: skip
