"""A long prompt comes to a server that decodes for others: how long everybody waits, by the tokens of a step."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache, cached_property
from typing import NamedTuple

from .._gpus.rates import GPUS
from .._serving.models import MODELS
from .._serving.step import Server

SERVER = Server(MODELS["8B"], GPUS["H100"])
OTHERS, CONTEXT = 32, 1024  # conversations that decode when the prompt comes, and the tokens of each
ALONE, CHUNKS = "alone", "chunks"
PROMPTS = (1024, 4096, 16_384)  # tokens
BUDGETS = (64, 96, 128, 192, 256, 320, 384, 512, 640, 768, 1024, 1536, 2048, 3072, 4128, 6144, 8192, 16_416)  # tokens


class Turn(NamedTuple):
    """One step of the server: when it begins and ends [s], and how many tokens of the prompt it computes."""

    start: float
    end: float
    chunk: int
    done: int  # tokens of the prompt that earlier steps computed

    @property
    def time(self) -> float:
        return self.end - self.start


@cache
def step_time(batch: int, context: float, chunks: tuple[tuple[int, int], ...] = ()) -> float:
    """How long a step takes in which some conversations decode, and some prompts get on [s].

    Linear layers, attention of those who decode and attention of the prompts follow one another; within each, reading
    and arithmetic overlap, at the rates of the data sheet.

    Parameters
    ----------
    batch : int
        Conversations, each of which gets a token.
    context : float
        Tokens of each of them, on average.
    chunks : tuple of (int, int)
        Of each prompt, the tokens that are computed in this step, and those that were before.
    """
    tokens = batch + sum(chunk for chunk, _ in chunks)
    return linear(tokens) + attention(batch, round(context)) + sum(prompt_time(*one) for one in chunks)


@cache
def linear(tokens: int) -> float:
    """The linear layers of a step with so many tokens [s]."""
    return float(SERVER.step(tokens, 0).linear)


@cache
def attention(batch: int, context: int) -> float:
    """Attention of those who decode [s]."""
    return float(SERVER.step(batch, context).attention)


@cache
def prompt_time(chunk: int, done: int) -> float:
    """Attention of a prompt's chunk behind the tokens that were before [s]."""
    return float(SERVER.step(0, 0, chunk=chunk, done=done).prompt)


DECODE = step_time(OTHERS, CONTEXT)  # [s] of a step for the others alone


def turns(prompt: int, sizes: Iterable[int], batch: int) -> list[Turn]:
    """The steps of a prompt that is cut into chunks of some sizes, beside a batch that decodes."""
    found: list[Turn] = []
    start, done = 0.0, 0
    for size in sizes:
        chunk = min(size, prompt - done)
        end = start + step_time(batch, CONTEXT, ((chunk, done),))
        found.append(Turn(start, end, chunk, done))
        start, done = end, done + chunk
    return found


@dataclass(frozen=True)
class Stall:
    """A prompt that arrives just when a step begins; the others' conversations count as no longer meanwhile.

    By itself it is computed in one step, and nobody decodes in it. In chunks, every step has a token for each of the
    others and fills up to `budget` tokens with the prompt.

    References
    ----------
    .. [1] Agrawal et al., "Taming Throughput-Latency Tradeoff in LLM Inference with Sarathi-Serve", 2024,
       arXiv:2403.02310.
    """

    how: str
    prompt: int
    budget: int

    @cached_property
    def turns(self) -> list[Turn]:
        if self.how == ALONE:
            return turns(self.prompt, [self.prompt], 0)
        chunk = self.budget - OTHERS
        return turns(self.prompt, [chunk] * -(-self.prompt // chunk), OTHERS)

    @property
    def first(self) -> float:
        """From the prompt's arrival to its first token [s]: its TTFT."""
        return self.turns[-1].end

    @property
    def gap(self) -> float:
        """The longest time between two tokens of one of the others [s]: the worst ITL."""
        return self.first + DECODE if self.how == ALONE else max(turn.time for turn in self.turns)

    @property
    def decoded(self) -> int:
        """Tokens that the others get until then."""
        return 0 if self.how == ALONE else OTHERS * len(self.turns)

    @property
    def reread(self) -> float:
        """Keys and values of the prompt's earlier chunks that later ones read again [B]."""
        return float(sum(turn.done for turn in self.turns) * SERVER.model.cache_token)

    @property
    def slower(self) -> float:
        """The longest gap over that without the prompt [×]."""
        return self.gap / DECODE


@cache
def stall(how: str, prompt: int, budget: int) -> Stall:
    return Stall(how, prompt, budget)
