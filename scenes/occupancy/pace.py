"""What has come at a beat: what a block needs grows, the neighbours on the staircase are passed, and both lines."""

from __future__ import annotations

from typing import NamedTuple

from loom.scene import Moment, evenly

from .launch import FILE, SHARED, SLOTS, WARPS, Launch

LEAD = 0.25  # how long the picture before anything sets out stands [s]
EACH = 0.5  # that a need takes to grow, and a way on the staircase [s]
ACROSS = 1.4  # that the end of the blocks takes through the lines of the copy [s]


class Stop(NamedTuple):
    """A place on the staircase: registers of a thread, and the occupancy [%]."""

    registers: int
    occupancy: float


def growing(launch: Launch) -> list[tuple[int, float]]:
    """What grows, one after the other: of which resource, and to which part of what a block takes.

    Registers grow to what is asked for, and then to what is granted.
    """
    asked = launch.registers / launch.granted
    registers = [(FILE, asked), (FILE, 1.0)] if asked < 1 else [(FILE, 1.0)]
    return [(WARPS, 1.0), *registers, (SHARED, 1.0), (SLOTS, 1.0)]


def need_beats(moment: Moment) -> tuple[float, ...]:
    ways = len(growing(moment.result))
    return evenly(ways, EACH * ways, lead=LEAD, landed=True)


def _parts(moment: Moment, beats: int) -> dict[int, float]:
    return dict(growing(moment.result)[: max(beats, 0)])


def needs_grown(moment: Moment) -> dict[int, float]:
    """How much of what a block takes of each resource is there or on its way."""
    return _parts(moment, moment.beat)


def needs_landed(moment: Moment) -> dict[int, float]:
    """The same, without what is on its way; all of it behind the first chapter."""
    return _parts(moment, moment.beat - 1 if moment.phase == "needs" else len(growing(moment.result)))


def stops(launch: Launch) -> list[Stop]:
    """The end of the tread before, the tread that it stands on, and the beginning of the next."""
    steps, at = launch.treads, launch.tread(launch.registers)
    first, last, height = steps[at]
    before = [Stop(steps[at - 1][1], steps[at - 1][2])] if at else []
    after = [Stop(steps[at + 1][0], steps[at + 1][2])] if at + 1 < len(steps) else []
    here = [Stop(first, height), *([Stop(last, height)] if last > first else [])]
    return [*before, *here, *after]


def stair_beats(moment: Moment) -> tuple[float, ...]:
    """The first stop; the ways to the others; the last, told; and what there would be without rounding."""
    ways = len(stops(moment.result)) - 1
    way = 1.4 * EACH
    return (*evenly(ways, way * ways, lead=LEAD, landed=True), LEAD + way * (ways + 1))


def stops_of(moment: Moment) -> tuple[Stop, Stop] | None:
    """Where the walker was last, and where it is or on its way to; none when it is over."""
    places = stops(moment.result)
    if moment.phase != "stairs" or moment.progress == 1:
        return None
    return places[max(min(moment.beat, len(places)) - 1, 0)], places[min(moment.beat, len(places) - 1)]


def machine_beats(_: Moment) -> tuple[float, ...]:
    return (0.0, LEAD, LEAD + ACROSS)


def has_crossed(moment: Moment) -> bool:
    """Whether the end of the blocks has set out through the lines of the copy."""
    return moment.beat > 0
