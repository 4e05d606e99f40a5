"""Where things stand: the triangle of pairs, the lanes of the GPUs under it or beside it, and their scale of time."""

from __future__ import annotations

from functools import cached_property
from itertools import groupby

from loom.draw import Box, Grid, Pen, square_grid

from .model import TOKENS, Ring

# Colours that tell GPUs apart, without the one near the hand’s and the one near that of what is sent; of eight GPUs,
# the last four begin again.
HUES = ("series-1", "series-5", "series-4", "series-6")


def hue(rank: int) -> str:
    return HUES[rank % len(HUES)]


class Stage:
    """The geometry for one choice of layout and GPUs.

    `folded` of these have their early rows beside their late ones. So many of the first queries are `asking`, and of
    those that are `told` the pairs have been counted.
    """

    def __init__(self, pen: Pen, ring: Ring, folded: int = 0, asking: int = TOKENS, told: int = TOKENS) -> None:
        self.pen, self.ring, self.folded, self.asking, self.told = pen, ring, folded, asking, told
        self.longest = Ring("contiguous", ring.ranks).time  # the same scale for all layouts

    @cached_property
    def triangle(self) -> Grid:
        x, y, side = self.pen.pick((0, 55, 8.25), (0, 82, 14))
        return square_grid(x, y, TOKENS, TOKENS, side, 1)

    def fits(self, query: int) -> bool:
        """Whether an early row lies beside the late one that it fills up."""
        return query < TOKENS // 2 and int(self.ring.owner[query]) < self.folded

    def start(self, query: int) -> tuple[int, int]:
        """The row and the column of the first cell of a query's pairs."""
        return (TOKENS - 1 - query, TOKENS - query) if self.fits(query) else (query, 0)

    @cached_property
    def rows_of_pairs(self) -> dict[int, int]:
        """How many cells stand in each row that has any."""
        places = [(query, *self.start(query)) for query in range(TOKENS)]
        return {row: column + query + 1 for query, row, column in sorted(places, key=lambda one: one[1:])}

    def cells(self, row: int, last: int, start: int, end: int) -> Box:
        """From one row to another, and from one column to another, with the ends."""
        first, final = self.triangle.cell(row, start), self.triangle.cell(last, end)
        return Box(first.x, first.y, final.right - first.x, final.bottom - first.y)

    @cached_property
    def blocks(self) -> list[list[tuple[int, int, int, int]]]:
        """For each step of the ring what is computed in it: queries from one to another, keys from one to another."""
        owner, ranks = self.ring.owner.tolist(), self.ring.ranks
        found: list[list[tuple[int, int, int, int]]] = [[] for _ in range(ranks)]
        for query, mine in enumerate(owner):
            for theirs, run in groupby(range(query + 1), owner.__getitem__):
                step, (first, *_, last) = found[(mine - theirs) % ranks], [*run] * 2
                over = (first, last) in [one[2:] for one in step if one[1] == query - 1 and owner[one[1]] == mine]
                if over:
                    at = next(at for at, one in enumerate(step) if one[1:] == (query - 1, first, last))
                    step[at] = (step[at][0], query, first, last)
                else:
                    step.append((query, query, first, last))
        return found

    @cached_property
    def lanes(self) -> Box:
        """The room of all lanes in time, without names."""
        return self.pen.pick(Box(70, 222, 234, 90), Box(404, 82, 396, 136))

    @property
    def names(self) -> float:
        return self.pen.pick(8.0, 312.0)

    @cached_property
    def rows(self) -> list[Box]:
        ranks = self.ring.ranks
        gap = self.pen.pick(2, 3)
        tall = min((self.lanes.height - gap * (ranks - 1)) / ranks, self.pen.pick(24, 34))
        return self.lanes.vstack(*[tall] * ranks, gap=gap)

    @property
    def floor(self) -> float:
        return self.rows[-1].bottom

    @property
    def unit(self) -> float:
        """The width of the time that one pair takes: lanes end where all would be done without a mask."""
        return self.lanes.width / self.ring.bare

    def x(self, time: float) -> float:
        return self.lanes.x + time * self.unit

    def chip(self, rank: int) -> Box:
        """Where a GPU holds the keys and values that it works on."""
        row, wide = self.rows[rank], self.pen.pick(14, 22)
        return Box(self.lanes.x - wide - self.pen.pick(6, 10), row.y, wide, row.height)
