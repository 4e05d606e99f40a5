"""A long sequence of Llama 3 405B over the network: what attention sends, how long that takes, and the arithmetic."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from .._clusters.links import NETWORK, PEAK
from .._clusters.models import LLAMA_405B
from .model import Ring, slowest_pairs

BF16 = 2  # bytes of a number
HIDDEN, KV = LLAMA_405B.hidden, LLAMA_405B.kv_width
PAIR = 4 * HIDDEN / PEAK  # [s]: a multiplication and an addition for score and for output, in all heads


@dataclass(frozen=True)
class Case:
    """One layer's attention, forward, over a sequence of `tokens` cut over `ranks` GPUs, each with a network card."""

    layout: str
    ranks: int
    tokens: int

    @cached_property
    def ring(self) -> Ring:
        """The example of a few tokens."""
        return Ring(self.layout, self.ranks)

    @property
    def block(self) -> int:
        """Keys and values of one GPU's tokens [B]."""
        return 2 * self.tokens // self.ranks * KV * BF16

    @property
    def sent(self) -> int:
        """What a GPU sends, whether round a ring or in an all-gather [B]."""
        return (self.ranks - 1) * self.block

    @property
    def ulysses(self) -> int:
        """What a GPU sends where sequence and heads change places: query, key, value, and the output back [B]."""
        return 2 * (HIDDEN + KV) * self.tokens // self.ranks * BF16 * (self.ranks - 1) // self.ranks

    @property
    def step_transfer(self) -> float:
        """A block over the network [s]."""
        return self.block / NETWORK

    @property
    def transfer(self) -> float:
        """All blocks but one's own over the network [s]."""
        return self.sent / NETWORK

    @cached_property
    def steps(self) -> list[float]:
        """How long the slowest GPU computes in each step of the ring [s]."""
        return [float(pairs) * PAIR for pairs in slowest_pairs(self.layout, self.tokens, self.ranks)]

    @property
    def step_work(self) -> float:
        """The slowest GPU's arithmetic in a step with another's keys [s]."""
        return self.steps[-1]

    @property
    def work(self) -> float:
        """The fullest GPU's arithmetic [s]."""
        return sum(self.steps)

    @property
    def ideal(self) -> float:
        """The arithmetic of each GPU if all have as much [s]."""
        return self.tokens * (self.tokens + 1) / 2 / self.ranks * PAIR

    @property
    def ring_time(self) -> float:
        """All steps, each as long as its arithmetic or the block that comes meanwhile [s]."""
        return sum(max(work, self.step_transfer) for work in self.steps[:-1]) + self.steps[-1]

    @property
    def gather_time(self) -> float:
        """First all blocks, then all arithmetic [s]."""
        return self.transfer + self.work

    @property
    def ulysses_time(self) -> float:
        """Exchanges before and after arithmetic that is always shared equally, by heads [s]."""
        return self.ulysses / NETWORK + self.ideal

    @property
    def hides_from(self) -> int:
        """The shortest sequence whose blocks travel no longer than the slowest GPU computes on one [tokens]."""
        share = 1 if self.layout == "contiguous" else 0.5  # of a block that the slowest GPU may look at
        return round(self.ranks * PEAK / NETWORK * KV / HIDDEN / share)
