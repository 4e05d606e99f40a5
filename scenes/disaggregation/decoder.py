"""A GPU that decodes step by step in the lanes, for conversations that stay and for newcomers."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cache
from itertools import pairwise

from .events import REPLY
from .model import LINEAR, READ, SERVER, attend

TALKS, PAST = 32, 2048  # conversations that are under way all the time, and their tokens


@cache
def shared_step(talks: int, joined: int, tokens: int) -> tuple[float, float]:
    """Of those who decode: the linear layers' arithmetic [s], and attention [s].

    Some have a past of their own length, newcomers have that of a prompt.
    """
    batch = talks + joined
    one = SERVER.step(batch, (talks * PAST + joined * (tokens + REPLY / 2)) / batch)
    return float(one.multiply), float(one.attention)


@dataclass
class Decoder:
    """A GPU that decodes, for some conversations that stay and some that end."""

    talks: int
    tokens: int  # of a prompt
    joined: list[int] = field(default_factory=list)  # further tokens that each newcomer still gets
    runs: list[tuple[float, float]] = field(default_factory=list)
    ends: list[float] = field(default_factory=list)  # of all steps

    @property
    def waits(self) -> list[tuple[float, float]]:
        """When each token came, and after how long [s]."""
        return [(after, after - before) for before, after in pairwise([0.0, *self.ends])]

    def step(self, chunks: tuple[tuple[int, int], ...]) -> float:
        """The time of a step with all that are there, and with chunks (tokens, those done before) of prompts [s]."""
        multiply, attention = shared_step(self.talks, len(self.joined), self.tokens)
        taken = sum(chunk for chunk, _ in chunks)
        return max(READ, multiply + taken * LINEAR) + attention + sum(attend(*one) for one in chunks)

    def run(self, start: float, chunks: tuple[tuple[int, int], ...] = ()) -> float:
        """One step; when it ends [s]."""
        end = start + self.step(chunks)
        if self.runs and abs(self.runs[-1][1] - start) < 1e-12:
            self.runs[-1] = (self.runs[-1][0], end)
        else:
            self.runs.append((start, end))
        self.ends.append(end)
        self.joined = [left - 1 for left in self.joined if left > 1]
        return end
