"""What the scene tells: the query walks away from the key, both walk on, and then all distances are tried."""

from __future__ import annotations

from loom.draw import count, fixed, significant
from loom.scene import Moment, Phase, evenly

from .._rope.dial import SLOW, degrees
from .._rope.rotation import TURN
from .model import DISTANCES, WAVES, Pose

# Token by token first, so that the eye can follow; then in leaps.
MOVES = (1, 2, 3, 4, 5, 30, 200, 1000)
TRIED = DISTANCES[::12]
WALK = 16  # tokens that the query goes one by one; a longer way is gone in half as many leaps


def turned(angle: float) -> str:
    """An angle: in turns where it is a turn or more."""
    return degrees(angle) if angle < TURN else f"{significant(angle / TURN, 3)} turns"


def leaps(asked: Pose) -> int:
    """In how many beats the query walks to its distance."""
    return asked.distance if asked.distance <= WALK else WALK // 2


def standing(moment: Moment) -> Pose:
    """Where the two tokens are at a moment."""
    asked: Pose = moment.result
    if moment.phase == "walk":
        return Pose(max(1, round(asked.distance * moment.progress)))
    if moment.phase == "together":
        return Pose(asked.distance, MOVES[moment.beat])
    return Pose(TRIED[moment.beat] if moment.progress < 1 else asked.distance)


def say_walk(moment: Moment) -> str:
    asked: Pose = moment.result
    return (
        "A pair of numbers is an arrow, and each position turns it a little further. "
        f"{count(asked.distance, 'token')} after the key, the query of pair 0 has turned by "
        f"{turned(float(asked.angles[0]))}."
    )


def say_together(moment: Moment) -> str:
    asked: Pose = moment.result
    return (
        f"Both move on by {MOVES[-1]:,} tokens. All arrows turn, but those of a pair turn alike: "
        f"the angles stay, and the product is still {fixed(asked.score, 3)}."
    )


def say_apart(moment: Moment) -> str:
    asked: Pose = moment.result
    rounds, slow = asked.distance / float(WAVES[0]), turned(float(asked.angles[SLOW]))
    return (
        "The query alone goes through all distances. Fast pairs tell near ones and go round soon "
        f"({significant(rounds, 3)} times at {asked.distance:,}), slow pairs far ones: pair {SLOW} is at {slow}."
    )


PHASES = (
    Phase("walk", say_walk, beats=lambda moment: evenly(leaps(moment.result), 0.3 * leaps(moment.result))),
    Phase("together", say_together, beats=lambda _: evenly(len(MOVES), 4.0)),
    Phase("apart", say_apart, beats=lambda _: evenly(len(TRIED) + 1, 4.0)),
)
