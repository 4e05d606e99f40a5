"""What the scene tells: the query walks away from the key, both walk on, and then all distances are tried."""

from __future__ import annotations

import math
from functools import lru_cache
from typing import NamedTuple

from loom.draw import count, fixed, significant
from loom.scene import Moment, Phase, evenly

from .._rope.dial import SLOW, degrees
from .._rope.rotation import TURN
from .model import DISTANCES, THETA, Pose

# Token by token first, so that the eye can follow; then in leaps, in which the slow pair still turns as an arrow.
MOVES = (*range(1, 7), 503, 1000)
TRIED = (*DISTANCES[:9], *DISTANCES[9::6])
EVERYWHERE = tuple(Pose(distance) for distance in TRIED)
WALK = 16  # tokens that the query goes one by one; a longer way is gone in a third as many leaps
FAST = math.radians(66)  # an arrow that turns by more in a beat could not be followed: it would cut across its dial


def turned(angle: float) -> str:
    """An angle: in turns where it is a turn or more."""
    return degrees(angle) if angle < TURN else f"{significant(angle / TURN, 3)} turns"


def leaps(asked: Pose) -> int:
    """In how many beats the query walks to its distance."""
    return asked.distance if asked.distance <= WALK else WALK // 3


def way(moment: Moment) -> list[Pose]:
    """Where the two tokens are in each beat of the present chapter."""
    return path(moment.phase, moment.result)


@lru_cache(maxsize=3)  # of all chapters, whose beats and dials ask for it
def path(phase: str, asked: Pose) -> list[Pose]:
    if phase == "walk":
        parts = leaps(asked)
        return [Pose(max(1, round(asked.distance * part / parts))) for part in range(1, parts + 1)]
    if phase == "together":
        return [Pose(asked.distance, moved) for moved in MOVES]
    return [*EVERYWHERE, asked]


def standing(moment: Moment) -> Pose:
    """Where the two tokens are at a moment."""
    return way(moment)[moment.beat]


class Turning(NamedTuple):
    """How the arrows of a pair come to where they stand."""

    query: bool  # whether it can be seen
    key: bool
    blur: bool  # whether the query goes round too fast to be seen
    mark: str  # what the keys of its marks end with: a pair leaps where it changes, instead of turning


def turning(moment: Moment, pair: int) -> Turning:
    """Arrows turn as long as the eye can follow; those that are faster are a blur, and stand still at the end."""
    poses, each, at = way(moment), float(THETA[pair]), moment.beat
    before, here, end = poses[max(at - 1, 0)], poses[at], poses[-1]
    last, mark = here is end, ""
    query, key = (not last and abs(after - was) * each > FAST
                  for was, after in ((before.query, here.query), (before.key, here.key)))  # fmt: skip
    # Played again, a walk begins where its end is seen: the query is gone before it starts anew.
    away = moment.phase == "walk" and at == 0 and (end.query - here.query) * each > FAST
    if moment.phase == "apart" and TRIED[-1] * each > FAST:
        mark = "-back" if last else "-tried"
    elif moment.phase == "together" and last and (end.key - before.key) * each > FAST:
        mark = "-far"
    return Turning(not (query or away), not key, query, mark)


def say_walk(moment: Moment) -> str:
    asked: Pose = moment.result
    angle = float(asked.angles[0])
    return (
        "A pair of numbers is an arrow, and each position turns it a little further. "
        f"{count(asked.distance, 'token')} after the key, the query of pair 0 has "
        f"{'turned by' if angle < TURN else 'made'} {turned(angle)}."
    )


def say_together(moment: Moment) -> str:
    asked: Pose = moment.result
    return (
        f"Both move on by {MOVES[-1]:,} tokens. All arrows turn, but those of a pair turn alike: "
        f"the angles stay, and the product is still {fixed(asked.score, 3)}."
    )


def say_apart(moment: Moment) -> str:
    asked: Pose = moment.result
    fast, slow = (turned(float(asked.angles[pair])) for pair in (0, SLOW))
    return (
        "The query alone goes through all distances. Fast pairs tell near ones and go round soon "
        f"({fast} at {count(asked.distance, 'token')}), slow pairs far ones: pair {SLOW} is at {slow}."
    )


PHASES = (
    Phase("walk", say_walk, beats=lambda moment: evenly(leaps(moment.result), 0.3 * leaps(moment.result))),
    Phase("together", say_together, beats=lambda _: evenly(len(MOVES), 4.0)),
    Phase("apart", say_apart, beats=lambda _: evenly(len(TRIED) + 1, 5.6)),
)
