"""Two GPUs over a stretch of time, event by event: prompts come in, and conversations want their next tokens."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cache, cached_property
from itertools import pairwise
from typing import NamedTuple

from .._serving.models import MODELS
from .goodput import REPLY
from .model import SERVER, Prompt

ARRIVALS = (0.6, 1.9, 3.4, 4.0, 6.2)  # when prompts come, in times of their prefill
SHOWN = 8.0  # the stretch of time, in the same measure
TALKS, PAST = 32, 2048  # conversations that are under way all the time, and their tokens


class Stretch(NamedTuple):
    """Something that a GPU or the link does from one time to another [s]."""

    start: float
    end: float
    what: str  # "prefill", "send", or "decode": a run of steps without a gap
    prompt: int = -1


@dataclass
class Decoder:
    """A GPU that decodes step by step, for some conversations that stay and some that end."""

    talks: int
    tokens: int  # of a prompt
    joined: list[int] = field(default_factory=list)  # further tokens that each newcomer still gets
    runs: list[tuple[float, float]] = field(default_factory=list)
    ends: list[float] = field(default_factory=list)  # of all steps

    @property
    def step(self) -> float:
        """The time of a step with all that are there [s]."""
        return step_time(self.talks, len(self.joined), self.tokens)

    @property
    def waits(self) -> list[tuple[float, float]]:
        """When each token came, and after how long [s]."""
        return [(after, after - before) for before, after in pairwise([0.0, *self.ends])]

    def run(self, start: float) -> float:
        """One step; when it ends [s]."""
        end = start + self.step
        if self.runs and abs(self.runs[-1][1] - start) < 1e-12:
            self.runs[-1] = (self.runs[-1][0], end)
        else:
            self.runs.append((start, end))
        self.ends.append(end)
        self.joined = [left - 1 for left in self.joined if left > 1]
        return end


@cache
def step_time(talks: int, joined: int, tokens: int) -> float:
    """A decode step of conversations with a past of their own length and of newcomers with that of a prompt [s]."""
    batch = talks + joined
    return float(SERVER.step(batch, (talks * PAST + joined * (tokens + REPLY / 2)) / batch).time)


@dataclass(frozen=True)
class Scenario:
    """What each lane does, when each prompt has its first token, and how long conversations wait for theirs."""

    lanes: dict[str, list[Stretch]]
    first: tuple[float, ...]  # from each prompt's arrival to its first token [s]
    waits: tuple[tuple[float, float], ...]  # for tokens of those under way: when each came, and after how long [s]
    steps: dict[str, list[float]]  # when each decode step ends [s]
    shown: float  # [s]

    @cached_property
    def gaps(self) -> tuple[float, ...]:
        """Between tokens of conversations that were under way [s]."""
        return tuple(gap for _, gap in self.waits)

    @cached_property
    def longest(self) -> float:
        """The longest wait for a next token [s]."""
        return max(self.gaps)

    def longest_by(self, now: float) -> float:
        """The longest wait that has ended by then [s]."""
        return max((gap for end, gap in self.waits if end <= now), default=0.0)

    @property
    def mean(self) -> float:
        """The mean wait for a next token [s]."""
        return sum(self.gaps) / len(self.gaps)


def together(prompt: Prompt) -> Scenario:
    """Two GPUs that do both; prompts go to them by turns, and before decoding."""
    service = prompt.prefill
    shown, first, waits = SHOWN * service, [0.0] * len(ARRIVALS), list[tuple[float, float]]()
    lanes, steps = dict[str, list[Stretch]](), dict[str, list[float]]()
    for gpu in range(2):
        waiting = [(at * service, number) for number, at in enumerate(ARRIVALS) if number % 2 == gpu]
        decoder, done, now = Decoder(TALKS // 2, prompt.tokens), list[Stretch](), 0.0
        while now < shown:
            if waiting and waiting[0][0] <= now:
                came, number = waiting.pop(0)
                done.append(Stretch(now, now + service, "prefill", number))
                now += service
                first[number] = now - came
                decoder.joined.append(REPLY - 1)
            else:
                now = decoder.run(now)
        lanes[f"both-{gpu}"] = done + [Stretch(*run, "decode") for run in decoder.runs]
        steps[f"both-{gpu}"] = decoder.ends
        waits += decoder.waits
    return Scenario(lanes, tuple(first), tuple(waits), steps, shown)


def apart(prompt: Prompt, link: str) -> Scenario:
    """One GPU for prompts, one for decoding, and a link between them."""
    service, sending = prompt.prefill, prompt.transfer(link)
    shown, free, linked = SHOWN * service, 0.0, 0.0
    computed, sent, first = list[Stretch](), list[Stretch](), list[float]()
    for number, at in enumerate(ARRIVALS):
        start = max(at * service, free)
        free = start + service
        computed.append(Stretch(start, free, "prefill", number))
        first.append(free - at * service)
        linked = max(free, linked) + sending
        sent.append(Stretch(linked - sending, linked, "send", number))
    decoder, now, coming = Decoder(TALKS, prompt.tokens), 0.0, [one.end for one in sent]
    while now < shown:
        while coming and coming[0] <= now:
            coming.pop(0)
            decoder.joined.append(REPLY - 1)
        now = decoder.run(now)
    decoded = [Stretch(*run, "decode") for run in decoder.runs]
    lanes = {"prefill": computed, "link": sent, "decode": decoded}
    return Scenario(lanes, tuple(first), tuple(decoder.waits), {"decode": decoder.ends}, shown)


@cache
def scenarios(tokens: int, link: str) -> tuple[Scenario, Scenario]:
    """Both ways to serve the same prompts."""
    prompt = Prompt(MODELS["8B"], tokens)
    return together(prompt), apart(prompt, link)
