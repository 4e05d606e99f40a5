"""Where things stand: B above the sums, A beside them, the warp in the corner between, the registers to the right."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from loom.draw import Box, Pen

from .model import LANES, PIECE, REGISTERS, SHAPES, Held, Place, held

QUAD = 4  # lanes that share a row


@dataclass(frozen=True)
class Stage(Pen):
    """A pen that knows the places."""

    cell: tuple[float, float]  # the width and height of an element
    gap: tuple[float, float]
    top: float
    registers: Box
    answer: tuple[float, float]

    @cached_property
    def boxes(self) -> dict[str, Box]:
        """The boxes of the three matrices."""
        wide, high = self.cell
        sizes = {name: (columns * wide, rows * high) for name, (rows, columns) in SHAPES.items()}
        right, low = sizes["a"][0] + self.gap[0], self.top + sizes["b"][1] + self.gap[1]
        return {"a": Box(0, low, *sizes["a"]), "b": Box(right, self.top, *sizes["b"]),
                "d": Box(right, low, *sizes["d"])}  # fmt: skip

    @cached_property
    def warp(self) -> Box:
        """The corner in which the 32 lanes stand: a piece of A, twice as large."""
        return Box(0, self.top, self.boxes["a"].width, self.boxes["b"].height)

    @cached_property
    def lanes(self) -> dict[str, list[Box]]:
        """The lanes, each where its two numbers stand in a piece: side by side, or in B one above the other."""
        gap = self.pick(1.0, 2.0)
        lying = [cell for row in self.warp.rows(LANES // QUAD, gap) for cell in row.columns(QUAD, gap)]
        standing = [cell for row in self.warp.columns(LANES // QUAD, gap) for cell in row.rows(QUAD, gap)]
        return {"a": lying, "b": standing, "d": lying}

    @cached_property
    def slots(self) -> dict[str, Box]:
        """A box for each register of the lane."""
        if self.narrow:
            return dict(zip(REGISTERS, self.registers.rows(len(REGISTERS), 3), strict=True))
        rows = self.registers.rows(3, 28)
        return {name: rows["abd".index(name[0])].columns(4, 6)[int(name[1])] for name in REGISTERS}

    def part(self, matrix: str, row: int, column: int, rows: int = 1, columns: int = 1) -> Box:
        """The box of some elements."""
        box, (wide, high) = self.boxes[matrix], self.cell
        return Box(box.x + column * wide, box.y + row * high, columns * wide, rows * high)

    def spot(self, lane: int, register: str) -> Box:
        """Where the numbers of a register stand in their matrix."""
        places = held(lane, register)
        (row, column), (last, right) = places[0], places[-1]
        return self.part(register[0], row, column, last - row + 1, right - column + 1)

    def piece(self, matrix: str, first: Place) -> Box:
        return self.part(matrix, *first, PIECE, PIECE)

    @cached_property
    def rail(self) -> tuple[tuple[float, float], ...]:
        """The middle of every register of every lane."""
        spots = [self.spot(lane, register) for lane in range(LANES) for register in REGISTERS]
        return tuple((spot.x + spot.width / 2, spot.y + spot.height / 2) for spot in spots)

    def held(self, chosen: Held) -> tuple[float, float]:
        """The middle of the number that is looked at."""
        return self.rail[chosen.lane * len(REGISTERS) + REGISTERS.index(chosen.register)]


NARROW = Stage(328, (8, 7.5), (12, 22), 52, Box(218, 52, 110, 250), (0, 24))
WIDE = Stage(840, (17, 9), (16, 26), 22, Box(474, 148, 366, 152), (474, 46))
