"""What the reader chooses, the cache that follows from it, and the same cache over a range of choices."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache, cached_property
from math import inf
from typing import NamedTuple

from .model import EACH, HYBRID, Cache
from .workloads import AGENT, CHAT, CHATS, END, LOOP, workload

BLOCKS = (1, 16, HYBRID)
CAPACITIES = (4000, 5000, 6000, 8000, 10_000)  # [tokens]
CHANGES = (40, 10_000, 20_000, END)
LAST_PLACE = LOOP.system + LOOP.added  # where the end of an agent's first prompt lies [tokens]
FINE_BLOCKS = (1, 2, 4, 8, 16, 32, 64, 128, *range(160, 640, 16))  # [tokens]
FINE_PLACES = (40, *range(1000, 20_001, 1000))
Stop = tuple[float, float]  # a place on a curve, and its rate


class Curve(NamedTuple):
    """The rate over what the reader may change most: its parameter, and places with their rates."""

    param: str
    places: tuple[float, ...]
    rates: tuple[float, ...]
    stops: tuple[Stop, ...]  # one for each value of the parameter


@dataclass(frozen=True)
class Case:
    """What the reader has chosen."""

    kind: str
    block: int
    snapshots: str
    capacity: int
    change: int

    @cached_property
    def cache(self) -> Cache:
        return served(self.kind, self.block, self.snapshots, self.capacity, self.change)

    @property
    def crowded(self) -> int:
        """The first request for which something had to go; the number of all if there is none."""
        turns = self.cache.turns
        return next((at for at, turn in enumerate(turns) if turn.evicted), len(turns))

    @property
    def unbounded(self) -> float:
        """The rate if nothing ever had to go."""
        return served(self.kind, self.block, self.snapshots, inf, self.change).rate

    @property
    def hybrid(self) -> bool:
        return self.block == HYBRID

    @property
    def curve(self) -> Curve:
        return curve_of(self.kind, self.block, self.snapshots)

    @property
    def chosen(self) -> int:
        """Which of the curve's stops the reader has chosen."""
        given = {"block": (BLOCKS, self.block), "capacity": (CAPACITIES, self.capacity),
                 "change": (CHANGES, self.change)}  # fmt: skip
        values, value = given[self.curve.param]
        return values.index(value)

    @property
    def way(self) -> list[Stop]:
        """The stops from the chosen one to the nearest that finds the most; it alone if none finds more."""
        stops, here = [*self.curve.stops], self.chosen
        most = max(rate for _, rate in stops)
        best = min((at for at, (_, rate) in enumerate(stops) if rate == most), key=lambda at: abs(at - here))
        return stops[here : best + 1] if best >= here else stops[best : here + 1][::-1]


def served(kind: str, block: int, snapshots: str, capacity: float, change: int) -> Cache:
    """A cache with its requests served. Only chats meet a wall of memory, and only an agent's prompt has a change."""
    wall = capacity if kind == CHATS else inf
    return _served(kind, block, snapshots, wall, change if kind == AGENT else END)


@cache
def _served(kind: str, block: int, snapshots: str, capacity: float, change: int) -> Cache:
    return Cache(workload(kind, change), block, capacity, snapshots)


@cache
def curve_of(kind: str, block: int, snapshots: str) -> Curve:
    """The curve of one chat over its blocks' size, of chats over memory, of an agent over the place of the change."""
    if kind == CHAT:
        rates = [served(kind, size, EACH, inf, END).rate for size in FINE_BLOCKS]
        stops = [(float(size), served(kind, size, EACH, inf, END).rate) for size in BLOCKS]
        return Curve("block", FINE_BLOCKS, tuple(rates), tuple(stops))
    if kind == CHATS:
        places = range(CAPACITIES[0], CAPACITIES[-1] + 1, 250)
        rates = [served(kind, block, snapshots, size, END).rate for size in places]
        stops = [(float(size), served(kind, block, snapshots, size, END).rate) for size in CAPACITIES]
        return Curve("capacity", tuple(places), tuple(rates), tuple(stops))
    rates = [served(kind, block, snapshots, inf, place).rate for place in FINE_PLACES]
    stops = [(float(place or LAST_PLACE), served(kind, block, snapshots, inf, place).rate) for place in CHANGES]
    return Curve("change", FINE_PLACES, tuple(rates), tuple(stops))
