"""Where the words, the key, the value, the state and its answer stand, at either width."""

from __future__ import annotations

from dataclasses import dataclass

from loom.draw import Box, Pen

from .toy import SIDE


@dataclass(frozen=True)
class Places:
    """Where the words, the key, the value, the state and its answer stand."""

    pen: Pen
    small: bool  # where it makes room for the memory of a model

    @property
    def cell(self) -> tuple[float, float]:
        return (30.0, 16.0) if self.small else self.pen.pick((38.0, 29.0), (62.0, 42.0))

    @property
    def corner(self) -> tuple[float, float]:
        """The state's upper left."""
        return (0.0, 211.0) if self.small else self.pen.pick((70.0, 110.0), (84.0, 104.0))

    @property
    def gap(self) -> float:
        """Between the state and its key."""
        return 4.0 if self.small else 10.0

    @property
    def state(self) -> Box:
        return Box(*self.corner, SIDE * self.cell[0], SIDE * self.cell[1])

    @property
    def key(self) -> Box:
        wide, tall = self.cell
        return Box(self.corner[0], self.corner[1] - tall - self.gap, SIDE * wide, tall)

    def column(self, side: int) -> Box:
        """A vector beside the state: left of it, or right of it."""
        x = self.corner[0] - self.cell[0] - 12 if side < 0 else self.state.right + self.gap + 2
        return Box(x, self.corner[1], self.cell[0], SIDE * self.cell[1])

    def kept(self, row: int, first: int, numbers: int) -> Box:
        """On a phone, so many numbers in one of two rows below the state, all of one width."""
        return Box(96 + first * 5.2, self.state.bottom + 44 + row * 14, numbers * 5.2, 9)

    def cached(self, token: int) -> tuple[Box, Box]:
        """The key and the value of a token that is kept, one over the other, down to the foot of the state."""
        top = 94.0
        key = Box(500.0 + 67 * token, top, 60.0, (self.state.bottom - top - self.gap) / 2)
        return key, key._replace(y=key.bottom + self.gap)
