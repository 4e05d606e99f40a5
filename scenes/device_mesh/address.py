"""The way from GPU 0 to the chosen one, dimension by dimension: how a number says a place."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple

from loom.draw import Mark
from loom.scene import Moment, evenly

from .model import RACK
from .stage import Point, Stage
from .traffic import DIMENSIONS, Placed

LEG, LEAD = 0.5, 0.25  # that a dimension's way takes, and that the picture before it stands [s]


class Stop(NamedTuple):
    """A GPU on the way, and the dimension along which it was reached."""

    rank: int
    name: str


@lru_cache(maxsize=4)  # the same for all beats
def stops(placed: Placed) -> list[Stop]:
    """GPU 0, and where each dimension leads; along one in which the place is 0 there is no way to go."""
    found = [Stop(0, "")]
    for name in DIMENSIONS:
        if ahead := placed.at(name) * placed.mesh.strides[name]:
            found.append(Stop(found[-1].rank + ahead, name))
    return found


def finding(moment: Moment) -> tuple[float, ...]:
    """A beat for each dimension that leads on."""
    legs = len(stops(moment.result)) - 1
    return evenly(legs, LEG * legs, lead=LEAD, landed=True) if legs else (0.0,)


def come(placed: Placed, phase: str, beat: int) -> int:
    """How many of the ways are behind: all of them after their chapter."""
    legs = len(stops(placed)) - 1
    return min(max(beat - 1, 0), legs) if phase == "place" else legs


def under_way(placed: Placed, phase: str, beat: int) -> str:
    """The dimension along which the number is counted at a beat, if any."""
    found = stops(placed)
    return found[beat].name if phase == "place" and beat < len(found) else ""


def place_of(stage: Stage, placed: Placed, rank: int) -> Point:
    return stage.met(stage.among_few(rank)) if placed.mesh.gpus == RACK else stage.spot(rank)


def draw_walk(stage: Stage, placed: Placed, beat: int) -> Iterator[Mark]:
    """What counts its way; it is gone where the chosen GPU has been found."""
    found, done = stops(placed), come(placed, "place", beat)
    if done == len(found) - 1:
        return
    points = [place_of(stage, placed, stop.rank) for stop in found]
    yield stage.circle("counts", *points[min(beat, len(found) - 1)], stage.pick(3.5, 5), "hot steady")
