"""The phases of the story, and what is said in each."""

from __future__ import annotations

from loom.draw import count, number, quantity
from loom.scene import Moment, Phase, evenly

from .cost import Case


def say_own(moment: Moment) -> str:
    case: Case = moment.result
    ring = case.ring
    most, least = int(ring.totals.max()), int(ring.totals.min())
    start = "A query looks at the keys up to its own"
    if most == least:
        return f"{start}. With an early and a late piece, each GPU has {most} pairs."
    how = ", so late ones take longer" if case.layout == "contiguous" else ". Dealt by turns, shares are close"
    return f"{start}{how}: {most} pairs for GPU {ring.fullest}, {least} for GPU {int(ring.totals.argmin())}."


def say_ring(moment: Moment) -> str:
    ring = moment.result.ring
    start = "Keys and values go round, and the slowest GPU sets the pace"
    if ring.waiting:
        return f"{start}: GPUs wait {ring.waiting:.0%} of the time."
    return f"{start}. All have as much, so none waits."


def say_hide(moment: Moment) -> str:
    case: Case = moment.result
    block, travel, work = quantity(case.block, "B"), quantity(case.step_transfer, "s"), quantity(case.step_work, "s")
    start = f"Llama 3 405B: in a step {block} travel for {travel}"
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


PHASES = (
    Phase("own", say_own),
    Phase("ring", say_ring, beats=ring_beats),
    Phase("hide", say_hide),
    Phase("gather", say_gather, beats=lambda _: evenly(3, 2.4)),
)


def gpus(ranks: int) -> str:
    return count(ranks, "GPU")
