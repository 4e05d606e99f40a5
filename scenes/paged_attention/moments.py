"""One step of the scene: the memory that is shown, the one that it is compared with, and what has just changed."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

from .contiguous import Contiguous
from .model import Snapshot, run
from .paged import Paged
from .story import REQUESTS, SLOTS, STORY, Request

CONTIGUOUS, PAGED = "contiguous", "paged"
NAMES = {request.name: request for request in REQUESTS}


@cache
def told(layout: str, block: int, sharing: bool) -> tuple[Snapshot, ...]:
    """The whole story in one of the two memories."""
    return tuple(run(Contiguous(SLOTS) if layout == CONTIGUOUS else Paged(SLOTS, block, sharing)))


@dataclass(frozen=True)
class State:
    """What is drawn and said at one step, counted from 1."""

    layout: str
    block: int
    sharing: bool
    step: int

    @property
    def paged(self) -> bool:
        return self.layout == PAGED

    @property
    def now(self) -> Snapshot:
        return self.of(self.layout)

    @property
    def before(self) -> Snapshot | None:
        return told(self.layout, self.block, self.sharing)[self.step - 2] if self.step > 1 else None

    def of(self, layout: str) -> Snapshot:
        """The same moment in either memory."""
        return told(layout, self.block, self.sharing)[self.step - 1]

    @property
    def arrived(self) -> tuple[Request, ...]:
        """Every request so far, in the order of arrival."""
        names = "".join(event.names for event in STORY[: self.step] if event.kind == "arrive")
        return tuple(NAMES[name] for name in names)

    @property
    def actors(self) -> tuple[str, ...]:
        """Whoever this step is about: named by the event, or let in by it."""
        return (*self.now.event.names, *self.now.entered, *(copy.name for copy in self.now.copies))

    def changed(self) -> tuple[list[int], list[int]]:
        """Slots that somebody holds who did not a step before, and slots that nobody holds any more."""
        now, before = held(self.now), held(self.before) if self.before else set()
        gone = {slot for _, slot in before} - {slot for _, slot in now}
        return sorted({slot for _, slot in now - before}), sorted(gone)


def held(snapshot: Snapshot) -> set[tuple[str, int]]:
    """Who holds which slot, whether it has a token or not."""
    pieces = {(name, slot) for name, (start, size) in snapshot.pieces.items() for slot in range(start, start + size)}
    return pieces | {
        (name, number * snapshot.block + offset)
        for name, table in snapshot.tables.items()
        for number in table
        for offset in range(snapshot.block)
    }


def parts(snapshot: Snapshot) -> tuple[int, int, int, int]:
    """The whole memory in slots: tokens, kept for later tokens, taken and never used, free.

    In blocks nothing is kept for later but the rest of a block, and that counts as unused.
    """
    later = sum(NAMES[name].final - len(snapshot.slots[name]) for name in snapshot.pieces)
    return snapshot.live, later, snapshot.inside - later, snapshot.free


def states(layout: str, block: int, sharing: bool) -> list[State]:
    return [State(layout, block, sharing, step) for step in range(1, len(STORY) + 1)]
