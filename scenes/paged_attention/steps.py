"""One step of the scene: the memory that is shown, the one that it is compared with, and what has just changed."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cache, cached_property

import numpy as np

from loom.scene import Chapter, evenly

from .memory import Contiguous, Paged, free_runs
from .model import NAMES, SLOTS, STORY, Event, Request, Snapshot, run

CONTIGUOUS, PAGED = "contiguous", "paged"
GAP, LONG = 0.6, 1.25  # seconds from picture to picture, and where each has something to be read


@dataclass(frozen=True)
class Telling:
    """The story in both memories, of which one is chosen; of each event, what its beats show, the last one its end."""

    layout: str
    block: int
    sharing: bool
    beats: dict[str, list[list[Snapshot]]]

    @property
    def chosen(self) -> list[Snapshot]:
        return [event[-1] for event in self.beats[self.layout]]


@dataclass(frozen=True)
class State:
    """What is drawn and said at one step, counted from 1, in one of its beats, counted from 0."""

    telling: Telling
    step: int
    beat: int

    @property
    def block(self) -> int:
        return self.telling.block

    @property
    def paged(self) -> bool:
        return self.telling.layout == PAGED

    @property
    def now(self) -> Snapshot:
        return self.of(self.telling.layout)

    def of(self, layout: str) -> Snapshot:
        """The same moment in either memory; where one has fewer beats, it rests in its last."""
        beats = self.telling.beats[layout][self.step - 1]
        return beats[-1 if self.settled else min(self.beat, len(beats) - 1)]

    @property
    def settled(self) -> bool:
        """Whether this is the last beat of its step: what nothing moves away again says its numbers."""
        return self.beat == len(self.telling.beats[self.telling.layout][self.step - 1]) - 1

    @property
    def ending(self) -> bool:
        """Whether somebody is about to end, and still holds what is given back in the next beat."""
        return self.now.event.kind == "end" and self.now.event.names not in self.now.ended

    @property
    def fitting(self) -> bool:
        """Whether the prompt of the first who waits is held against the hole, before all that it asks for."""
        return self.now.event.kind == "write" and bool(self.now.waiting) and not self.settled and self.beat > 0

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
        """Slots that somebody holds who did not a step before, and slots that nobody holds any more, or soon."""
        now, before = held(self.now), held(self.telling.chosen[self.step - 2]) if self.step > 1 else set()
        if self.ending:
            now = {(name, slot) for name, slot in now if name not in self.now.event.names}
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


def in_beats(memory: Callable[[], Contiguous | Paged]) -> list[list[Snapshot]]:
    """The story in one memory: before and after requests arrive, before and after one ends, while all write a little.

    A block is copied before it is written to; and the prompt of who waits is held against the hole.
    """
    parts = [strokes(event) for event in STORY]
    whole, fine = run(memory()), iter(run(memory(), story=[event for part in parts for event in part]))
    before = replace(whole[0], waiting=(), slots={}, taken=0, holes=[(0, SLOTS)], pieces={}, tables={}, refs=[])
    found = []
    for event, end, part in zip(STORY, whole, parts, strict=True):
        beats = [next(fine) for _ in part][:-1]
        if event.kind == "arrive":
            beats = [replace(before, event=event, entered=(), copies=())]
        if event.kind == "end":
            beats = [replace(before, event=event, entered=(), copies=()), *(beats if end.entered else [])]
        if event.tokens == 1:
            beats = [copied(before, end)] if end.copies else [end] * 2 if end.waiting and end.pieces else []
        found.append([*beats, end])
        before = end
    return found


def copied(before: Snapshot, end: Snapshot) -> Snapshot:
    """Between two pictures: blocks have been copied, and nothing is written yet."""
    tables, slots, block = dict(before.tables), dict(before.slots), before.block
    for copy in end.copies:
        tables[copy.name] = end.tables[copy.name][: len(before.tables[copy.name])]
        slots[copy.name] = end.slots[copy.name][: len(before.slots[copy.name])]
    refs = np.bincount([number for table in tables.values() for number in table], minlength=len(before.refs))
    free = np.repeat(refs == 0, block)
    return replace(end, slots=slots, tables=tables, refs=refs.tolist(), taken=int((~free).sum()), holes=free_runs(free))


def strokes(event: Event) -> list[Event]:
    """What happens in the beats of an event: everybody writes some tokens, four times at most; one ends, one enters."""
    if event.kind == "end":
        return [replace(event, admits=False), Event("write", tokens=0)]
    size = max(1, -(-event.tokens // 4))
    sizes = [min(size, event.tokens - done) for done in range(0, event.tokens, size)]
    return [replace(event, tokens=tokens) for tokens in sizes or [0]]


@cache  # both layouts tell of both
def story_of(block: int, sharing: bool) -> dict[str, list[list[Snapshot]]]:
    return {
        CONTIGUOUS: in_beats(lambda: Contiguous(SLOTS)),
        PAGED: in_beats(lambda: Paged(SLOTS, block, sharing)),
    }


def solve(layout: str, block: int, sharing: bool) -> Telling:
    return Telling(layout, block, sharing, story_of(block, sharing))


def steps(telling: Telling) -> list[Chapter]:
    found = []
    for step, shown in enumerate(telling.beats[telling.layout], 1):
        states = [State(telling, step, beat) for beat in range(len(shown))]
        gap = LONG if STORY[step - 1].tokens == 1 else GAP
        times = evenly(len(states) - 1, gap * (len(states) - 1), lead=0.25 if step == 1 else gap)
        found.append(Chapter(states, times, str(step)))
    return found
