"""Who asks what, in which order: requests whose prompts begin alike."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache, cached_property
from itertools import pairwise
from typing import NamedTuple

import numpy as np

CHAT, CHATS, AGENT = "chat", "chats", "agent"
END = 0  # where an agent's changed token stands if it stands at the end, behind all that was there before


class Request(NamedTuple):
    """One request. Those of the same `branch` go on where the one before ended; others share the workload's prefix."""

    branch: int
    turn: int  # of its conversation, from 1
    prompt: int  # [tokens]
    reply: int  # [tokens]

    @property
    def length(self) -> int:
        """What it leaves: prompt and reply [tokens]."""
        return self.prompt + self.reply


@dataclass(frozen=True)
class Workload:
    """Requests in the order in which they come; different branches share their first `shared` tokens."""

    shared: int
    requests: tuple[Request, ...]

    @cached_property
    def branches(self) -> int:
        return 1 + max(request.branch for request in self.requests)

    @cached_property
    def longest(self) -> int:
        """The longest prompt with its reply [tokens]."""
        return max(request.length for request in self.requests)

    @cached_property
    def prompts(self) -> int:
        """All prompts together [tokens]."""
        return sum(request.prompt for request in self.requests)

    @cached_property
    def known(self) -> tuple[int, ...]:
        """How much of each prompt some request before has had at its beginning [tokens]."""
        found, lengths = [], dict[int, int]()
        for request in self.requests:
            start = min(self.shared, request.prompt) if lengths else 0
            found.append(min(max(lengths.get(request.branch, 0), start), request.prompt))
            lengths[request.branch] = request.length
        return tuple(found)

    @cached_property
    def tree(self) -> int:
        """Different tokens of all: what a memory without a wall would hold, but for rounding [tokens]."""
        ends = {request.branch: request.length for request in self.requests}
        return self.shared + sum(end - self.shared for end in ends.values())


class Shape(NamedTuple):
    """A conversation: what all of its kind begin with, what each turn adds, what is replied, and how often."""

    system: int  # [tokens]
    added: int
    reply: int
    turns: int

    def prompts(self) -> list[int]:
        """Each turn's prompt: all that was said before, and what is added [tokens]."""
        return [self.system + self.added + turn * (self.reply + self.added) for turn in range(self.turns)]


TALK = Shape(1000, 100, 300, 5)
LOOP = Shape(20_000, 2000, 500, 20)
SIX, HUNDRED = 6, 100  # chats that share a system prompt
GAP, THINK, SEED = 3.0, 4.0, 2  # mean times between chats' beginnings and between turns, in the time of one request


@cache
def workload(kind: str, change: int = END) -> Workload:
    """One of the workloads of the scene."""
    if kind == AGENT:
        return agent(change)
    return chats(SIX, staggered()) if kind == CHATS else chats(1, ((0, 0), (0, 1), (0, 2), (0, 3), (0, 4)))


def chats(count: int, order: tuple[tuple[int, int], ...]) -> Workload:
    """Chats with one system prompt, in an order of (chat, turn)."""
    prompts = TALK.prompts()
    found = tuple(Request(chat, turn + 1, prompts[turn], TALK.reply) for chat, turn in order)
    assert len(found) == count * TALK.turns
    return Workload(TALK.system, found)


def hundred() -> Workload:
    """Many chats, each turn of all before the next."""
    return chats(HUNDRED, tuple((chat, turn) for turn in range(TALK.turns) for chat in range(HUNDRED)))


def staggered() -> tuple[tuple[int, int], ...]:
    """Chats that begin one after another, and whose users take random times to go on."""
    random, found = np.random.default_rng(SEED), []
    for chat in range(SIX):
        pauses = 1 + random.exponential(THINK, TALK.turns)
        starts = GAP * chat + np.concatenate(([0.0], np.cumsum(pauses)[:-1]))
        found += [(float(start), chat, turn) for turn, start in enumerate(starts)]
    return tuple((chat, turn) for _, chat, turn in sorted(found))


def agent(change: int) -> Workload:
    """A loop of an agent: each turn sends all that was there before, and a tool's result.

    With `change`, a token there differs from turn to turn, as the time of day does: every turn branches off.
    """
    prompts = LOOP.prompts()
    branches = range(LOOP.turns) if change else [0] * LOOP.turns
    found = [Request(branch, turn, prompt, LOOP.reply)
             for turn, (branch, prompt) in enumerate(zip(branches, prompts, strict=True), 1)]  # fmt: skip
    assert all(before.length < after.prompt for before, after in pairwise(found))
    return Workload(change or LOOP.system, tuple(found))
