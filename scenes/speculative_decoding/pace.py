"""What has come at a beat: guesses made and judged, and how far bars have grown."""

from __future__ import annotations

from itertools import chain

from loom.scene import Moment, evenly

from .model import Pass

LEAD = 0.25  # that the picture before anything sets out stands [s]
STEP = 0.42  # that the small model takes for a guess, and a dot for its way [s]
REST = 0.2  # that a guess is seen before the next one is begun [s]
VERDICT = 0.45  # that a verdict is seen before the next dot sets out [s]
ONCE = 0.8  # that the large model's pass over all places takes [s]


def judged(one: Pass) -> int:
    """Guesses that are looked at: none behind a refused one."""
    return min(one.stay + 1, one.guesses_asked)


def _in_turn(count: int, rest: float) -> tuple[float, ...]:
    """Each sets out and lands, one after the other."""
    starts = [LEAD + at * (STEP + rest) for at in range(count)]
    return (0.0, *chain.from_iterable((start, start + STEP) for start in starts))


def draft_beats(moment: Moment) -> tuple[float, ...]:
    return _in_turn(moment.result.guesses_asked, REST)


def verify_beats(_: Moment) -> tuple[float, ...]:
    return (0.0, 0.15, 0.15 + ONCE)


def accept_beats(moment: Moment) -> tuple[float, ...]:
    return _in_turn(judged(moment.result), VERDICT)


def three_beats(_: Moment) -> tuple[float, ...]:
    """What is not there yet, the first that grows, the second or what comes of it."""
    return evenly(2, 1.2, lead=LEAD)


def begun(moment: Moment) -> int:
    """Guesses that the small model is at, or has made."""
    return (moment.beat + 1) // 2 if moment.phase == "draft" else moment.result.guesses_asked


def drafted(moment: Moment) -> int:
    """Guesses that are made."""
    return moment.beat // 2 if moment.phase == "draft" else moment.result.guesses_asked


def falling(moment: Moment) -> int:
    """Guesses whose dot is on its way, or there."""
    if moment.phase == "accept":
        return (moment.beat + 1) // 2
    return judged(moment.result) if moment.since("accept") else 0


def looked_at(moment: Moment) -> int:
    """Guesses that have been judged by now."""
    return moment.beat // 2 if moment.phase == "accept" else falling(moment)


def grows(moment: Moment, phase: str, beat: int) -> bool:
    """Whether what sets out at a beat of a phase has done so."""
    return moment.since(phase) and (moment.phase != phase or moment.beat >= beat)
