"""Where things stand: the map with Q, K, V and O along its sides, the memory on the chip, the answer and the chart."""

from __future__ import annotations

from dataclasses import dataclass

from loom.draw import Axis, Box, Pen, Plot

from .model import KIB, Case, bound_bytes

MEMORIES = (16, 20, 24, 28, 32, 40, 48, 56, 64, 80, 100, 112, 128, 160, 192, 224)  # [KiB]
TICKS = (16, 32, 64, 128)


@dataclass(frozen=True)
class Stage(Pen):
    """A pen that knows the places."""

    map: Box
    chip: Box
    answer: Box
    bars: Box
    chart: Box
    strip: float  # the thickness of Q, K, V and O along the map

    def tile(self, case: Case, row: int, column: int) -> Box:
        """A tile of the map; those at its ends may be cut."""
        return self.part(case, row * case.block, column * case.block, case.block, case.block)

    def part(self, case: Case, query: int, key: int, queries: int, keys: int) -> Box:
        """A stretch of the map, from a query and a key on, cut where the map ends."""
        unit = self.map.width / case.tokens
        down, across = min(queries, case.tokens - query), min(keys, case.tokens - key)
        return Box(self.map.x + key * unit, self.map.y + query * unit, across * unit, down * unit)

    def beside(self, box: Box, left: bool) -> Box:
        """Beside a part of the map, the stretch of Q on its left or of O on its right."""
        x = self.map.x - self.strip - 4 if left else self.map.right + 4
        return Box(x, box.y, self.strip, box.height)

    def above(self, box: Box) -> Box:
        """Above a part of the map, the stretch of K and V."""
        return Box(box.x, self.map.y - 4 - 1.5 * self.strip, box.width, 1.5 * self.strip)

    def plot(self, case: Case) -> Plot:
        """Bytes against memory, both on log scales: the same span whatever the memory is."""
        ends = [
            Case(case.tokens, case.dim, memory * KIB, case.causal).tiled for memory in MEMORIES[:: len(MEMORIES) - 1]
        ]
        low = min(case.once, bound_bytes(case.tokens, case.dim, MEMORIES[-1] * KIB))
        span = (low * 0.8, 1.2 * max(case.plain, *ends))
        x = Axis("on-chip memory", "KB", (MEMORIES[0], MEMORIES[-1]), log=True, ticks=TICKS)
        return Plot(self, self.chart, x, Axis("bytes", span=span, log=True), "chart")


NARROW = Stage(328, Box(24, 34, 144, 144), Box(204, 40, 118, 128), Box(0, 198, 328, 40), Box(0, 242, 328, 36),
               Box(12, 260, 240, 48), 8)  # fmt: skip
WIDE = Stage(840, Box(34, 42, 256, 256), Box(350, 48, 170, 240), Box(572, 0, 268, 80), Box(572, 96, 268, 56),
             Box(580, 196, 180, 98), 11)  # fmt: skip
