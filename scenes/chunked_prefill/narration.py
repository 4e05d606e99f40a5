"""The phases of the story, what is said in each, and how far time has come."""

from __future__ import annotations

from loom.draw import count, number, quantity
from loom.scene import Moment, Phase, evenly

from .engine import COUNT, LONG, SHORT, served
from .model import ALONE, CHUNKS, DECODE, OTHERS, SERVER, Stall, stall
from .pace import FINER, running
from .timeline import BEFORE, SPANS
from .traffic import WINDOW

ARRIVE, PRICE, STREAM = "arrive", "price", "stream"


def clock(moment: Moment) -> float:
    """How far time has come [s]: since the prompt's arrival, then of the stream."""
    case: Stall = moment.result
    if moment.phase == STREAM:
        return WINDOW[case.prompt] * moment.past(STREAM)
    if moment.phase == ARRIVE:  # it sets out from the beginning
        return (moment.beat / (moment.beats - 1) - 1) * BEFORE * DECODE
    return SPANS[case.prompt] * moment.past("work")


def say_arrive(moment: Moment) -> str:
    case: Stall = moment.result
    return (
        f"{OTHERS} conversations of 1,024 tokens get a token each every {quantity(DECODE, 's')}. "
        f"Then a prompt of {case.prompt:,} tokens comes."
    )


def say_work(moment: Moment) -> str:
    case: Stall = moment.result
    if case.how == ALONE:
        return (
            f"The prompt is computed in one step of {quantity(case.first, 's')}, and everybody else gets nothing: "
            f"{number(case.slower)} times the usual gap."
        )
    if len(case.turns) == 1:
        return f"The whole prompt fits into one step, beside a token for each of the others: {quantity(case.gap, 's')}."
    return (
        f"Each step has a token for each of the {OTHERS}, and up to {case.budget:,} tokens in all: the prompt takes "
        f"{count(len(case.turns), 'step')} of at most {quantity(case.gap, 's')}."
    )


def say_price(moment: Moment) -> str:
    case: Stall = moment.result
    balance = f"{SERVER.balance:.0f}"
    if case.how == ALONE:
        best = stall(CHUNKS, case.prompt, FINER)
        return (
            f"In chunks of 480 the gap would be {quantity(best.gap, 's')} instead of {quantity(case.gap, 's')}, and "
            f"the first token would come after {quantity(best.first, 's')} instead of {quantity(case.first, 's')}."
        )
    if case.budget < SERVER.balance:
        return (
            f"Below {balance} tokens a step waits for weights anyway: the gap stays above {quantity(DECODE, 's')}, and "
            "the prompt reads all weights once more for every chunk."
        )
    return (
        f"From {balance} tokens on, each further one makes the step longer. A smaller budget shortens the gap; the "
        "first token comes later, because every step decodes for the others, too."
    )


def say_stream(moment: Moment) -> str:
    case: Stall = moment.result
    visits = served(case.how, case.prompt, case.budget)
    stalled = sum(max(one.gaps) > 2 * DECODE for one in visits)
    start = f"{COUNT} requests come at random; every {LONG}th has the long prompt, others {SHORT} tokens"
    if not stalled:
        usual = quantity(DECODE, "s")
        return f"{start}. No gap is twice the usual {usual}. Red is the wait before a prompt’s turn."
    worst = quantity(max(max(one.gaps) for one in visits), "s")
    mean = quantity(sum(one.mean for one in visits) / COUNT, "s")
    return f"{start}. {count(stalled, 'request')} stall, drawn red, for up to {worst}. The mean TPOT is {mean}."


PHASES = (
    Phase(ARRIVE, say_arrive, beats=lambda _: evenly(2, 1.2, lead=0.25)),
    Phase("work", say_work, beats=lambda _: evenly(8, 4.8)),
    Phase(PRICE, say_price, beats=running),
    Phase(STREAM, say_stream, beats=lambda _: evenly(6, 4.2)),
)
