"""Requests as they are told: which has come, whether its prompt has found its place, and what is said."""

from __future__ import annotations

from typing import NamedTuple

from loom.draw import count, percent
from loom.scene import Moment, Phase, evenly

from .case import Case
from .model import LAST, Turn
from .workloads import AGENT, CHAT, CHATS, END, LOOP, TALK

FIRST, NEXT, OTHER, REST, FULL, WHOLE = "first", "next", "other", "rest", "full", "whole"
LONGEST = 15.0  # [s] for all requests that are not told one by one
SLOW, BRISK = 1.4, 0.9  # [s] for a request, at most
NEAR = 0.1  # a rate this close to that of a memory without a wall does well


class Now(NamedTuple):
    """Where the story is: how many requests have come, and whether the last has found its place."""

    come: int
    landed: bool
    whole: bool = False

    @property
    def served(self) -> int:
        return self.come if self.landed else self.come - 1


def spans(case: Case) -> dict[str, range]:
    """The requests that each phase tells."""
    last, told = len(case.cache.turns), 3 if case.kind == CHATS else 2
    crowded = max(case.crowded, told)
    return {FIRST: range(1), NEXT: range(1, 2), OTHER: range(2, told), REST: range(told, crowded),
            FULL: range(crowded, last)}  # fmt: skip


def now_of(moment: Moment) -> Now:
    """Each request takes two pictures: its prompt comes, then it lies where it belongs."""
    if moment.phase == WHOLE:
        return Now(len(moment.result.cache.turns), True, True)
    first = spans(moment.result)[moment.phase].start
    return Now(first + moment.beat // 2 + 1, moment.beat % 2 == 1)


def seconds(moment: Moment) -> tuple[float, ...]:
    """When each picture is shown: a request's prompt, and a little later its place."""
    case: Case = moment.result
    span = spans(case)[moment.phase]
    each = SLOW if moment.phase in (FIRST, NEXT, OTHER) else min(BRISK, LONGEST / max(1, len(case.cache.turns) - 2))
    half = 0.2 if moment.phase == FIRST else 0.45  # of each; Play begins with a prompt that has come already
    return tuple(each * (at + part) for at in range(len(span)) for part in (0.0, half))


def comparing(moment: Moment) -> tuple[float, ...]:
    """In the end a dot runs along the curve from stop to stop; where nothing finds more, nothing moves."""
    ways = len(moment.result.way) - 1
    return evenly(ways, 0.45 * ways, lead=0.25, landed=True)


def name_of(case: Case, turn: Turn) -> str:
    """Whose request it is."""
    who = "the agent" if case.kind == AGENT else f"chat {letter(turn.request.branch)}"
    return f"{who}, turn {turn.request.turn}"


def letter(branch: int) -> str:
    return "ABCDEF"[branch]


def share(rate: float) -> str:
    """A rate with one decimal, so that it does not jump as it grows."""
    return f"{100 * rate:.1f}%"


def rate_so_far(case: Case, served: int) -> float:
    """The share of prompt tokens found by then."""
    turns = case.cache.turns[:served]
    return sum(turn.hit for turn in turns) / max(1, sum(turn.request.prompt for turn in turns))


def opened(case: Case, at: int) -> str:
    """A request's name and length, as a sentence begins."""
    turn = case.cache.turns[at]
    who = name_of(case, turn)
    return f"{who[0].upper()}{who[1:]}: {turn.request.prompt:,} tokens"


def say_first(moment: Moment) -> str:
    case: Case = moment.result
    begin, system = ("instructions and tools", LOOP.system) if case.kind == AGENT else ("a system prompt", TALK.system)
    unit = count(case.block, "token")
    return f"{opened(case, 0)}, {system:,} of them {begin}. All are computed; keys and values stay in blocks of {unit}."


def say_next(moment: Moment) -> str:
    return found_words(moment.result, 1, "the turn before")


def say_other(moment: Moment) -> str:
    return found_words(moment.result, 2, "other chats")


def found_words(case: Case, at: int, whose: str) -> str:
    """How much of a prompt was there, and how much of that is found."""
    turn = case.cache.turns[at]
    words = f"{opened(case, at)}, {turn.known:,} known from {whose}"
    if not turn.lost:
        return f"{words}. All of these are found, and {turn.request.prompt - turn.hit:,} are computed."
    if turn.hit and case.snapshots == LAST:
        return f"{words}. Up to the last snapshot before they part, {turn.hit:,} are found."
    if turn.hit:
        unit = count(case.block, "token")
        return f"{words}. Whole blocks of {unit} are found: {turn.hit:,}."
    if case.snapshots == LAST:
        return f"{words}. None can be used: the snapshot lies behind the place where they part."
    return f"{words}. None can be used: they do not fill a block of {count(case.block, 'token')}."


def say_rest(moment: Moment) -> str:
    case: Case = moment.result
    if case.kind == CHAT:
        return "Each turn sends the whole conversation again and finds all but its newest words."
    if case.kind == CHATS:
        return (
            "Each prompt goes along the tree as far as its tokens agree. What is new is computed and becomes a branch."
        )
    if case.change == END:
        return "Each turn sends all that was there before, and a tool’s new result. Only that is computed."
    return (
        f"Token {case.change:,} differs each time, as a clock would. All behind it has another past, so each turn "
        "grows a branch of its own."
    )


def say_full(moment: Moment) -> str:
    case: Case = moment.result
    return (
        f"{case.capacity:,} tokens of memory are full: the chat unused for longest loses its last blocks first. If it "
        "comes back, they are computed again."
    )


def say_whole(moment: Moment) -> str:
    case: Case = moment.result
    cache = case.cache
    words = f"{cache.found:,} of {cache.workload.prompts:,} prompt tokens were found."
    if case.kind == AGENT and case.change != END:
        return f"{words} With the change at the prompt’s end it would be {share(case.curve.stops[-1][1])}."
    again = f"{cache.lost:,} were known and computed again"
    if case.hybrid:
        reason = "for want of memory or a snapshot" if cache.evicted else "a state can be taken up at a snapshot only"
        return f"{words} {again}{'' if cache.evicted else ':'} {reason}."
    if cache.evicted:
        part, room = percent(100 * case.capacity / cache.workload.tree, 2), case.unbounded
        if room - cache.rate > NEAR:
            return f"{words} Memory holds {part} of the whole tree; if it held all, {share(room)} would be found."
        return f"{words} Memory for {part} of the whole tree is enough for that, because chats end."
    if not cache.lost:
        return f"{words} Only what was new had to be computed."
    return f"{words} {again}: they filled no block of {count(case.block, 'token')}."


PHASES = (
    Phase(FIRST, say_first, beats=seconds),
    Phase(NEXT, say_next, beats=seconds),
    Phase(OTHER, say_other, moments=lambda case: (0,) if spans(case)[OTHER] else (), beats=seconds),
    Phase(REST, say_rest, moments=lambda case: (0,) if spans(case)[REST] else (), beats=seconds),
    Phase(FULL, say_full, moments=lambda case: (0,) if spans(case)[FULL] else (), beats=seconds),
    Phase(WHOLE, say_whole, beats=comparing),
)
