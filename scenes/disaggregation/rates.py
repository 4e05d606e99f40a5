"""The chart of a fleet: what eight GPUs serve within the targets in three ways, over the time between tokens."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import NamedTuple

import numpy as np

from loom.draw import Box, Mark, Plot, memoized

from .._serving.models import Reals
from .case import PACES, Case
from .goodput import Fleet
from .stage import Stage

FINE = np.geomspace(PACES[0], PACES[-1], 41)  # [ms]
WAYS = {"whole": "label", "in chunks": "label strong", "apart": "work strong"}  # names of the curves, and their role
ROLES = {"whole": "data thin dashed", "in chunks": "data", "apart": "work"}
AT_A_TIME = 64  # boxes, so that their distances stay in a cache
Points = np.ndarray[tuple[int, int], np.dtype[np.float64]]


@memoized
def draw_rates(stage: Stage, case: Case, come: int) -> Iterator[Mark]:
    """Requests a second over the target for the time between tokens, with a knob on what is served apart.

    Of the three ways in their order, those after the first `come` + 1 have not been drawn yet.
    """
    curves = curves_of(case.fleet)
    plot, box = plot_of(stage, case.fleet), stage.chart
    for tick in plot.y.tick_values(4):
        y = plot.at(PACES[0], tick)[1]
        yield stage.line(f"rate-{tick:g}", box.x, y, box.right, y, "grid" if tick else "axis")
        yield stage.text(f"rate-{tick:g}-name", box.x - 6, y, f"{tick:g}", "note", anchor="end", middle=True)
    for pace in PACES:
        x = plot.at(pace, 0)[0]
        yield stage.line(f"pace-{pace}", x, box.bottom, x, box.bottom + 4, "axis")
        y = box.bottom + stage.knob_radius + 0.75 * stage.size  # clear of a knob that stands on the axis
        yield stage.text(f"pace-{pace}-name", x, y, str(pace), "note", anchor="middle")
    title = "requests a second, over ms per token"
    yield stage.text("rates-title", box.x - stage.pick(0, 30), box.y - 12, title, "note")
    for at, ((way, role), rates) in enumerate(zip(ROLES.items(), curves, strict=True)):
        drawn = float(at <= come) if at else None
        yield plot.curve(f"served-{way}", FINE.tolist(), rates, role, drawn)
    apart = case.fleet.best(np.array(PACES) / 1000)[2].tolist()
    rail = [plot.at(pace, rate) for pace, rate in zip(PACES, apart, strict=True)]
    there = [*ROLES][: come + 1]
    for name in names(stage, case.fleet, rail[PACES.index(case.pace)]):
        if name.key.removeprefix("name-") in there:
            yield name
    if len(there) == len(ROLES):
        yield stage.knob("pace", *rail[PACES.index(case.pace)], "pace", rail)
    for way, rate in zip(there, case.served[:2], strict=False):  # over the knob's ring, which would hide a near one
        read = f"{way}: {rate:.3g} requests a second"
        yield stage.circle(f"here-{way}", *plot.at(case.pace, rate), 4, "label", read=read)


@cache
def curves_of(fleet: Fleet) -> list[list[float]]:
    """Requests a second for each fine pace, in each way."""
    return [rate.tolist() for rate in fleet.best(FINE / 1000)]


def plot_of(stage: Stage, fleet: Fleet) -> Plot:
    return stage.rates(max(map(max, curves_of(fleet))) or 1.0)


def names(stage: Stage, fleet: Fleet, knob: tuple[float, float]) -> Iterator[Mark]:
    """The names of the curves, each where it is clearest of lines, of the knob and of other names."""
    taken = [(knob[0] + dx, knob[1] + dy) for dx in (-12, 0, 12) for dy in (-12, 0, 12)]
    for way, role in reversed(list(WAYS.items())):
        box = clearest(seats(stage, fleet)[way], np.array(taken))
        taken += [(x, y) for x in np.linspace(box.x, box.right, 9) for y in (box.y, box.bottom)]
        yield stage.text(f"name-{way}", box.x, box.bottom - 4, way, role)


def dense(line: Points) -> Points:
    """A line with places between its points, so that none of its stretches is overlooked."""
    places = np.linspace(0, len(line) - 1, 4 * len(line))
    return np.stack([np.interp(places, range(len(line)), line[:, side]) for side in (0, 1)], axis=1)


class Seats(NamedTuple):
    """Places for a name of one size within the chart, near its line, and how far they are from the lines."""

    wide: float
    tall: float
    left: Reals
    top: Reals
    away: Reals  # from the line, up or down
    own: Reals
    others: Reals


@cache
def seats(stage: Stage, fleet: Fleet) -> dict[str, Seats]:
    """Where the names of the curves may stand, whatever the pace."""
    plot = plot_of(stage, fleet)
    lines = [dense(np.array([plot.at(pace, rate) for pace, rate in zip(FINE.tolist(), curve, strict=True)]))
             for curve in curves_of(fleet)]  # fmt: skip
    return {way: seats_of(stage, way, at, lines) for at, way in enumerate(WAYS)}


def seats_of(stage: Stage, words: str, at: int, lines: list[Points]) -> Seats:
    wide, tall, inside = stage.text_width(words, strong=True), stage.size + 3.0, stage.chart
    away = np.array([3, 7, 11, 16])
    tops = np.concatenate([-tall - away, away])
    places = lines[at][::2]
    left, top = (side.ravel() for side in np.broadcast_arrays(places[:, :1] - wide / 2, places[:, 1:] + tops))
    away = np.tile(away, 2 * len(places))
    fits = (inside.x + 2 <= left) & (left + wide <= inside.right)
    fits &= (inside.y - 8 <= top) & (top < inside.bottom - tall)
    left, top, away = left[fits], top[fits], away[fits]
    others = np.concatenate(lines[:at] + lines[at + 1 :])
    return Seats(wide, tall, left, top, away, *(gaps(left, top, wide, tall, one) for one in (lines[at], others)))


def clearest(seats: Seats, taken: Points) -> Box:
    """The place near a line that is farthest from all else; the nearer of two that are as good."""
    wide, tall, left, top, away, own, lines = seats
    others = np.minimum(lines, gaps(left, top, wide, tall, taken))
    best = int(np.argmax(np.minimum(np.minimum(others, 10.0), 4 * own) - away / 10))
    return Box(float(left[best]), float(top[best]), wide, tall)


def gaps(left: Reals, top: Reals, wide: float, tall: float, points: Points) -> Reals:
    """How far the nearest of some points is from each of some boxes of one size."""
    found = np.empty(len(left))
    for first in range(0, len(left), AT_A_TIME):
        some = slice(first, first + AT_A_TIME)
        away = beyond(points[:, 0] - (left[some, None] + wide / 2), wide / 2)
        away += beyond(points[:, 1] - (top[some, None] + tall / 2), tall / 2)
        found[some] = away.min(axis=1)
    return np.sqrt(found)


def beyond(away: Points, half: float) -> Points:
    """The squares of what distances from a middle have beyond a half, in place."""
    np.abs(away, out=away)
    away -= half
    np.maximum(away, 0, out=away)
    away *= away
    return away
