"""What happens in each step, in one or two sentences."""

from __future__ import annotations

import math

import numpy as np

from loom.draw import significant

from .model import sum_of
from .story import State
from .words import amount, error, number, size_of

NOTHING = 1e-9  # the exact sum is one of binary64 and has errors of its own


def say(state: State) -> str:
    """The sentence of a step."""
    if state.last:
        words = closing(state)
    elif state.story.cuts:
        words = cutting(state)
    elif state.at == 0:
        words = opening(state)
    elif not state.lost:
        words = rounding(state)
    else:
        words = stuck(state) if state.story.stalls and state.at >= state.story.run.stuck_after else ignoring(state)
    return words


def opening(state: State) -> str:
    name, first = state.story.name, number(float(state.story.run.terms[0]))
    if state.lost:
        return f"The first term, {first}, is too small for {name} by itself: it is stored as 0."
    kept = number(state.after)
    fits = "fits" if kept == first else f"becomes {kept}"
    return f"The sum starts at 0, where the numbers of {name} lie close together: the first term, {first}, {fits}."


def ignoring(state: State) -> str:
    """A term that leaves the sum where it was."""
    term, before = f"Term {state.at + 1:,}", number(state.before)
    if state.term == 0:
        return f"{term} is too small for {state.story.name} by itself. {so_far(state)}"
    if 2 * abs(state.term) == state.step:
        even = f"A tie goes to the even neighbour, {before}"
        return f"{term}: {result(state)} lies exactly halfway to {beyond(state)}. {even}."
    way = f"is less than halfway to {beyond(state)}, so it rounds back to {before}"
    return f"{term}: {result(state)} {way}. {so_far(state)}"


def stuck(state: State) -> str:
    """None of the terms from here on changes the sum."""
    before, waited = number(state.before), state.at + 1 - state.story.run.stuck_after
    if waited == 1:
        apart = f"From {before} on, numbers lie {size_of(state.step)} apart"
        way = f"is less than halfway to {beyond(state)} and rounds back, like every later term"
        if 2 * abs(state.term) == state.step:
            way = f"is exactly halfway to {beyond(state)}, and a tie goes to the even neighbour, {before}"
        return f"{apart}: {result(state)} {way}. The sum is stuck."
    if state.number % 3 == 0:
        need = f"A term would have to be larger than {size_of(state.step / 2)} to count"
        return f"{need}; term {state.at + 1:,} is {number(state.term)}. {so_far(state)}"
    if state.number % 3 == 1:
        half = number(state.before + state.step / 2)
        why = f"{addition(state)} does not get past {half}, halfway to {beyond(state)}"
        exact = significant(state.exact)
        return f"{waited:,} terms in a row have changed nothing: {why}. The exact sum is {exact} by now."
    return f"Again {result(state)} rounds back to {before}. By now {significant(state.exact - state.sum)} is missing."


def rounding(state: State) -> str:
    """A term that counts, more or less."""
    term, step, after = f"Term {state.at + 1:,}", size_of(state.step), number(state.after)
    seen = number(state.reached) != after
    if state.at in state.story.doublings and state.step > 0.01 and state.before > 0:
        passed = number(2.0 ** math.floor(math.log2(state.before)))
        apart = f"The sum has passed {passed}: numbers are {step} apart now, twice as far as before"
        return f"{apart}. {result(state)} {f'is rounded to {after}' if seen else 'still fits'}."
    if seen:
        way, by = ("up", "too much") if state.after > state.reached else ("down", "too little")
        return f"{term}: {result(state)} is rounded {way} to {after}, {missed(state)} {by}. {so_far(state)}"
    if state.number % 3 == 0 or abs(state.term) < 10 * state.step:
        return f"Steps of {step} are fine enough: {addition(state)} becomes {after}. {drift(state)}"
    if state.number % 3 == 1:
        steps = f"{abs(state.term) / state.step:,.0f}"
        return f"{term} is {steps} steps long, so rounding hardly touches it. {drift(state)}"
    return f"{addition(state)} becomes {after}, with numbers {step} apart. {drift(state)}"


