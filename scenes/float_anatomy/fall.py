"""The last chapter in time: the number goes down the list of formats, and each makes of it what it can."""

from __future__ import annotations

from typing import NamedTuple

from loom.scene import Moment

from .model import Spelled
from .nearest import FORMATS, Nearest

START = 0.5  # [s] until the number sets out from the head of the list
DOWN = 0.4  # [s] that it takes from each format to the next


class View(NamedTuple):
    """One picture of the list: where the number is bound for, and what has come of it so far."""

    place: int  # the row that the number is bound for; -1 is above all of them
    reached: int  # so many rows it has come to: from there it is on its way to the nearest value
    settled: int  # in so many rows it has come to that
    falls: bool  # rather than rises to the head, or goes back to the reader's format

    def told(self, row: int, near: Nearest) -> bool:
        """Whether it is known what a format makes of the number; where nothing has to move, at once."""
        return row < (self.settled if near.error else self.reached)


def falling(_: Moment) -> tuple[float, ...]:
    """When the number goes to the head, sets out for each row, is at the last, goes back to the reader's, and rests."""
    return (0.0, *(START + DOWN * row for row in range(len(FORMATS) + 3)))


def view(moment: Moment) -> View:
    """What the picture of a moment of the last chapter has."""
    one: Spelled = moment.result
    rows = len(FORMATS)
    if moment.beat > rows + 1:
        return View(FORMATS.index(one.fmt.name), rows, rows, falls=False)
    reached, settled = (max(0, min(moment.beat - behind, rows)) for behind in (1, 2))
    return View(min(moment.beat, rows) - 1, reached, settled, falls=moment.beat > 0)
