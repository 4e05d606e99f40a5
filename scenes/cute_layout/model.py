"""Where the elements of a small grid lie in memory: layouts to compare, and one element that is looked at."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cache, cached_property
from itertools import accumulate

import numpy as np

from .algebra import composition, swizzle, zipped_divide
from .banks import BANKS, Read, read
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
CURE = "<3,0,3>"  # by which no two words of a column share a bank
POINTS = tuple(f"{row},{column}" for row in range(SIDE) for column in range(SIDE))


@dataclass(frozen=True)
class Placement:
    """A named layout of the grid, and the swizzle after it, of its first rows alone if it is still being put on."""

    name: str
    swizzled: str = "off"
    reach: int = SIDE  # rows that the swizzle has come to

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
        if bits is None:
            return plain
        return np.where(np.arange(len(plain))[:, None] < self.reach, swizzle(plain, *bits), plain)

    @cached_property
    def span(self) -> int:
        """The memory from offset 0 to the last element [words]; the layout's cosize, whatever the swizzle."""
        return int(self.offsets.max()) + 1

    @cached_property
    def rows(self) -> list[Read]:
        """What threads that read a row at once ask for, row by row."""
        return [read(words) for words in self.offsets]

    @cached_property
    def columns(self) -> list[Read]:
        """The same for columns."""
        return [read(words) for words in self.offsets.T]


@cache  # worked out once for all elements
def placement(name: str, swizzled: str, reach: int = SIDE) -> Placement:
    """The one placement of this name."""
    return Placement(name, swizzled, reach)


@dataclass(frozen=True)
class Element:
    """One element of a grid, where it is placed, and what its row and column ask the banks for."""

    at: Placement
    asked: int  # the row that was pointed at; the grid may have fewer
    column: int

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
    def sums(self) -> list[int]:
        """0, and the inner product as it grows term by term [words]."""
        return list(accumulate((c * d for c, d in self.terms), initial=0))

    @property
    def plain(self) -> int:
        """The inner product of coordinate and stride, before any swizzle [words]."""
        return self.sums[-1]

    @property
    def offset(self) -> int:
        """Where the element lies [words]."""
        return self.along.words[self.column]

    @property
    def bank(self) -> int:
        return self.offset % BANKS

    @property
    def along(self) -> Read:
        """Its row."""
        return self.at.rows[self.row]

    @property
    def down(self) -> Read:
        """Its column."""
        return self.at.columns[self.column]


def cured(element: Element, reach: int = SIDE) -> Element:
    """The element with `CURE` put on the first rows."""
    return replace(element, at=placement(element.at.name, CURE, reach))


def solve(layout: str, swizzle: str, point: str) -> Element:
    """An element, "2,3", of one of `LAYOUTS` under one of `SWIZZLES`; its row is taken modulo the layout's rows."""
    for value, known in ((layout, LAYOUTS), (swizzle, SWIZZLES), (point, POINTS)):
        if value not in known:
            raise ValueError(f"{value!r} is none of {', '.join(known)}")
    row, column = map(int, point.split(","))
    return Element(placement(layout, swizzle), row, column)