def cutting(state: State) -> str:
    """One term in Hopper's tensor core."""
    step, interval, term = size_of(state.step), state.story.interval, f"Term {state.at + 1:,}"
    becomes, kept = f"{addition(state)} becomes {number(state.after)}", number(state.after - state.before)
    if state.at == 0:
        core = "The tensor core adds 32 terms at once"
        return f"{core}. Each is first cut to steps of {step}, which is 13 bits below the largest of them."
    if state.promoted:
        terms = f"{'Another ' if state.at >= interval else ''}{interval} terms are in"
        hands = f"the tensor core hands {number(state.after)} over to the FP32 total"
        return f"{terms}: {hands}, now {number(state.sum)}, and starts again at 0."
    if state.story.promotes and state.at == interval:
        past = size_of(state.story.states[state.number - 1].step)
        finer = f", where steps are {step} instead of {past}" if past != step else ""
        return f"The tensor core starts again at 0{finer}. The FP32 total keeps the rest."
    if state.lost:
        return f"{term}, {number(state.term)}, is smaller than one step of {step}: it is cut to nothing."
    if state.reached == state.after:
        return f"{term}: {becomes}, with steps of {step}. {drift(state)}"
    if state.number % 3 == 0:
        return f"Below steps of {step} all is cut off: {becomes}. {drift(state)}"
    if state.number % 3 == 1 or kept == number(state.term):
        beside = f"Beside a sum of {number(state.before)}, the tensor core keeps nothing finer than {step}"
        return f"{beside}: {missed(state)} is cut off. {drift(state)}"
    return f"{term} is {number(state.term)} and counts as {kept}, a multiple of {step}. {drift(state)}"


def closing(state: State) -> str:
    story, run, exact = state.story, state.story.run, number(state.exact)
    off, all_in = abs(state.sum - state.exact), f"All {story.count:,} terms are in"
    if off < NOTHING:
        return f"{all_in}, and the sum is exact: {exact}."
    if run.error < 0.001:
        return f"{all_in}: {number(state.sum)}, only {size_of(off)} off the exact sum."
    if story.kind != "gaussian" and story.stalls:
        stopped = f"The sum stopped at {number(state.sum)} after term {run.stuck_after:,}"
        return f"{all_in}. {stopped}; it should be {exact}: {significant(off)} is lost, {error(run.error)}."
    instead = f" instead of {exact}" if number(state.sum) != exact else ""  # two that read the same say nothing
    ends = f"{all_in}: {number(state.sum)}{instead}, {error(run.error)}"
    if story.kind == "gaussian":
        sizes = float(np.abs(run.terms).sum())
        share, total = error(100 * off / sizes), significant(sizes)
        return f"{ends} off, but {share} of the {total} that the terms make without their signs."
    ends += f" {'too little' if state.sum < state.exact else 'too much'}."
    if story.promotes:
        return f"{ends} Without promotion it would be {error(sum_of(story.kind, story.count, 'Hopper').error)}."
    return ends


def addition(state: State) -> str:
    return f"{number(state.before)} {'+' if state.term >= 0 else '−'} {number(abs(state.term))}"


def result(state: State) -> str:
    return f"{addition(state)} = {number(state.reached)}"


def beyond(state: State) -> str:
    """The neighbour of the sum in the direction of the term."""
    return number(state.before + math.copysign(state.step, state.term))


def missed(state: State) -> str:
    """What rounding took from the sum, or added to it."""
    return amount(abs(state.after - state.reached))


def drift(state: State) -> str:
    """How far the whole sum has come away from the exact one."""
    off = state.sum - state.exact
    if abs(off) < NOTHING:
        return "Nothing is lost so far."
    return f"The sum is {amount(abs(off))} {'below' if off < 0 else 'above'} the exact {number(state.exact)}."


def so_far(state: State) -> str:
    lost = state.lost_so_far
    if lost == 1:
        return "It is the first term to be lost." if state.lost else "One term is lost so far."
    return f"{lost:,} of {state.at + 1:,} terms are lost so far." if lost else "No term is lost so far."


def after_the_term(state: State) -> str:
    """What became of the sum, in a few words."""
    if state.lost:
        return "cut to nothing" if state.story.cuts else "rounds back: lost"
    if number(state.after) == number(state.reached):
        off = abs(state.after - state.reached)
        return f"off by {size_of(off)}" if off else "kept in full"
    return f"{'cut' if state.story.cuts else 'rounds'} to {number(state.after)}"
