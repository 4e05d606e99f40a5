"""The cure: the same words put back, moved to where another layout has them, and handed over from there."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from loom.scene import Moment

from .model import Read, Request

MOVE, PASS, NEXT = 0.9, 1.1, 1.0  # until words move, until they are handed over, and until another layout is tried [s]
TURN = 0.5  # from one pass to the next [s]


class Shown(NamedTuple):
    """A read that the picture shows, and how many of its passes are made or in the making."""

    layout: str
    read: Request
    turn: int


def cures(result: Read) -> tuple[str, ...]:
    """The layouts that are tried in turn: none where the chosen one is best; for a plain column both remedies."""
    if result.best == result.layout:
        return ()
    both = result.best == "padded" and result.access == "column"
    return ("swizzled", "padded") if both else (result.best,)


def trials(result: Read) -> Iterator[tuple[float, Shown]]:
    """When what is shown: words are put back, they move, and come in their passes."""
    at = 0.0
    for layout in cures(result):
        read = result.rivals[layout]
        yield at, Shown(result.layout, result.request, 0)
        at += MOVE
        yield at, Shown(layout, read, 0)
        at += PASS
        for turn in range(1, read.passes + 1):
            yield at, Shown(layout, read, turn)
            at += TURN if turn < read.passes else NEXT


def trial_beats(moment: Moment) -> tuple[float, ...]:
    return tuple(at for at, _ in trials(moment.result))


def shown(moment: Moment) -> Shown:
    """The read of the chosen layout, until a better one is tried."""
    result = moment.result
    if moment.phase == "others" and cures(result):
        return [one for _, one in trials(result)][moment.beat]
    return Shown(result.layout, result.request, round(moment.past("pass") * result.request.passes))
