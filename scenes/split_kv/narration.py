"""The phases of the story, what is said in each, and how far time has come."""

from __future__ import annotations

from functools import lru_cache

from loom.draw import count, fixed, quantity
from loom.scene import Moment, Phase, evenly

from .model import SMS, TOY_KEYS, Case
from .pieces import CUT, SHARED, SPREAD, ends_at, is_shared

SPLITS = tuple(range(1, 33))
BEATS = 4  # of the unsplit run
MERGES = 3  # steps of the toy's merge
TRIED = (1, 2, 3, 4, 6, 8, 12, 16, 24)  # numbers of parts that the dot passes


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


def running(_: Moment) -> tuple[float, ...]:
    """The times at which the unsplit run sets out for each stretch, and that at which it is over."""
    return evenly(BEATS - 1, 3.8, lead=0.2, landed=True)


def cutting(case: Case) -> tuple[float, ...]:
    """The times of the cut, of the spread, where SMs get less than they ask for, of that, and that when all is read."""
    return (0.0, 0.3, 1.1, 1.9) if is_shared(case) else (0.0, 0.3, 1.1)


def merging(_: Moment) -> tuple[float, ...]:
    """The plain mean, the weights and the level, and that when the run is over."""
    return evenly(MERGES + 1, 0.8 * (MERGES + 1))


def walk(case: Case) -> list[int]:
    """The numbers of parts that are tried, up to FlashAttention-3's choice, if the curve has it."""
    return [*(parts for parts in TRIED if parts < case.chosen), case.chosen] if case.chosen in SPLITS else []


def paying(moment: Moment) -> tuple[float, ...]:
    """The times of the ways from one number of parts to the next, and that when the choice is made."""
    ways = len(walk(moment.result)) - 1
    return evenly(ways, 0.3 * ways, lead=0.25, landed=True)


def tried(moment: Moment) -> int | None:
    """The number of parts that is tried, or on its way to be; none before the last chapter, or without a choice."""
    tries = walk(moment.result) if moment.phase == "pays" else []
    return (tries[min(moment.beat, len(tries) - 1)] if moment.beats > 1 else tries[-1]) if tries else None


def spread(moment: Moment) -> int:
    """What has happened to the pieces, or is about to; where memory keeps up, once they are spread they stay."""
    return _spread(moment, moment.beat)


def _spread(moment: Moment, beat: int) -> int:
    if moment.phase != "split" or (beat and not is_shared(moment.result)):
        return SHARED
    return (CUT, SPREAD, SHARED)[min(beat, SHARED)]


def landed(moment: Moment) -> int:
    """What has happened to the pieces and is over: it may be told."""
    return _spread(moment, max(moment.beat - 1, 0))


def is_split(case: Case) -> tuple[int, ...]:
    """One part is no split."""
    return (0,) if case.splits > 1 else ()


PHASES = (
    Phase("alone", say_alone, beats=running),
    Phase("split", say_split, is_split, lambda moment: cutting(moment.result)),
    Phase("merge", say_merge, is_split, merging),
    Phase("pays", say_pays, beats=paying),
)


def clock(moment: Moment) -> float:
    """How far the run has come that is shown, or is about to [s]."""
    return _clock(moment, moment.beat)


def told(moment: Moment) -> float:
    """How far the playhead has come when a picture begins [s]."""
    if moment.phase == "merge" and not moment.beat:
        return moment.result.reading
    return _clock(moment, max(moment.beat - 1, 0))


def _clock(moment: Moment, beat: int) -> float:
    case: Case = moment.result
    if moment.phase == "alone":
        return case.unsplit.reading * min(beat / (BEATS - 1), 1.0)  # it sets out from the beginning
    if moment.phase == "split":
        return ends_at(case, _spread(moment, beat))
    return case.reading + case.merging * (min((beat + 1) / MERGES, 1.0) if moment.phase == "merge" else 1.0)
