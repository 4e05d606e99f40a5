"""One step of the scene: the memory that is shown, the one that it is compared with, and what has just changed."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from .memory import Contiguous, Paged
from .model import NAMES, SLOTS, STORY, Request, Snapshot, run

CONTIGUOUS, PAGED = "contiguous", "paged"


@dataclass(frozen=True)
class Telling:
    """The story in both memories, of which one is chosen."""

    layout: str
    block: int
    sharing: bool
    both: dict[str, list[Snapshot]]

    @property
    def chosen(self) -> list[Snapshot]:
        return self.both[self.layout]


@dataclass(frozen=True)
class State:
    """What is drawn and said at one step, counted from 1."""

    telling: Telling
    step: int

    @property
    def block(self) -> int:
        return self.telling.block

    @property
    def paged(self) -> bool:
        return self.telling.layout == PAGED

    @property
    def now(self) -> Snapshot:
        return self.telling.chosen[self.step - 1]

    def of(self, layout: str) -> Snapshot:
        """The same moment in either memory."""
        return self.telling.both[layout][self.step - 1]

    @property
    def arrived(self) -> list[Request]:
        """Every request so far, in the order of arrival."""
        return [NAMES[name] for event in STORY[: self.step] if event.kind == "arrive" for name in event.names]

    @property
    def actors(self) -> tuple[str, ...]:
        """Whoever this step is about: named by the event, or let in by it."""
        return (*self.now.event.names, *self.now.entered, *(copy.name for copy in self.now.copies))

    @cached_property
    def changed(self) -> tuple[list[int], list[int]]:
        """Slots that somebody holds who did not a step before, and slots that nobody holds any more."""
        now, before = held(self.now), held(self.telling.chosen[self.step - 2]) if self.step > 1 else set()
        gone = {slot for _, slot in before} - {slot for _, slot in now}
        return sorted({slot for _, slot in now - before}), sorted(gone)


def held(snapshot: Snapshot) -> set[tuple[str, int]]:
    """Who holds which slot, whether it has a token or not."""
    pieces = [(name, start, size) for name, (start, size) in snapshot.pieces.items()]
    block = snapshot.block
    pieces += [(name, number * block, block) for name, table in snapshot.tables.items() for number in table]
    return {(name, slot) for name, start, size in pieces for slot in range(start, start + size)}


def parts(snapshot: Snapshot) -> tuple[int, int, int, int]:
    """The whole memory in slots: tokens, kept for later tokens, taken and never used, free.

    In blocks nothing is kept for later but the rest of a block, and that counts as unused.
    """
    later = sum(NAMES[name].final - len(snapshot.slots[name]) for name in snapshot.pieces)
    return snapshot.live, later, snapshot.inside - later, snapshot.free


def solve(layout: str, block: int, sharing: bool) -> Telling:
    both = {CONTIGUOUS: run(Contiguous(SLOTS)), PAGED: run(Paged(SLOTS, block, sharing))}
    return Telling(layout, block, sharing, both)


def steps(telling: Telling) -> list[State]:
    return [State(telling, step) for step in range(1, len(STORY) + 1)]
