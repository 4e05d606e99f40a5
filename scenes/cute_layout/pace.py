"""The way to an offset: from word 0 term by term, and what has come of it at a beat."""

from __future__ import annotations

from typing import NamedTuple

from loom.scene import Moment, evenly

from .model import Element

EACH = 0.8  # until the next term has been added [s]


class Walk(NamedTuple):
    """Where the sum is on its way to, and where it has come to: numbers of `stops`."""

    to: int
    come: int


def stops(element: Element) -> list[tuple[int, int]]:
    """How many terms are in the sum, and the sum, as it grows; a swizzle moves it once more [words]."""
    found = {total: taken for taken, total in enumerate(element.sums)}  # a term that is 0 leads nowhere
    swapped = [(len(element.terms), element.offset)] if element.offset != element.plain else []
    return [*((taken, total) for total, taken in found.items()), *swapped]


def walking(moment: Moment) -> tuple[float, ...]:
    """A beat for each stop behind the first."""
    ways = len(stops(moment.result)) - 1
    return evenly(ways, EACH * ways, lead=0.25, landed=True) if ways else (0.0,)


def walk(moment: Moment, element: Element) -> Walk:
    """How far the sum of the element that is seen has come: all the way behind its chapter."""
    last = len(stops(element)) - 1
    if moment.phase != "offset":
        return Walk(last, last)
    return Walk(min(moment.beat, last), max(moment.beat - 1, 0))
