"""The phases of the story, what is said in each, and how far time has come."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from loom.draw import number, percent
from loom.scene import Moment, Phase, evenly

from .case import FEW, STREAM, Case
from .eight import held_beats
from .model import MEAN, SLOTS, SPAN, STATIC
from .queueing import limit, longest

FIRST = 2  # steps until the first of the eight is done


def clock(moment: Moment) -> float:
    """How far time has come [steps]: of the eight requests, then of the stream."""
    if moment.since(STREAM):
        return SPAN * moment.past(STREAM)
    case: Case = moment.result
    return FIRST * moment.past("start") + (case.eight.steps - FIRST) * moment.past("run")


def say_start(moment: Moment) -> str:
    begin = "Four requests begin, a token each in every step. B has its 2 after two steps"
    if moment.result.policy == STATIC:
        return f"{begin}, but its slot stays empty until C, the longest of the batch, has its 7."
    return f"{begin}; E came at step 1, and takes B’s slot at once."


def say_run(moment: Moment) -> str:
    eight = moment.result.eight
    used = f"32 tokens in {eight.steps} steps of {SLOTS} slots are {percent(eight.used(eight.steps))}"
    if moment.result.policy == STATIC:
        return f"E to H wait for C; once they have a slot, E, F and H wait for G. {used}. Hatched is the rest."
    return f"Whoever has waited longest gets the next free slot. {used}: the rest is the end, when nobody else comes."


def say_each(moment: Moment) -> str:
    eight = moment.result.eight
    if moment.result.policy == STATIC:
        held = number(eight.latency - eight.taken())
        return (
            f"A request for 4 tokens takes {number(eight.latency)} steps on average: it waits {number(eight.wait)} "
            f"for the batch before it, and {held} for the longest of its own."
        )
    return (
        f"A request for 4 tokens takes {number(eight.latency, 4)} steps on average: it waits {number(eight.wait)} "
        "of a step for a slot, and for nobody once it has one."
    )


def say_stream(moment: Moment) -> str:
    case: Case = moment.result
    rate = number(100 * case.rate)
    kept = f" In this stretch {percent(case.stream.used(SPAN), 2)} are busy." if not case.endless else ""
    return (
        f"Requests of {MEAN} tokens on average come at random, {rate} in 100 steps: {case.load}% of what {SLOTS} "
        f"slots could give.{kept}"
    )


def say_load(moment: Moment) -> str:
    case: Case = moment.result
    if case.policy == STATIC:
        wall = f"the longest of {SLOTS} has {number(longest())} tokens, the mean one {MEAN}"
        if case.endless:
            return f"A batch uses {percent(case.limit)} of its slots: {wall}. More comes: the queue never empties."
        return f"A request waits {number(case.wait)} steps. At {percent(case.limit)} there would be no end: {wall}."
    if case.endless:
        return "More tokens come than the slots can give, whoever has them. The queue never empties."
    static = f"the queue of a static server has no end from {percent(limit(STATIC))} on"
    return f"A request waits {number(case.wait)} steps. Waits grow only near 100%; {static}."


def only(traffic: str) -> Callable[[Case], Sequence[int]]:
    """The moments of a phase that is told of these requests alone."""
    return lambda case: (0,) if case.traffic == traffic else ()


PHASES = (
    Phase("start", say_start, only(FEW), lambda _: evenly(FIRST - 1, 0.6, lead=0.25)),
    Phase("run", say_run, only(FEW), lambda moment: evenly(moment.result.eight.steps - FIRST, 5.0)),
    Phase("each", say_each, only(FEW), lambda moment: held_beats(moment.result)),
    Phase(STREAM, say_stream, only(STREAM), lambda _: evenly(7, 4.2, lead=0.25)),
    Phase("load", say_load, only(STREAM), lambda _: evenly(1, 1.6, lead=0.25, landed=True)),
)
