"""Where the elements of a small grid lie in memory: layouts to compare, and the states of the scene."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import pairwise

import numpy as np

from .algebra import composition, swizzle, zipped_divide
from .banks import BANKS
from .layout import IntTuple, Layout, Offsets, leaves, natural_coordinate

SIDE = 8
ROW_MAJOR = Layout((SIDE, SIDE), (SIDE, 1))
TILER = (Layout(2, 1), Layout(4, 1))
PICK = Layout(32, 2)  # every other element, in the order that counts down the columns
LAYOUTS = {
    "row": ROW_MAJOR,
    "column": Layout((SIDE, SIDE), (1, SIDE)),
    "padded": Layout((SIDE, SIDE), (SIDE + 1, 1)),
    "nested": Layout((8, (2, 4)), (2, (1, 16))),
    "tiled": Layout(((2, 4), (2, 4)), ((1, 16), (2, 4))),
    "zipped": zipped_divide(ROW_MAJOR, TILER),
    "composition": composition(ROW_MAJOR, PICK),
}
SWIZZLES = {"off": None, "<3,0,3>": (3, 0, 3), "<2,0,3>": (2, 0, 3)}
POINTS = tuple(f"{row},{column}" for row in range(SIDE) for column in range(SIDE))
PHASES = ("offset", "banks")


@dataclass(frozen=True)
class Placement:
    """A named layout of the grid, and the swizzle after it."""

    name: str
    swizzled: str = "off"

    @property
    def layout(self) -> Layout:
        return LAYOUTS[self.name]

    @property
    def parts(self) -> tuple[IntTuple, ...]:
        """The shapes of the rows and of the columns."""
        return tuple(mode.shape for mode in self.layout.modes)

    @cached_property
    def offsets(self) -> Offsets:
        """Where each element lies, shape (rows, columns) [words]."""
        plain, bits = self.layout.grid(), SWIZZLES[self.swizzled]
        return plain if bits is None else swizzle(plain, *bits)

    @cached_property
    def span(self) -> int:
        """The memory from offset 0 to the last element [words]; the layout's cosize, whatever the swizzle."""
        return int(self.offsets.max()) + 1

    @cached_property
    def links(self) -> tuple[tuple[tuple[int, int], ...], ...]:
        """Straight chains of cells, along rows and then columns, each of which is next to the last in memory too."""
        rows, columns = self.offsets.shape
        lines = [[(row, column) for column in range(columns)] for row in range(rows)]
        lines += [[(row, column) for row in range(rows)] for column in range(columns)]
        chains = []
        for line in lines:
            chain = [line[0]]
            for before, here in pairwise(line):
                if abs(int(self.offsets[here]) - int(self.offsets[before])) != 1:
                    chains.append(tuple(chain))
                    chain = []
                chain.append(here)
            chains.append(tuple(chain))
        return tuple(chain for chain in chains if len(chain) > 1)


@lru_cache
def placement(name: str, swizzled: str) -> Placement:
    """The one placement of this name, so that its offsets are worked out once."""
    return Placement(name, swizzled)


@dataclass(frozen=True)
class State:
    """One element, where it is placed, and what is looked at: its offset, or the banks of its row and column."""

    at: Placement
    asked: int  # the row that was pointed at; the grid may have fewer
    column: int
    phase: str

    @property
    def row(self) -> int:
        return self.asked % len(self.at.offsets)

    @property
    def coordinate(self) -> tuple[int, int]:
        return self.row, self.column

    @cached_property
    def natural(self) -> IntTuple:
        """The coordinate nested like the shape."""
        return natural_coordinate(self.coordinate, self.at.layout.shape)

    @cached_property
    def terms(self) -> tuple[tuple[int, int], ...]:
        """Each number of the natural coordinate and its stride."""
        return tuple(zip(leaves(self.natural), leaves(self.at.layout.stride), strict=True))

    @cached_property
    def sums(self) -> tuple[int, ...]:
        """0, and the inner product as it grows term by term [words]."""
        return tuple(int(total) for total in np.cumsum([0, *(c * d for c, d in self.terms)]))

    @property
    def plain(self) -> int:
        """The inner product of coordinate and stride, before any swizzle [words]."""
        return self.sums[-1]

    @property
    def offset(self) -> int:
        """Where the element lies [words]."""
        return int(self.at.offsets[self.coordinate])

    @property
    def bank(self) -> int:
        return self.offset % BANKS

    @property
    def row_words(self) -> Offsets:
        return np.asarray(self.at.offsets[self.row])

    @property
    def column_words(self) -> Offsets:
        return np.asarray(self.at.offsets[:, self.column])


def steps(layout: str, swizzle: str, point: str) -> list[State]:
    """The two steps for an element: its place, then the banks of its row and column.

    Parameters
    ----------
    layout : str
        One of `LAYOUTS`.
    swizzle : str
        One of `SWIZZLES`.
    point : str
        Row and column, "2,3". A row that the layout has not is taken modulo its number of rows.

    Returns
    -------
    list of State

    Raises
    ------
    ValueError
        If one of them is unknown.
    """
    for value, known in ((layout, LAYOUTS), (swizzle, SWIZZLES), (point, POINTS)):
        if value not in known:
            raise ValueError(f"{value!r} is none of {', '.join(known)}")
    row, column = map(int, point.split(","))
    return [State(placement(layout, swizzle), row, column, phase) for phase in PHASES]
