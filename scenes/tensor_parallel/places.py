"""Where the matrices of the small example stand."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from loom.draw import Box, Grid, Pen

from .toy import EXACT, A


@dataclass(frozen=True)
class Places:
    """X, A above the middle, B above the result, and each GPU's parts: in bands, or beside what makes them."""

    pen: Pen
    alone: bool  # with a wide stage to itself
    gpus: int
    by_columns: bool

    @property
    def large(self) -> bool:
        return self.alone and not self.pen.narrow

    @property
    def beside(self) -> bool:
        """Whether parts of the result have a column to themselves."""
        return self.large and self.gpus > 1

    @property
    def single(self) -> bool:
        """Whether one GPU has the stage to itself: no parts, no sum and no other order need room."""
        return self.alone and self.gpus == 1

    @cached_property
    def row(self) -> int:
        if self.single:
            return self.pen.pick(21, 27)
        return self.pen.pick(16, 23 if self.large and self.by_columns else 18)

    @cached_property
    def cells(self) -> tuple[int, ...]:
        """How wide a number is in X, the middle, the result, and a part of the result."""
        if self.single:
            return self.pen.pick((17, 18, 23, 23), (46, 48, 52, 52))
        return self.pen.pick((17, 18, 23, 23), (34, 35, 39, 39) if self.large else (24, 28, 34, 34))

    @cached_property
    def lefts(self) -> tuple[int, ...]:
        gap = self.pen.pick(6, 16 if self.large else 14)
        lefts = [0]
        for columns, wide in zip((4, 8, 4), self.cells, strict=False):
            lefts.append(lefts[-1] + columns * wide + gap)
        return (*lefts[:3], lefts[3] + gap)

    @property
    def top(self) -> int:
        return self.pen.pick(30, 14 if self.large and self.by_columns else 16)

    @property
    def bands(self) -> int:
        return self.top + 8 * self.row + self.pen.pick(10, 8)

    @cached_property
    def a(self) -> Grid:
        return self._grid(1, self.top + 4 * self.row, A.shape)

    @cached_property
    def b(self) -> Grid:
        return self._grid(2, self.top, (8, 4))

    def band(self, column: int, gpu: int) -> Grid:
        """X (0), the middle (1) or the result (2) of a GPU."""
        return self._grid(column, self.bands + gpu * (2 * self.row + self.pen.pick(4, 2)), (2, (4, 8, 4)[column]))

    def part(self, gpu: int) -> Grid:
        """What a GPU has of the result before it is summed: beside its rows of B, or its part of the middle."""
        if not self.beside:
            return self.band(2, gpu)
        middle = self.top + (gpu + 0.5) * 8 * self.row / self.gpus
        return self._grid(3, middle - self.row if self.by_columns else self.band(1, gpu).box.y, EXACT.shape)

    def aside(self) -> Grid:
        """Where a part turns on its way to the sum: it goes by what makes the others, and not across it."""
        return self._grid(3, self.band(2, 0).box.y, EXACT.shape) if self.beside else self.band(2, 0)

    def results(self, y: float) -> Grid:
        """Another result, under the first."""
        return self._grid(2, y, EXACT.shape)

    def _grid(self, column: int, y: float, shape: tuple[int, ...]) -> Grid:
        width, height = shape[1] * self.cells[column], shape[0] * self.row
        return Grid(Box(self.lefts[column], y, width, height), shape[0], shape[1], 1)
