"""The story: what training shows, what a longer text asks for, what must stay fast, and what a method does."""

from __future__ import annotations

from loom.draw import count, significant
from loom.scene import Moment, Phase, evenly

from .._rope.dial import SLOW, degrees
from .._rope.rotation import PAIRS, TRAINED
from .extension import BETA
from .rotary import Rotary

SHORT = {"interpolation": "interpolation", "ntk-aware": "NTK-aware", "yarn": "YaRN"}

BEATS = 8  # in which the trained length is read, and the longer text


def answer(moment: Moment) -> tuple[str, str]:
    """The number to look at, and what it is."""
    model: Rotary = moment.result
    never = count(int(model.never.sum()), "pair")
    if moment.phase == "waves":
        return never, f"of {PAIRS} never come round in training"
    if moment.phase == "beyond":
        return never, f"meet new angles before {model.target:,} tokens"
    if moment.phase == "near":
        return degrees(float(model.theta[0])), "tell neighbours apart on pair 0"
    return count(int(model.unseen.sum()), "pair"), f"meet new angles with {SHORT[model.method]}"


def say_waves(moment: Moment) -> str:
    model: Rotary = moment.result
    return (
        f"Training on {TRAINED:,} tokens shows all angles of a pair whose wavelength λ is no longer. "
        f"Slow ones never come round: {SLOW} ends at {degrees(model.seen(SLOW))}."
    )


def say_beyond(moment: Moment) -> str:
    model: Rotary = moment.result
    return (
        f"In a text {model.factor} times as long, slow pairs turn further, to angles that the model has never had to "
        f"read. For pair {SLOW}, these begin at {degrees(model.seen(SLOW))}."
    )


def say_near(moment: Moment) -> str:
    model: Rotary = moment.result
    return (
        "Stretching every λ would help slow pairs. But neighbours must stay apart: "
        f"one token turns pair 0 by {degrees(float(model.theta[0]))}, pair {SLOW} by "
        f"{degrees(float(model.theta[SLOW]))}."
    )


def say_extended(moment: Moment) -> str:
    model: Rotary = moment.result
    s, step = model.factor, degrees(float(model.new_theta[0]))
    if model.method == "interpolation":
        return (
            f"Interpolation makes every λ {s} times as long. No angle is new, "
            f"but neighbours now differ by only {step} on pair 0."
        )
    if model.method == "ntk-aware":
        return (
            f"A base of {significant(round(model.new_base))} stretches pair 63 by {s}, pair 0 not at all. "
            f"Neighbours keep their {step}, but {count(int(model.unseen.sum()), 'pair')} are stretched too little."
        )
    return (
        f"YaRN keeps {count(model.untouched, 'pair')} that turn {BETA:g} times or more, stretches "
        f"{model.fully} without a full turn by {s}, blends between, and scales scores by "
        f"{model.temperature**2:.3f}."
    )


PHASES = (
    Phase(
        "waves", say_waves, beats=lambda _: evenly(BEATS - 1, 2.8, lead=0.25)
    ),  # the dial turns through the trained length
    Phase("beyond", say_beyond, beats=lambda _: evenly(BEATS, 3.2)),  # and on to the target
    Phase("near", say_near, beats=lambda _: (0.0, 1.0)),  # the next token
    Phase("extended", say_extended, beats=lambda _: (0.0, 0.8)),  # the curve leaves that of training
)
