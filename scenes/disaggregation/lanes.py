"""Two GPUs over a stretch of time, event by event: prompts come in, and conversations want their next tokens."""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import dataclass
from functools import cache, cached_property
from itertools import accumulate
from typing import NamedTuple

from .._serving.models import MODELS
from .decoder import TALKS, Decoder
from .events import REPLY
from .model import Prompt

ARRIVALS = (0.6, 1.9, 3.4, 4.0, 6.2)  # when prompts come, in times of their prefill
WHOLE, CHUNKS, APART = "whole", "chunks", "apart"  # three ways with two GPUs: the first two do both
SHOWN = 8.0  # the stretch of time, in the same measure


class Stretch(NamedTuple):
    """Something that a GPU or the link does from one time to another [s]."""

    start: float
    end: float
    what: str  # "prefill", "chunks", "send", or "decode": a run of steps without a gap
    prompt: int = -1


@dataclass(frozen=True, eq=False)  # each is made once
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

    @property
    def come(self) -> int:
        """Caches that have come over the link in the time shown."""
        return sum(one.end < self.shown for one in self.lanes["link"])

    @cached_property
    def longest(self) -> float:
        """The longest wait for a next token [s]."""
        return max(self.gaps)

    def longest_by(self, now: float) -> float:
        """The longest wait that has ended by then [s]."""
        ends, longest = self._growing
        return longest[bisect_right(ends, now)]

    @cached_property
    def _growing(self) -> tuple[list[float], list[float]]:
        """When each wait ends, in order; and the longest before the first of them, and after each."""
        ends, gaps = zip(*sorted(self.waits), strict=True)
        return [*ends], [0.0, *accumulate(gaps, max)]

    @property
    def mean(self) -> float:
        """The mean wait for a next token [s]."""
        return sum(self.gaps) / len(self.gaps)


def turns(gpu: int) -> list[int]:
    """The prompts that one of two GPUs gets."""
    return [number for number in range(len(ARRIVALS)) if number % 2 == gpu]


@cache
def whole(tokens: int) -> Scenario:
    """Two GPUs that do both; prompts go to them by turns, and are computed whole and before decoding."""
    service = Prompt(MODELS["8B"], tokens).prefill
    shown, first, waits = SHOWN * service, [0.0] * len(ARRIVALS), list[tuple[float, float]]()
    lanes, steps = dict[str, list[Stretch]](), dict[str, list[float]]()
    for gpu in range(2):
        waiting, decoder, done, now = turns(gpu), Decoder(TALKS // 2, tokens), list[Stretch](), 0.0
        while now < shown:
            if waiting and ARRIVALS[waiting[0]] * service <= now:
                number = waiting.pop(0)
                done.append(Stretch(now, now + service, "prefill", number))
                now += service
                first[number] = now - ARRIVALS[number] * service
                decoder.joined.append(REPLY - 1)
            else:
                now = decoder.run(now)
        lanes[f"whole-{gpu}"] = done + [Stretch(*run, "decode") for run in decoder.runs]
        steps[f"whole-{gpu}"] = decoder.ends
        waits += decoder.waits
    return Scenario(lanes, tuple(first), tuple(waits), steps, shown)


@cache
def in_chunks(tokens: int, budget: int) -> Scenario:
    """The same two GPUs with steps of up to `budget` tokens: one for each who decodes, and chunks in the rest."""
    service = Prompt(MODELS["8B"], tokens).prefill
    shown, first, waits = SHOWN * service, [0.0] * len(ARRIVALS), list[tuple[float, float]]()
    lanes, steps = dict[str, list[Stretch]](), dict[str, list[float]]()
    for gpu in range(2):
        decoder, ends, now = Decoder(TALKS // 2, tokens), dict[int, tuple[float, float]](), 0.0
        left = dict.fromkeys(turns(gpu), tokens)
        while now < shown:
            taken, room = dict[int, int](), budget - decoder.talks - len(decoder.joined)
            for number, more in left.items():
                if more and room and ARRIVALS[number] * service <= now:
                    taken[number] = min(more, room)
                    room -= taken[number]
            start, now = now, decoder.run(now, tuple((part, tokens - left[one]) for one, part in taken.items()))
            for number, part in taken.items():
                ends[number] = (ends.get(number, (start, start))[0], now)
                left[number] -= part
                if not left[number]:
                    first[number] = now - ARRIVALS[number] * service
                    decoder.joined.append(REPLY - 1)
        lanes[f"chunks-{gpu}"] = [Stretch(*run, "decode") for run in decoder.runs] + chunk_stretches(ends)
        steps[f"chunks-{gpu}"] = decoder.ends
        waits += decoder.waits
    return Scenario(lanes, tuple(first), tuple(waits), steps, shown)


def chunk_stretches(ends: dict[int, tuple[float, float]]) -> list[Stretch]:
    """From the first step with a part of each prompt to the last; a step that two share is the earlier one's."""
    found, free = list[Stretch](), 0.0
    for number, (start, end) in ends.items():
        found.append(Stretch(max(start, free), end, "chunks", number))
        free = end
    return found


@cache
def apart(tokens: int, link: str) -> Scenario:
    """One GPU for prompts, one for decoding, and a link between them."""
    prompt = Prompt(MODELS["8B"], tokens)
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
    decoder, now, coming = Decoder(TALKS, tokens), 0.0, [one.end for one in sent]
    while now < shown:
        while coming and coming[0] <= now:
            coming.pop(0)
            decoder.joined.append(REPLY - 1)
        now = decoder.run(now)
    decoded = [Stretch(*run, "decode") for run in decoder.runs]
    lanes = {"prefill": computed, "link": sent, "decode": decoded}
    return Scenario(lanes, tuple(first), tuple(decoder.waits), {"decode": decoder.ends}, shown)
