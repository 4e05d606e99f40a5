"""The phases of the story, and what is said in each."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

from loom.draw import count, fixed, number, percent
from loom.scene import Moment, Phase, evenly

from .model import DRAFT, LOADS, Case, best, check_cost, reached

ALONE, BATCH = "alone", "batch"
GUESSES, COST, CHECK, PAYS = "tokens", "cost", "check", "pays"
SHORT = {"short": "8B, 1K", "long": "8B, 8K", "experts": "V3, 8K"}
MOST_TOUCHED = 0.8  # of the experts: from there on further tokens bring hardly any new ones
SLIGHT = 1.02  # a pass that takes so many plain steps is said to take one


class Shown(NamedTuple):
    """What is asked about: a user alone, or a batch; and the case."""

    view: str
    case: Case


def texts(case: Case) -> str:
    """The requests, and how long they are."""
    return f"{count(case.batch, 'request')} of {LOADS[case.load].context:,} tokens"


def say_tokens(moment: Moment) -> str:
    case: Case = moment.result.case
    limit = number(1 / (1 - case.alpha))
    if case.gamma == 1:
        return f"The pass gives one token in any case, and a second if the guess stays: 1 + {fixed(case.alpha)}."
    third = share(case.alpha**2)
    return (
        f"A pass gives one token in any case, a second if the first guess stays, a third if two do, {third}. "
        f"In the mean it is their sum: {limit} at most, however many are guessed."
    )


def say_cost(moment: Moment) -> str:
    case: Case = moment.result.case
    guesses, most = best(case.alpha, DRAFT)
    there = "No other number of guesses is faster."
    if guesses != case.gamma:
        there = f"The most is {fixed(most)}×, with {count(guesses, 'guess', 'guesses')}."
    return (
        f"Guessing takes {case.gamma} × {DRAFT} steps, and one pass, here as long as a plain step, looks all over: "
        f"{fixed(case.alone)}×. {there}"
    )


def say_check(moment: Moment) -> str:
    case: Case = moment.result.case
    model, positions = LOADS[case.load].server.model, case.gamma + 1
    start = f"{count(case.batch, 'request')} × {positions} positions = {case.batch * positions:,} tokens"
    plain, checking = case.steps
    touched = [round(float(model.experts.touched(case.batch * by))) for by in (1, positions)]
    if checking.multiply > checking.read_weights:
        waits = " Attention still waits for its cache, read once for all."
        rest = "" if checking.read_cache < checking.attend else waits
        return f"{start}: arithmetic takes longer than reading weights.{rest}"
    if model.experts.layers and touched[0] < touched[1] and checking.linear / plain.linear > SLIGHT:
        more = f"They go to {touched[1]} of {model.experts.number} experts in a layer, not to {touched[0]}"
        return f"{start}. {more}: more weights to read."
    if case.check < SLIGHT:
        free = "What is read is read once for all: looking guesses over takes no time."
        return f"{start}, too few to keep arithmetic busy. {free}"
    return f"{start}. Attention’s arithmetic takes longer than reading the cache, for MLA had little of it to spare."


def say_pays(moment: Moment) -> str:
    case: Case = moment.result.case
    room = LOADS[case.load].room
    return say_gain(case) + (f" One H100 has room for {room} of these {case.batch}." if 0 < room < case.batch else "")


def say_gain(case: Case) -> str:
    """What comes of guesses in a batch, and why."""
    time = case.gamma * DRAFT + case.check
    sums = f"{fixed(case.tokens)} tokens in the time of {fixed(time)} plain steps. "
    if case.gain < 1:
        return f"{sums}Guesses make these requests slower: what is refused costs more than what stays saves."
    if case.load == "experts":
        one = LOADS[case.load].server.model.experts
        if one.touched(case.batch) < MOST_TOUCHED * one.number:
            return f"{sums}With few requests each position brings experts of its own, which have to be read."
        return f"{sums}So many requests go to nearly all experts in any case; what costs is arithmetic."
    if case.load == "long":
        return f"{sums}Long texts keep the gain: most of the step reads the cache, once for all positions."
    if case.check < SLIGHT:
        return f"{sums}While a step waits for weights, more positions cost it no time; guessing does."
    return f"{sums}In a full batch of short texts arithmetic has no time to spare."


def asked(view: str, phase: str, say: Callable[[Any], str], beats: Callable[[Moment], tuple[float, ...]]) -> Phase:
    """A phase that is there where its question is asked."""
    return Phase(phase, say, lambda shown: (0,) if shown.view == view else (), beats)


def clock(_: Moment) -> tuple[float, ...]:
    """Both ways to the same tokens, run side by side."""
    return evenly(8, 4.0)


PHASES = (
    asked(ALONE, GUESSES, say_tokens, lambda moment: evenly(moment.result.case.gamma, 2.8, lead=0.25)),
    asked(ALONE, COST, say_cost, clock),
    asked(BATCH, CHECK, say_check, lambda moment: evenly(moment.result.case.gamma - 1, 2.8, lead=0.25)),
    asked(BATCH, PAYS, say_pays, clock),
)


def answer_of(moment: Moment) -> tuple[str, str, str]:
    """The number of the picture, its role, and what it counts: as far as the chapter has come."""
    case: Case = moment.result.case
    if moment.phase in (COST, PAYS) and moment.progress < 1:
        return "", "value", "the same tokens, one by one and with guesses"
    if moment.phase == GUESSES:
        return (
            fixed(sum(reached(moment.beat, case.alpha))),
            "value",
            f"tokens of one pass{supposing(moment.beat, share(case.alpha))}",
        )
    if moment.phase == COST:
        return f"{fixed(case.alone)}×", gains(case.alone), "as fast as one by one, for a user alone"
    if moment.phase == CHECK:
        return (
            f"{fixed(check_cost(case.load, case.batch, moment.beat + 1))}×",
            "value",
            f"a plain step’s time, to look over {count(moment.beat + 1, 'guess', 'guesses')} for each of {texts(case)}",
        )
    return f"{fixed(case.gain)}×", gains(case.gain), f"as fast as one by one, for {texts(case)}"


def supposing(guesses: int, alpha: str) -> str:
    """What a number of tokens supposes of so many guesses."""
    if not guesses:
        return " without a guess"
    return f", if {'its one guess' if guesses == 1 else f'each of {guesses} guesses'} stays with {alpha}"


def gains(factor: float) -> str:
    return "work" if factor > 1 else "dropped"


def share(value: float) -> str:
    return percent(round(100 * value, 6), 2)


def milliseconds(seconds: float) -> str:
    return fixed(1e3 * float(seconds), 1)
