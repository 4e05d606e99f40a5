"""What is said of each step: one idea, with the numbers of the state."""

from __future__ import annotations

import math

from loom.draw import count, fixed, plain

from .extension import BETA
from .model import TRAINED, TURN
from .story import State

NAMES = {
    "none": "no change",
    "interpolation": "position interpolation",
    "ntk-aware": "the NTK-aware base",
    "yarn": "YaRN",
}
SLOW = 48  # the slowest dial


def degrees(angle: float) -> str:
    """An angle in degrees, with three digits."""
    return f"{plain(math.degrees(angle), 3)}°"


def turned(angle: float) -> str:
    """An angle: in turns where it is a turn or more."""
    return degrees(angle) if angle < TURN else f"{plain(angle / TURN, 3)} turns"


def tokens(number: float) -> str:
    """A length in tokens: in millions with three digits, below that whole or with three digits."""
    return f"{plain(number / 1e6, 3)} million" if number >= 1e6 else plain(number, 3)


def say(state: State) -> str:
    return {
        "start": _start,
        "together": _together,
        "apart": _apart,
        "waves": _waves,
        "beyond": _beyond,
        "near": _near,
        "extended": _extended,
    }[state.name](state)


def _start(state: State) -> str:
    return (
        "Each pair of numbers in the query q and the key k is an arrow. A position turns it by an angle θ, and λ "
        f"positions make a full turn. Here q stands {state.distance} positions after k: their score is "
        f"{fixed(state.score, 3)}."
    )


def _together(state: State) -> str:
    known = f"the distance is {state.distance} and the score {fixed(state.score, 3)}"
    if state.key == 10:
        return f"Both tokens move on by {state.key}. The arrows turn, but the angles between them stay: {known}."
    slow = SLOW if state.key == 1000 else 32
    turn = turned(state.key * float(state.theta[slow]))
    if state.key == 100:
        return f"Both move on to {state.key} and {state.query}. Pair {slow} has turned by {turn}, and still {known}."
    return f"At {state.key:,} and {state.query:,} even pair {slow} has turned by {turn}. Positions cancel: {known}."


def _apart(state: State) -> str:
    if state.distance < 1000:
        return (
            f"Now the query moves on alone, to distance {state.distance}. Every angle between the arrows grows "
            f"tenfold, and the score changes to {fixed(state.score, 3)}."
        )
    fast, slow = (turned(state.distance * float(state.theta[pair])) for pair in (0, SLOW))
    return (
        f"At distance {state.distance:,} pair 0 has gone round {fast.removesuffix(' turns')} times, pair {SLOW} "
        f"has come to {slow}. Like hands of a clock, fast pairs tell near distances and slow pairs far ones."
    )


def _waves(state: State) -> str:
    never, slow = count(int(state.rotary.never.sum()), "pair"), degrees(state.seen(SLOW))
    return (
        f"Only distances count, so put the key at 0. Training on {TRAINED:,} tokens shows a pair every angle if its λ "
        f"is no longer than that. {never} of {len(state.theta)} never come round; pair {SLOW} ends at {slow}."
    )


def _beyond(state: State) -> str:
    rotary, angle = state.rotary, degrees(state.distance * float(state.theta[SLOW]))
    return (
        f"At distance {state.distance:,} pair {SLOW} stands at {angle}, where training never saw it. "
        f"Before {rotary.target:,} tokens {rotary.never.sum()} pairs meet new angles, and quality breaks down."
    )


def _near(state: State) -> str:
    step = degrees(float(state.theta[0]))
    return (
        f"Stretching every λ would bring slow pairs back. But tokens side by side differ by {step} on pair 0 and by "
        f"{degrees(float(state.theta[SLOW]))} on pair {SLOW}: what tells neighbours apart must stay fast."
    )


def _extended(state: State) -> str:
    rotary, s = state.rotary, state.rotary.factor
    unseen, step = count(int(rotary.unseen.sum()), "pair"), degrees(float(rotary.new_theta[0]))
    if rotary.method == "none":
        return (
            f"Nothing is stretched yet, and {unseen} meet new angles before {rotary.target:,} tokens. "
            "Each of three methods stretches other pairs: choose one."
        )
    if rotary.method == "interpolation":
        return (
            f"Interpolation divides every position by {s}, so that every λ is {s} times as long. No angle is new, but "
            f"neighbours now differ by only {step} on pair 0. Dotted: q before."
        )
    if rotary.method == "ntk-aware":
        return (
            f"A base of {plain(round(rotary.new_base))} stretches pair 63 by a factor of {s}, pair 0 not at all. "
            f"Neighbours still differ by {step}, but {unseen} are stretched too little. Dotted: q before."
        )
    return (
        f"YaRN keeps {count(rotary.untouched, 'pair')} that turn {BETA:g} times or more in training, stretches the "
        f"{rotary.fully} without a full turn by a factor of {s}, and blends between. It also multiplies all scores by "
        f"{rotary.temperature**2:.3f}. Dotted: q before."
    )
