"""Where the matrices of the small example stand, and how a block of numbers, its name and its arrows are drawn."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

from loom.draw import Box, Mark, Pen, number

from .model import ABSORBED, BUILT
from .toy import WORDS

MADE = {BUILT: "series-1", ABSORBED: "work"}  # what each way makes on its way to the scores
TOKENS = len(WORDS)
Point = tuple[float, float]


@dataclass(frozen=True)
class Places:
    """Where the matrices stand."""

    pen: Pen
    top: float
    small: bool  # where it makes room for what both ways cost

    @property
    def row(self) -> float:
        return 14 if self.small else self.pen.pick(30, 28)

    @cached_property
    def lefts(self) -> tuple[float, ...]:
        """Of the query, the matrix beside it, what it makes of it, the latents, and the blend."""
        narrow = (0.0, 38.0, 84.0, 130.0, 0.0) if self.small else (0.0, 43.0, 102.5, 162.0, 296.0)
        return self.pen.pick(narrow, (0.0, 74.0, 174.0, 274.0, 446.0))

    @cached_property
    def cells(self) -> tuple[float, ...]:
        """How wide a number is in each of these columns."""
        narrow = (14.0, 12.0, 12.0, 16.0, 0.0) if self.small else (16.5, 16.5, 16.5, 32.0, 28.0)
        return self.pen.pick(narrow, (28.0, 28.0, 28.0, 40.0, 40.0))

    @cached_property
    def tops(self) -> tuple[float, float, float]:
        """Of the latents, the matrix and its keys, and the query."""
        gap = 18 if self.small else self.pen.pick(20, 24)
        return self.top, self.top + 3 * self.row + gap, self.top + 5 * self.row + 2 * gap

    def box(self, column: int, row: int, shape: tuple[int, int]) -> Box:
        """The matrix of `shape` in one of five columns and three rows."""
        rows, columns = shape
        return Box(self.lefts[column], self.tops[row], columns * self.cells[column], rows * self.row)

    def maker(self, way: str) -> Box:
        """The matrix that makes keys: to their left, or between the query and what it makes of it."""
        if way == BUILT:
            return self.box(2, 1, (2, 3))
        beside = self.box(1, 2, (2, 3))
        return beside._replace(y=beside.y - self.row / 2)


def unmade(places: Places, what: str) -> Iterator[Mark]:
    """The empty place of what would be built."""
    pen, box = places.pen, places.box(3, 1, (2, TOKENS))
    x, y, words = box.x + box.width / 2, box.y + box.height / 2, f"no {what}{' are made' * (not places.small)}"
    yield pen.rect(f"{what}-unmade", box, "ghost")
    yield pen.text(f"{what}-none", x, y, words, "note", anchor="middle", middle=True)


def draw_arrows(pen: Pen, key: str, ends: Sequence[tuple[Point, Point]]) -> Mark:
    """Short arrows from block to block, as one mark."""
    lines: list[list[Point]] = []
    for (x1, y1), (x2, y2) in ends:
        across, down, head = 1.0 * (x2 > x1), 1.0 * (y2 > y1), 4
        tip, tail = (x2 - 2 * across, y2 - 2 * down), (x1 + 2 * across, y1 + 2 * down)
        back = tip[0] - head * across, tip[1] - head * down
        wings = [(back[0] + side * head * down, back[1] + side * head * across) for side in (1, -1)]
        lines += [[tail, tip], [wings[0], tip, wings[1]]]
    return pen.strokes(key, lines, "axis")


def named(
    places: Places, key: str, box: Box, entries: Sequence[Sequence[float | str]], role: str, name: str
) -> Iterator[Mark]:
    """A matrix with its name under it."""
    pen = places.pen
    yield from draw_matrix(pen, key, box, entries, role)
    yield pen.text(f"{key}-name", box.x + box.width / 2, box.bottom + pen.size + 3, name, "note", anchor="middle")


def draw_matrix(pen: Pen, key: str, box: Box, entries: Sequence[Sequence[float | str]], role: str) -> Iterator[Mark]:
    """A block of numbers; one that is not known yet is left out."""
    yield pen.rect(f"{key}-block", box, role)
    height = box.height / len(entries)
    for row, line in enumerate(entries):
        for column, (x, entry) in enumerate(zip(middles(box, len(line)), line, strict=True)):
            words = entry if isinstance(entry, str) else number(entry)
            if words:
                yield pen.text(f"{key}-{row}-{column}", x, box.y + (row + 0.5) * height, words, "value",
                               anchor="middle", middle=True)  # fmt: skip


def middles(box: Box, count: int) -> list[float]:
    """The middles of so many columns of a box."""
    return [box.x + (at + 0.5) * box.width / count for at in range(count)]
