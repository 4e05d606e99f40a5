"""Curves over the number of requests: the gain, or the cost of looking guesses over."""

from __future__ import annotations

from functools import cache

from loom.draw import Plot

from .model import BATCHES, DRAFT, FINE, LOADS, check_cost, speed_up
from .stage import Point, bent, stage_of

TOPS = (2, 3, 4, 6)


@cache
def height(alpha: float | None, gamma: int, load: str, batch: float) -> float:
    """The gain where guesses stay with some chance, and the cost of looking them over where none is given."""
    check = check_cost(load, batch, gamma)
    return check if alpha is None else float(speed_up(alpha, gamma, DRAFT, check))


@cache
def batch_plot(width: float, alpha: float | None, gamma: int) -> Plot:
    """A plot as tall as its curves need."""
    most = max(height(alpha, gamma, load, batch) for load in LOADS for batch in BATCHES)
    return stage_of(width).by_batch(next(top for top in TOPS if top >= most))


@cache
def curves_of(width: float, alpha: float | None, gamma: int, load: str) -> list[tuple[str, list[Point], list[Point]]]:
    """The two parts of a curve, on one GPU and beyond its memory: all their places, and those that they bend at."""
    plot, room, found = batch_plot(width, alpha, gamma), LOADS[load].room or BATCHES[-1], []
    for part, batches in (("", [n for n in FINE if n < room] + [room]),
                          ("-beyond", [room] + [n for n in FINE if n > room])):  # fmt: skip
        if len(batches) > 1:
            places = plot.places(batches, [height(alpha, gamma, load, batch) for batch in batches])
            found.append((part, places, bent(places)))
    return found


@cache
def load_rail(width: float, alpha: float | None, gamma: int, load: str) -> tuple[Point, ...]:
    """A place for each number of requests on the chosen curve: the hand stays with its model."""
    plot = batch_plot(width, alpha, gamma)
    return tuple(plot.at(batch, height(alpha, gamma, load, batch)) for batch in BATCHES)
