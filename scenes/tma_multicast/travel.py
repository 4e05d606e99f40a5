"""Which tile is where: when each delivery leaves L2, and how far it has come."""

from __future__ import annotations

from typing import NamedTuple

from loom.scene import Moment, Phase, evenly

from .model import Cluster

LONGEST = 6.75  # seconds that the slowest chapter takes, once tiles have left
PACE = 0.45  # seconds from place to place, where there is time


class Trip(NamedTuple):
    """A tile's way to one block: it leaves L2 at the beat `start`. `again` says that it was read before."""

    matrix: str
    row: int
    column: int
    start: int
    again: bool

    @property
    def index(self) -> int:
        """Which tile of its matrix."""
        return self.row if self.matrix == "a" else self.column

    @property
    def far(self) -> int:
        """How many blocks it comes by."""
        return (self.column if self.matrix == "a" else self.row) + 1


def alone(one: Cluster) -> list[Trip]:
    """Every block reads its two tiles, one after another."""
    every = [(matrix, *divmod(block, one.columns)) for block in range(one.blocks) for matrix in "ab"]
    seen: set[tuple[str, int]] = set()
    trips = []
    for start, (matrix, row, column) in enumerate(every):
        tile = (matrix, row if matrix == "a" else column)
        trips.append(Trip(matrix, row, column, start, tile in seen))
        seen.add(tile)
    return trips


def together(one: Cluster) -> list[Trip]:
    """Every tile is read once and goes to all blocks that need it."""
    tiles = [("a", index) for index in range(one.rows)] + [("b", index) for index in range(one.columns)]
    return [
        Trip(matrix, *((index, at) if matrix == "a" else (at, index)), start, False)
        for start, (matrix, index) in enumerate(tiles)
        for at in range(one.columns if matrix == "a" else one.rows)
    ]


TRIPS = {"alone": alone, "together": together}


def stops(phase: str, trip: Trip) -> int:
    """How many beats a trip takes after it has left: a repeated read goes straight, a shared tile from block to block.

    The last one brings it into its block.
    """
    return 2 if phase == "alone" else trip.far + 1


def beats(moment: Moment) -> tuple[float, ...]:
    """As many as it takes until all have arrived."""
    phase = moment.phase
    count = max(trip.start + stops(phase, trip) for trip in TRIPS[phase](moment.result)) + 1
    return evenly(count - 1, min(LONGEST, PACE * (count - 1)), lead=0.25)


def set_off(phase: Phase | str, trip: Trip) -> int:
    """The beat in which a tile sets off on the last part of its way along the wires."""
    return trip.start + (1 if phase == "alone" else trip.far)


def read(phase: Phase | str, one: Cluster, beat: int) -> int:
    """How many tiles have left L2 by a beat: they lie there in their first, and are on their way in their second."""
    return sum(1 for start in {trip.start for trip in TRIPS[str(phase)](one)} if start + 2 <= beat)
