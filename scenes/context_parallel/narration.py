"""The phases of the story, and what is said in each."""

from __future__ import annotations

from loom.draw import count, number, quantity
from loom.scene import Moment, Phase, evenly

from .chart import growing_beats
from .cost import Case
from .model import AT_ONCE, TOKENS, ZIGZAG
from .race import racing


def say_own(moment: Moment) -> str:
    case: Case = moment.result
    ring = case.ring
    most, least = int(ring.totals.max()), int(ring.totals.min())
    start = "A query looks at the keys up to its own"
    if most == least:
        return f"{start}. Early rows fit beside late ones, so each GPU has {most} pairs."
    how = ", so late ones take longer" if case.layout == "contiguous" else ". Dealt by turns, shares are close"
    return f"{start}{how}: {most} pairs for GPU {ring.fullest}, {least} for GPU {int(ring.totals.argmin())}."


def say_ring(moment: Moment) -> str:
    ring = moment.result.ring
    start = "Keys and values go round, and the slowest GPU sets the pace"
    waits = f": GPUs wait {ring.waiting:.0%} of the time" if ring.waiting else ". All have as much, so none waits"
    return f"{start}{waits}. It takes {ring.time} pairs; without a mask it would be {ring.bare}."


def say_fold(moment: Moment) -> str:
    ring = moment.result.ring
    return (
        "Zigzag gives each GPU an early piece and a late one: short rows fill up long ones. Nobody waits, and it takes "
        f"{ring.fair.time} pairs instead of {ring.time}."
    )


def say_hide(moment: Moment) -> str:
    case: Case = moment.result
    block, travel, work = quantity(case.block, "B"), quantity(case.step_transfer, "s"), quantity(case.step_work, "s")
    cut = "" if case.layout == ZIGZAG else f", {case.layout} again"  # the fold before was of the other cut
    start = f"Llama 3 405B{cut}: in a step {block} travel for {travel}"
    if case.step_work >= case.step_transfer:
        return f"{start}, behind {work} of arithmetic."
    return f"{start}, and arithmetic of {work} can’t hide it."


def say_gather(moment: Moment) -> str:
    case: Case = moment.result
    more = 100 * (case.gather_time / case.ring_time - 1)
    start = f"An all-gather sends the {quantity(case.sent, 'B')} before any arithmetic:"
    return f"{start} {number(more, 2)}% more time than the ring." if more >= 0.05 else f"{start} hardly more time."


def ring_beats(moment: Moment) -> tuple[float, ...]:
    """A picture for each step of the ring, and one when all is done."""
    ranks = moment.result.ranks
    return evenly(ranks + 1, min(1.1 * (ranks + 1), 6.5))


def own_beats(moment: Moment) -> tuple[float, ...]:
    """Queries look at their keys, a few a beat; in a zigzag, rows that fit beside others go there, GPU by GPU."""
    if moment.result.layout == ZIGZAG:
        return fold_beats(moment)[:-1]
    return evenly(TOKENS // AT_ONCE, 2.6, lead=0.25, landed=True)


def fold_beats(moment: Moment) -> tuple[float, ...]:
    """A picture of the new cut, one for each GPU whose early rows go to its late ones, and one of the time it takes."""
    ranks = moment.result.ranks
    return evenly(ranks + 1, min(0.7 * (ranks + 1), 4.5), lead=0.25)


PHASES = (
    Phase("own", say_own, beats=own_beats),
    Phase("ring", say_ring, beats=ring_beats),
    Phase("fold", say_fold, moments=lambda case: (0,) if case.layout != ZIGZAG else (), beats=fold_beats),
    Phase("hide", say_hide, beats=lambda moment: racing(moment.result)),
    Phase("gather", say_gather, beats=lambda moment: growing_beats(moment.result)),
)


def gpus(ranks: int) -> str:
    return count(ranks, "GPU")
