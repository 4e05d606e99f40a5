"""The phases of the story, what is said in each, and how far time has come."""

from __future__ import annotations

from functools import lru_cache

from loom.draw import count, fixed, quantity
from loom.scene import Moment, Phase, evenly

from .model import SMS, TOY_KEYS, Case
from .pieces import CUT, SHARED, SPREAD, ends_at, is_shared

BEATS = 4  # of the unsplit run


@lru_cache(maxsize=256)  # the frames of a run repeat most times, at either width
def micro(seconds: float) -> str:
    """A time to three digits."""
    return quantity(seconds, "s")


def say_alone(moment: Moment) -> str:
    case: Case = moment.result
    who = f"{count(case.sequences, 'conversation')} of Llama 3 8B, a block for each KV head"
    if case.alone < 0.8 * SMS:
        what = f"{SMS - case.alone} of {SMS} SMs have nothing to read"
    else:
        what = f"{case.alone} of {SMS} SMs have work"
    return (
        f"{who}: {what}. A layer’s {quantity(case.bytes, 'B')} of keys and values take {micro(case.unsplit.reading)}."
    )


def say_split(moment: Moment) -> str:
    case: Case = moment.result
    words = f"{case.splits} parts of each cache make {case.blocks:,} blocks"
    if len(case.waves) == 1:
        rest = f"{case.blocks / SMS:.0%} of the SMs read at once"
    elif case.waves[-1] < SMS:
        rest = f"{count(len(case.waves), 'wave')} over {SMS} SMs, with {case.waves[-1]} in the last"
    else:
        rest = f"{count(len(case.waves), 'wave')} that fill all {SMS} SMs"
    return f"{words}: {rest}. The same bytes are read in {micro(case.reading)}."


def say_merge(moment: Moment) -> str:
    case: Case = moment.result
    return (
        f"A toy of {TOY_KEYS} keys: each part leaves an output, as height, and e to its log-sum-exp, as width. "
        f"The bars level out at {fixed(case.merged[2], 3)}, as unsplit; a plain mean is {fixed(case.mean, 3)}."
    )


def say_pays(moment: Moment) -> str:
    case: Case = moment.result
    if case.splits == 1:
        words = f"Unsplit, the layer takes {micro(case.total)}."
    else:
        words = f"With the merge it takes {micro(case.total)}, unsplit {micro(case.unsplit.total)}."
    if case.chosen == 1:
        return f"{words} {case.alone} blocks fill the SMs already: FlashAttention-3 would not split."
    return f"{words} FlashAttention-3 would take {case.chosen} parts here, the fewest that keep the SMs busy enough."


def cutting(case: Case) -> tuple[float, ...]:
    """The times of the cut, of the spread and, where SMs get less than they ask for, of that."""
    return evenly(2, 1.6, lead=0.5) if is_shared(case) else evenly(1, 0.8, lead=0.5)


def spread(moment: Moment) -> int:
    """What has happened to the pieces; where memory keeps up, they are where they stay once they are spread."""
    if moment.phase != "split" or (moment.beat and not is_shared(moment.result)):
        return SHARED
    return (CUT, SPREAD, SHARED)[moment.beat]


def is_split(case: Case) -> tuple[int, ...]:
    """One part is no split."""
    return (0,) if case.splits > 1 else ()


PHASES = (
    Phase("alone", say_alone, beats=lambda _: evenly(BEATS - 1, 3.8, lead=0.2)),
    Phase("split", say_split, is_split, lambda moment: cutting(moment.result)),
    Phase("merge", say_merge, is_split, lambda _: evenly(3, 2.4)),
    Phase("pays", say_pays),
)


def clock(moment: Moment) -> float:
    """How far the run has come that is shown [s]."""
    case: Case = moment.result
    if moment.phase == "alone":
        return case.unsplit.reading * moment.beat / (moment.beats - 1)  # it sets out from the beginning
    if moment.phase == "split":
        return ends_at(case, spread(moment))
    return case.reading + case.merging * moment.past("merge")
