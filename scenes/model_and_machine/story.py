"""Who is where in each picture: beads leave what was predicted, an edge says what agrees, and one bead goes again."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import accumulate, pairwise
from typing import NamedTuple

from loom.scene import Moment

from .effects import KINDS, kind
from .model import CLOSE, Comparison, Pair, solve, stretched

SLIDE, PAUSE = 0.27, 0.3  # [s] that a bead takes, and after the last of a kind
START = 0.2  # [s] that all beads are where they leave from, and the edge where the reader has it
PACE = 3.4  # [s] in which the edge goes from 1 to 2
BACK = 0.7  # [s] from where the reader has it, and at last to there


class View(NamedTuple):
    """One picture: what agrees by now, where the edge is bound for, which beads have come, and which are under way."""

    found: Comparison
    edge: int  # [%]
    come: frozenset[str]
    going: frozenset[str] = frozenset()
    listing: bool = False
    sweeping: bool = False

    @property
    def rests(self) -> bool:
        return not self.sweeping and len(self.come) == len(self.found.pairs)

    @property
    def agree(self) -> int:
        """In how many effects machine and model agree, of those that have come for the first time."""
        return sum(pair.close for pair in self.found.pairs if not self.listing or pair.effect.id in self.come)


def by_kind(found: Comparison) -> list[tuple[Pair, ...]]:
    """The effects of each kind in the order of their ratios."""
    ordered = sorted(found.pairs, key=lambda pair: pair.ratio)
    return [tuple(pair for pair in ordered if kind(pair.effect) == name) for name in KINDS]


def launches(found: Comparison) -> list[tuple[frozenset[str], float]]:
    """Which beads leave together, and how long until the next do [s].

    One after another; all of a kind at once if what agrees is not the usual, lest each such choice bring its own data.
    """
    groups = [[pair.effect.id for pair in pairs] for pairs in by_kind(found)]
    if found.within != CLOSE:
        beads = [(frozenset(group), 4 * SLIDE) for group in groups]
    else:
        beads = [(frozenset([one]), SLIDE + (PAUSE if one == group[-1] else 0)) for group in groups for one in group]
    return [(frozenset(), START), *beads]


def sliding(moment: Moment) -> Iterator[float]:
    """When beads leave, and when all have come."""
    return accumulate((long for _, long in launches(moment.result)), initial=0.0)


def swept(found: Comparison) -> list[int]:
    """Where the edge tells what agrees, and then where the reader has it [%]; it tells more where that is the usual."""
    return [*((1, 2, 5, 10, 20, 50, 100) if found.within == CLOSE else (1, 100)), found.within]


def sweeping(moment: Moment) -> Iterator[float]:
    """When the edge leaves for each of its places, all at one pace, and when it is back."""
    yield 0.0
    time, far = START, [stretched(1 + edge / 100) for edge in (moment.result.within, *swept(moment.result))]
    for one, other in pairwise(far):
        yield time
        time += max(PACE * abs(other - one), 0.1) if time > START and other != far[-1] else BACK
    yield time


def view(moment: Moment) -> View:
    """What the picture of a moment has; a bead or an edge tells once it has landed."""
    found: Comparison = moment.result
    everything, beat, chosen = frozenset(pair.effect.id for pair in found.pairs), moment.beat, found.chosen.effect.id
    if moment.progress == 1:
        return View(found, found.within, everything)
    if moment.phase == "listed":
        beads = [one for one, _ in launches(found)]
        return View(found, found.within, frozenset().union(*beads[:beat]), beads[beat], listing=True)
    if moment.phase == "allowed":
        edges = [found.within, found.within, *swept(found)]
        return View(solve(found.part, chosen, edges[beat]), edges[beat + 1], everything, sweeping=True)
    return View(found, found.within, everything - {chosen}, frozenset([chosen] if beat else []))
