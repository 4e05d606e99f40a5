"""A prefix cache: what of each prompt it holds, what it evicts, and what a hybrid's snapshots let it use."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache, cached_property
from math import ceil, inf
from typing import NamedTuple

from .._serving.shapes import recurrent_state
from .workloads import Request, Workload, hundred

CHUNK = 8192  # tokens that one step of prefill takes at most
EACH, LAST = "each", "last"  # where a hybrid leaves snapshots: at the end of each block, of each step of prefill


def hybrid_block(state: int, token: int, grid: int = 16) -> int:
    """Tokens in a block of attention's cache that is at least as large as a recurrent layer's state.

    Parameters
    ----------
    state : int
        Bytes of one layer's recurrent state [B].
    token : int
        Bytes that a token leaves in one attention layer [B].
    grid : int
        Blocks are a multiple of so many tokens.

    References
    ----------
    .. [1] vLLM, "Hybrid KV Cache Manager", case 4; issue 40696, whose log has 528 for Qwen3.5-4B.
    """
    return ceil(state / token / grid) * grid


# Qwen3.5-4B: a gated delta net's 32 heads of 128 × 128 numbers in FP32, and the last 3 inputs of a convolution over
# 8,192 channels in BF16; an attention layer's keys and values are 4 heads of 256 numbers each, in BF16 [B].
STATE = recurrent_state(32, 8192)
TOKEN = 2 * 4 * 256 * 2
HYBRID = hybrid_block(STATE, TOKEN)


class Turn(NamedTuple):
    """What a request finds, and what the cache holds when it is done."""

    request: Request
    known: int  # how much of the prompt some request before has had at its beginning [tokens]
    hit: int  # how much of it is taken from the cache [tokens]
    root: int  # blocks of the shared prefix
    held: tuple[int, ...]  # blocks of each branch behind the shared ones
    evicted: int  # blocks that had to go for it
    ends: frozenset[tuple[int, int]]  # branch and block of each snapshot, where these are left at ends only

    @property
    def lost(self) -> int:
        """What was there once, or still is, and is computed again [tokens]."""
        return self.known - self.hit

    @property
    def blocks(self) -> int:
        return self.root + sum(self.held)


@dataclass(frozen=True)
class Cache:
    """A cache of whole blocks under a workload. Nothing shares a block but equal beginnings of prompts.

    `capacity` is in tokens; without a wall it is infinite. `snapshots` matters for a hybrid: every layer with a fixed
    state must have kept it at the very token where a prompt is taken up.

    References
    ----------
    .. [1] vLLM, "Automatic Prefix Caching": whole blocks, keyed by all tokens up to their end, least recently used
       first, the ends of a request before its beginning.
    .. [2] Zheng et al., "SGLang", 2024, arXiv:2312.07104, section 3: a radix tree whose leaves go first.
    """

    workload: Workload
    block: int = 16
    capacity: float = inf
    snapshots: str = EACH
    chunk: int = CHUNK

    @cached_property
    def turns(self) -> tuple[Turn, ...]:
        """Serve all requests, one after the other."""
        root, found = self.workload.shared // self.block, []
        held, used, ends = [0] * self.workload.branches, [-1] * self.workload.branches, set[tuple[int, int]]()
        for now, (request, known) in enumerate(zip(self.workload.requests, self.workload.known, strict=True)):
            here, there = request.branch, root if found else 0
            hit = min(there + held[here], request.prompt // self.block)
            if self.snapshots == LAST:
                hit = max((at for branch, at in ends if at <= hit and (branch == here or at <= root)), default=0)
            need = ceil(request.length / self.block) - held[here] - there
            evicted = self.evict(held, used, here, there + sum(held) + need)
            used[here], held[here] = now, request.length // self.block - root
            if self.snapshots == LAST:
                ends |= {(here, at) for at in self.ends(hit, request)}
                ends = {(branch, at) for branch, at in ends if at <= root + held[branch]}
            found.append(Turn(request, known, hit * self.block, root, tuple(held), evicted, frozenset(ends)))
        return tuple(found)

    def evict(self, held: list[int], used: list[int], here: int, wanted: int) -> int:
        """Make room: the branch that nobody has used longest loses its end first. How many blocks went."""
        if self.capacity == inf or wanted <= self.capacity // self.block:
            return 0
        over, gone = wanted - int(self.capacity // self.block), 0
        for branch in sorted(set(range(len(held))) - {here}, key=used.__getitem__):
            some = min(over - gone, held[branch])
            held[branch] -= some
            gone += some
        if gone < over:
            raise ValueError(f"{self.capacity:,} tokens of memory can't hold one request and its prefix")
        return gone

    def ends(self, start: int, request: Request) -> list[int]:
        """The blocks behind which a request leaves a snapshot, where it leaves one at the end of each step only."""
        step, last = self.chunk // self.block, request.length // self.block
        return [*range(start + step, request.prompt // self.block, step), request.prompt // self.block, last]

    @cached_property
    def found(self) -> int:
        """Prompt tokens that need not be computed."""
        return sum(turn.hit for turn in self.turns)

    @property
    def rate(self) -> float:
        """Of all prompt tokens, the share that is found."""
        return self.found / self.workload.prompts

    @property
    def lost(self) -> int:
        """Prompt tokens that are computed again, though the same prefix was there before."""
        return sum(turn.lost for turn in self.turns)

    @property
    def evicted(self) -> int:
        """Blocks that had to go."""
        return sum(turn.evicted for turn in self.turns)

    @property
    def most(self) -> int:
        """The most that lay in the cache after a request [tokens]."""
        return max(turn.blocks for turn in self.turns) * self.block


@cache
def hundred_chats(block: int, snapshots: str) -> float:
    """The rate of a hundred chats with one system prompt, where all fits."""
    return Cache(hundred(), block, inf, snapshots).rate
