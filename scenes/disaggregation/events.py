"""One GPU from event to event, for prompts of one length and replies of another: when each request's tokens come."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np

from .model import LINEAR, READ, SERVER, Prompt, attend

REPLY = 256  # tokens of each reply; the first comes from prefill
LEAST = 400  # requests that a GPU gets
BULK = 64  # tokens: a chunk of so many computes for longer than it reads the keys before it
NEVER = float("inf")  # [s]
Times = list[float]  # [s]


@dataclass(frozen=True)
class Machine:
    """A GPU that serves prompts of one length. Replies count as half done."""

    prompt: Prompt

    @cached_property
    def room(self) -> int:
        """How many requests its memory holds at a time."""
        return max(int(SERVER.fits(self.prompt.tokens + REPLY)), 1)

    @cached_property
    def attention(self) -> Times:
        """Of a step in which so many decode [s]."""
        return self.parts(SERVER.step(np.arange(self.room + 1), self.prompt.tokens + REPLY / 2).attention)

    @cached_property
    def multiply(self) -> Times:
        """The linear layers' arithmetic in such a step [s]."""
        return self.parts(SERVER.step(np.arange(self.room + 1), self.prompt.tokens + REPLY / 2).multiply)

    @cached_property
    def steps(self) -> Times:
        """The whole of such a step [s]."""
        return [max(READ, some) + other for some, other in zip(self.multiply, self.attention, strict=True)]

    @property
    def requests(self) -> int:
        """As many as fill its memory some times over."""
        return max(LEAST, 3 * self.room)

    @property
    def decoded(self) -> float:
        """Requests that it decodes in a second when it is full [1/s]."""
        return self.room / ((REPLY - 1) * self.steps[-1])

    @staticmethod
    def parts(times: object) -> Times:
        return [float(time) for time in np.asarray(times)]


@dataclass
class Batch:
    """Those who decode: replies are equally long, so who joined first leaves first."""

    machine: Machine
    now: float = 0.0  # [s]
    steps: int = 0
    leaves: deque[int] = field(default_factory=deque)  # after which step each one leaves
    ended: Times = field(default_factory=list)

    def join(self) -> None:
        self.leaves.append(self.steps + REPLY - 1)

    def pass_steps(self, steps: int, seconds: float) -> None:
        """So many steps in all that time; nobody leaves before the last of them."""
        self.now += seconds
        self.steps += steps
        if self.leaves and self.leaves[0] == self.steps:
            self.leave()

    def leave(self) -> None:
        """All whose last token has come."""
        while self.leaves and self.leaves[0] == self.steps:
            self.leaves.popleft()
            self.ended.append(self.now)

    def decode(self, until: float) -> None:
        """Steps without a prompt, until somebody leaves or the time has come; an idle GPU waits for the time."""
        leaves = self.leaves
        if not leaves:
            self.now = until
            return
        each, steps = self.machine.steps[len(leaves)], leaves[0] - self.steps
        if until < NEVER:
            wanted = -int((self.now - until) // each)
            if wanted < steps:
                steps = wanted if wanted > 1 else 1
        self.now += steps * each
        self.steps += steps
        if leaves[0] == self.steps:
            self.leave()


def serve_whole(machine: Machine, come: Times) -> tuple[Times, Times]:
    """A GPU that does both, prompts whole and before decoding: when each first and each last token comes [s]."""
    batch, first, service = Batch(machine), list[float](), machine.prompt.prefill
    while len(batch.ended) < len(come):
        waiting = come[len(first)] if len(first) < len(come) and len(batch.leaves) < machine.room else NEVER
        if waiting <= batch.now:
            batch.now += service
            first.append(batch.now)
            batch.join()
        else:
            batch.decode(waiting)
    return first, batch.ended


def serve_chunks(machine: Machine, come: Times, budget: int) -> tuple[Times, Times]:
    """The same with steps of up to `budget` tokens: one for each who decodes, and chunks of prompts in the rest."""
    batch, first, done = Batch(machine), list[float](), deque[int]()  # done: tokens of the prompts under way
    tokens, most, admitted, total = machine.prompt.tokens, machine.room, 0, len(come)
    leaves, ended = batch.leaves, batch.ended
    while len(ended) < total:
        held = len(leaves) + len(done)
        waiting = come[admitted] if admitted < total and held < most else NEVER
        if waiting <= batch.now:
            done.append(0)
            admitted += 1
            continue
        room = budget - len(leaves)
        if not done:
            batch.decode(waiting)
        elif BULK <= room <= tokens - done[0]:
            chunks = (tokens - done[0]) // room
            if leaves:
                chunks = min(chunks, leaves[0] - batch.steps)
            batch.pass_steps(chunks, alike(batch, room, done[0], chunks))
            done[0] += chunks * room
        else:
            fill(batch, done, room)
        while done and done[0] == tokens:
            done.popleft()
            first.append(batch.now)
            batch.join()
    return first, batch.ended


def alike(batch: Batch, chunk: int, done: int, chunks: int) -> float:
    """Steps that follow one another with chunks of one prompt, all of one size, beside the same batch [s]."""
    machine, live = batch.machine, len(batch.leaves)
    each = max(READ, machine.multiply[live] + chunk * LINEAR) + machine.attention[live]
    return chunks * each + attend(chunks * chunk, done)


def fill(batch: Batch, done: deque[int], room: int) -> None:
    """A step that ends prompts and begins others, as far as its tokens reach."""
    machine, live = batch.machine, len(batch.leaves)
    taken, attention = 0, machine.attention[live]
    for at, before in enumerate(done):
        chunk = max(min(machine.prompt.tokens - before, room - taken), 0)
        attention += attend(chunk, before) if chunk else 0.0
        done[at] += chunk
        taken += chunk
    batch.pass_steps(1, max(READ, machine.multiply[live] + taken * LINEAR) + attention)


def serve_decode(machine: Machine, ready: Times) -> Times:
    """A GPU that only decodes, for caches in the order in which they arrive: when each last token comes [s]."""
    batch = Batch(machine)
    leaves, room = batch.leaves, machine.room
    for come in ready:
        while len(leaves) >= room:
            batch.decode(NEVER)
        while batch.now < come:
            batch.decode(come)
        batch.join()
    while leaves:
        batch.decode(NEVER)
    return batch.ended
