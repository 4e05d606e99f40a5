"""A small story of requests that come, grow and end, told in two memories, and what it wastes in each."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property

import numpy as np

from .contiguous import Contiguous
from .paged import Copy, Paged
from .slots import Ints
from .story import REQUESTS, STORY, Event, Request

MEAN_LENGTH = 500  # tokens: 161 and 338, the mean prompt and answer of ShareGPT in the vLLM paper, Fig. 11
Memory = Contiguous | Paged


@dataclass(frozen=True)
class Snapshot:
    """A memory after one event. Lengths are in slots, which are tokens."""

    event: Event
    running: tuple[str, ...]
    waiting: tuple[str, ...]
    ended: tuple[str, ...]
    slots: dict[str, Ints]  # the slot of each token of each running request
    taken: int
    holes: tuple[tuple[int, int], ...]
    entered: tuple[str, ...] = ()  # in this event
    stalled: tuple[str, ...] = ()  # found no slot for a token
    pieces: dict[str, tuple[int, int]] = field(default_factory=dict)  # start and size of what is reserved; contiguous
    tables: dict[str, tuple[int, ...]] = field(default_factory=dict)  # physical block numbers; this and more, paged
    refs: Ints = field(default_factory=lambda: np.zeros(0, np.int64))  # users of each block
    block: int = 1  # slots in a block
    copies: tuple[Copy, ...] = ()  # in this event

    @cached_property
    def live(self) -> int:
        """Slots that hold a token of a running request, each counted once."""
        return len(np.unique(np.concatenate([np.empty(0, np.int64), *self.slots.values()])))

    @property
    def free(self) -> int:
        return sum(size for _, size in self.holes)

    @property
    def inside(self) -> int:
        """Slots that are taken and hold nothing."""
        return self.taken - self.live

    @property
    def outside(self) -> int:
        """Free slots while a request waits: they are of no use to it."""
        return self.free if self.waiting else 0

    @property
    def live_share(self) -> float:
        """Share of the taken slots that hold a token [%]."""
        return 100 * self.live / self.taken if self.taken else 100.0

    @property
    def saved(self) -> int:
        """Slots that further uses of shared blocks would take if each had its own block."""
        return int(np.maximum(self.refs - 1, 0).sum()) * self.block


@dataclass
class Server:
    """A memory and the requests before it: first come, first served."""

    memory: Memory
    requests: dict[str, Request]
    waiting: list[str] = field(default_factory=list)
    ended: list[str] = field(default_factory=list)

    def take(self, event: Event) -> Snapshot:
        """Let an event happen, then admit whoever waits, in order, until one does not fit."""
        copies = len(self.memory.copies) if isinstance(self.memory, Paged) else 0
        stalled: list[str] = []
        if event.kind == "arrive":
            self.waiting += event.names
        elif event.kind == "end":
            for name in event.names:
                self._end(name)
        elif event.kind == "write":
            stalled = [name for _ in range(event.tokens) for name in list(self.memory.lengths) if not self._write(name)]
        else:
            raise ValueError(f"an event is arrive, write or end, not '{event.kind}'")
        entered = []
        while self.waiting and self._admit(self.waiting[0]):
            entered.append(self.waiting.pop(0))
        return self._snapshot(event, tuple(entered), copies, tuple(dict.fromkeys(stalled)))

    def _end(self, name: str) -> None:
        if name in self.waiting:
            self.waiting.remove(name)
        else:
            self.memory.release(name)
        self.ended.append(name)

    def _admit(self, name: str) -> bool:
        request = self.requests[name]
        return self.memory.admit(name, request.prompt_tokens(), request.most)

    def _write(self, name: str) -> bool:
        """One token; a request that has said all is done, and only waits for its end."""
        length, request = self.memory.lengths[name], self.requests[name]
        return length >= request.final or self.memory.write(name, request.output_token(length))

    def _snapshot(self, event: Event, entered: tuple[str, ...], copies: int, stalled: tuple[str, ...]) -> Snapshot:
        memory = self.memory
        slots = {name: memory.where(name) for name in memory.lengths}
        names = tuple(slots), tuple(self.waiting), tuple(self.ended)
        snapshot = Snapshot(event, *names, slots, memory.taken, tuple(memory.holes()), entered, stalled)
        if isinstance(memory, Contiguous):
            return replace(snapshot, pieces=dict(memory.pieces))
        tables = {name: tuple(table) for name, table in memory.tables.items()}
        return replace(snapshot, tables=tables, refs=memory.refs.copy(), block=memory.block,
                       copies=tuple(memory.copies[copies:]))  # fmt: skip


def run(memory: Memory, requests: Sequence[Request] = REQUESTS, story: Sequence[Event] = STORY) -> list[Snapshot]:
    """Tell a story to an empty memory.

    Parameters
    ----------
    memory : Contiguous or Paged
        Empty; it is filled as the story goes.
    requests : sequence of Request
        Whoever the story names.
    story : sequence of Event

    Returns
    -------
    list of Snapshot
        The memory after each event.

    Raises
    ------
    ValueError
        If an event is of an unknown kind.

    References
    ----------
    .. [1] Kwon et al., 2023, arXiv:2309.06180, section 4.5: first come, first served.
    """
    server = Server(memory, {request.name: request for request in requests})
    return [server.take(event) for event in story]


def tail_waste(block: int) -> float:
    """Mean number of empty slots in the last block of a sequence.

    Parameters
    ----------
    block : int
        Slots in a block, B [tokens].

    Returns
    -------
    float
        (B - 1) / 2 [tokens]: the mean of 0, 1 … B - 1, when every remainder of the length by B is equally frequent.
    """
    return (block - 1) / 2
