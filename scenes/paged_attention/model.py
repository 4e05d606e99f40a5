"""A small story of requests that come, grow and end, told in two memories, and what it wastes in each."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np

from .memory import Contiguous, Copy, Ints, Paged

SLOTS = 256  # a slot holds the keys and values of one token
BLOCKS = (1, 2, 4, 8, 16, 32, 64)
MEAN_LENGTH = 500  # tokens: 161 and 338, the mean prompt and answer of ShareGPT in the vLLM paper, Fig. 11


@dataclass(frozen=True)
class Request:
    """A sequence to come: lengths in tokens, and which prompt it has. Requests of one `text` have the same prompt."""

    name: str
    prompt: int
    output: int
    most: int
    text: int

    @property
    def final(self) -> int:
        """How long it will be: only the teller of the story knows."""
        return self.prompt + self.output

    def prompt_tokens(self) -> Ints:
        return 1000 * self.text + np.arange(self.prompt)

    def output_token(self, place: int) -> int:
        """The token at `place`, which is after the prompt: no two requests say the same."""
        return 1_000_000 * ord(self.name[0]) + place


@dataclass(frozen=True)
class Event:
    """Requests arrive or end, or all that run write `tokens` tokens each."""

    kind: str
    names: str = ""
    tokens: int = 0
    admits: bool = True  # whoever waits and fits, after it


REQUESTS = (
    Request("A", prompt=21, output=12, most=64, text=1),
    Request("B", prompt=37, output=27, most=96, text=2),
    Request("C", prompt=11, output=17, most=64, text=3),
    Request("D", prompt=66, output=20, most=96, text=4),
    Request("E", prompt=41, output=10, most=96, text=5),
    Request("F", prompt=41, output=10, most=96, text=5),
)
NAMES = {request.name: request for request in REQUESTS}
STORY = (
    Event("arrive", "A"), Event("arrive", "BC"), Event("write", tokens=12), Event("end", "A"), Event("arrive", "D"),
    Event("write", tokens=5), Event("end", "C"), Event("arrive", "EF"), Event("write", tokens=1),
    Event("write", tokens=5),
)  # fmt: skip
TELLING = 5  # the step at which one memory makes a request wait, and the other does not


@dataclass(frozen=True)
class Snapshot:
    """A memory after one event. Lengths are in slots, which are tokens."""

    event: Event
    waiting: tuple[str, ...]
    ended: tuple[str, ...]
    entered: tuple[str, ...]  # in this event
    stalled: tuple[str, ...]  # found no slot for a token
    copies: tuple[Copy, ...]  # in this event
    slots: dict[str, list[int]]  # the slot of each token of each running request
    taken: int
    holes: list[tuple[int, int]]
    pieces: dict[str, tuple[int, int]]  # start and size of what is reserved; contiguous
    tables: dict[str, list[int]]  # physical block numbers; paged
    refs: list[int]  # users of each block
    block: int  # slots in a block

    @property
    def running(self) -> tuple[str, ...]:
        return tuple(self.slots)

    @cached_property
    def owners(self) -> dict[int, str]:
        """Whose token stands in each slot that holds one: letters in the order of arrival."""
        owners: dict[int, str] = {}
        for name in sorted(self.slots):
            for slot in self.slots[name]:
                owners[slot] = owners.get(slot, "") + name
        return owners

    @property
    def live(self) -> int:
        """Slots that hold a token of a running request, each counted once."""
        return len(self.owners)

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
        return sum(max(users - 1, 0) for users in self.refs) * self.block


@dataclass
class Server:
    """A memory and the requests before it: first come, first served."""

    memory: Contiguous | Paged
    requests: dict[str, Request]
    waiting: list[str] = field(default_factory=list)
    ended: list[str] = field(default_factory=list)

    def take(self, event: Event) -> Snapshot:
        """Let an event happen, then admit whoever waits, in order, until one does not fit."""
        copied = len(self.memory.copies)
        entered, stalled = list[str](), list[str]()
        if event.kind == "arrive":
            self.waiting += event.names
        elif event.kind == "end":
            for name in event.names:
                self._end(name)
        elif event.kind == "write":
            stalled = [name for _ in range(event.tokens) for name in self.memory.lengths if not self._write(name)]
        else:
            raise ValueError(f"an event is arrive, write or end, not '{event.kind}'")
        while self.waiting and event.admits and self._admit(self.waiting[0]):
            entered.append(self.waiting.pop(0))
        return self._snapshot(event, entered, stalled, copied)

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

    def _snapshot(self, event: Event, entered: list[str], stalled: list[str], copied: int) -> Snapshot:
        memory = self.memory
        return Snapshot(
            event, tuple(self.waiting), tuple(self.ended), tuple(entered), tuple(dict.fromkeys(stalled)),
            tuple(memory.copies[copied:]), {name: memory.where(name).tolist() for name in memory.lengths},
            memory.taken, memory.holes(), dict(memory.pieces),
            {name: list(table) for name, table in memory.tables.items()}, memory.refs.tolist(), memory.block,
        )  # fmt: skip


def run(
    memory: Contiguous | Paged, requests: Sequence[Request] = REQUESTS, story: Sequence[Event] = STORY
) -> list[Snapshot]:
    """Tell a story to an empty memory: what it is like after each event.

    References
    ----------
    .. [1] Kwon et al., 2023, arXiv:2309.06180, section 4.5: first come, first served.
    """
    server = Server(memory, {request.name: request for request in requests})
    return [server.take(event) for event in story]


def tail_waste(block: int) -> float:
    """Mean number of empty slots in the last block of a sequence [tokens].

    (B - 1) / 2, the mean of 0, 1 … B - 1, when every remainder of the length by the block's B slots is equally
    frequent.
    """
    return (block - 1) / 2
