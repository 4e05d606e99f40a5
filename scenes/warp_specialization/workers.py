"""Who works on a generation, and what each does when: the other side of the schedule."""

from __future__ import annotations

from typing import NamedTuple

from .model import ISSUE, PRODUCT, STAGES, TILES, WARP, WARPS, Schedule

GROUP = WARPS // 2  # warps
RHYTHM = 2  # tiles: two warpgroups take turns, so that one tile is not yet a period


class Act(NamedTuple):
    """What is done from `start` until `end` [units]: "copy", "multiply" or "write"."""

    what: str
    start: int
    end: int


class Worker(NamedTuple):
    """Warps that act as one; of a warp that only gives orders, a single thread."""

    name: str
    warps: int
    alone: bool
    duty: str
    acts: tuple[Act, ...]

    @property
    def threads(self) -> int:
        return 1 if self.alone else self.warps * WARP

    def doing(self, time: int) -> str:
        """What it did in the last unit before `time`: an act, or "wait", or "done" after its last."""
        idle = "wait" if any(time <= act.start for act in self.acts) else "done"
        return next((act.what for act in self.acts if act.start < time <= act.end), idle)


def workers(run: Schedule) -> tuple[Worker, ...]:
    """All that work on a generation, from those that fetch to those that write out."""
    if run.generation == "Ampere":
        return (Worker("all", WARPS, False, "copy, multiply and write", _everything(run)),)
    asks = [0, *run.multiplied[: TILES - STAGES].tolist()]  # for all stages, then as soon as one is empty
    copies = tuple(Act("copy", ask, ask + ISSUE) for ask in asks)
    found = [Worker("copies", 1, True, "asks for copies", copies)]
    launched = run.generation == "Blackwell"
    if launched:
        found.append(Worker("products", 1, True, "launches products", tuple(_products(run, range(TILES)))))
    for group in range(2):
        tiles = range(group, TILES, 2)
        duty, own = ("write", []) if launched else ("multiply and write", _products(run, tiles))
        found.append(Worker(f"group-{group + 1}", GROUP, False, duty, (*own, *_writes(run, tiles))))
    return tuple(found)


def rhythm(run: Schedule) -> tuple[int, int]:
    """The first two tiles after the rhythm has set in: from the start of one product to another's."""
    first = 0 if run.generation == "Ampere" else STAGES  # one crew has its rhythm from the first tile on
    return int(run.product[first]), int(run.product[first + RHYTHM])


def _products(run: Schedule, tiles: range) -> list[Act]:
    return [Act("multiply", int(run.product[tile]), int(run.product[tile]) + PRODUCT) for tile in tiles]


def _writes(run: Schedule, tiles: range) -> list[Act]:
    return [Act("write", int(run.epilogue[tile]), int(run.done[tile])) for tile in tiles]


def _everything(run: Schedule) -> tuple[Act, ...]:
    """Warps that do all: copies for both stages first, later those for the stage that a product has emptied."""
    issued = [Act("copy", 0, STAGES * ISSUE)]
    issued += [
        Act("copy", end, start)
        for end, start in zip(run.multiplied.tolist(), run.epilogue.tolist(), strict=True)
        if end < start
    ]
    return (*issued, *_products(run, range(TILES)), *_writes(run, range(TILES)))
