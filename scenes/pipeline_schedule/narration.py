"""The phases of the story, what is said in each, and how far time has come."""

from __future__ import annotations

from loom.draw import number, percent
from loom.scene import Moment, Phase, evenly

from .model import Pipeline

NAMES = {"gpipe": "GPipe", "1f1b": "1F1B", "interleaved": "interleaved 1F1B", "zb-h1": "ZB-H1", "dualpipe": "DualPipe"}
FILL, RUN, HELD = 2, 5, 3  # beats
LEAD = 0.25  # [s] that the playhead stands at the beginning


def first_work(case: Pipeline) -> float:
    """When the last device begins [forwards]."""
    return max(slots[0].start for slots in case.slots)


def clock(moment: Moment) -> float:
    """How far time has come [forwards]."""
    case: Pipeline = moment.result
    first, opens = first_work(case), "run" if not first_work(case) else "fill"
    share = moment.beat / (moment.beats - 1) if moment.phase == opens else moment.past(moment.phase)
    if moment.phase == "fill":
        return first * share
    return first + (case.time - first) * (share if moment.phase == "run" else 1)


def sweeps(case: Pipeline) -> int:
    """In how many beats the last phase plays; bars of sixteen GPUs are too low to be followed, and grow at once."""
    return {2: HELD, 4: HELD, 8: 2}.get(case.stages, 0)


def again(moment: Moment) -> tuple[float, float]:
    """In the last phase: how far a second playhead goes in this beat, and what lies behind it [forwards]."""
    case: Pipeline = moment.result
    if moment.phase != "held" or moment.progress == 1:
        return case.time, case.time
    first, beat = -0.01 * case.time, moment.beat  # before anything is held
    many = sweeps(case)
    ends = [first, *(case.filled * share / many for share in range(1, many + 1))]
    return ends[beat], ends[max(beat - 1, 0)]


def say_fill(moment: Moment) -> str:
    case: Pipeline = moment.result
    if case.schedule == "dualpipe":
        both = "Microbatches enter at both ends: each GPU holds two stages, and twice the weights"
        return f"{both}. The GPUs in the middle wait for {count_of(first_work(case))}."
    thin = "thin " if case.schedule == "interleaved" else ""
    passed = f"{case.stages - 1} {thin}forward{'s' * (case.stages > 2)}"
    return f"A stage begins when the one before it has sent a result: GPU {case.stages} waits for {passed}."


def say_run(moment: Moment) -> str:
    case: Pipeline = moment.result
    shown = case.microbatches
    few = f" It takes {shown} microbatches or more, so {shown} are shown." if case.asked < shown else ""
    return {
        "gpipe": "All forwards, then all backwards, which take twice as long.",
        "1f1b": "As soon as a backward can run, it does: then one forward and one backward in turns.",
        "interleaved": "Each GPU holds two thin stages, far apart in the model, and takes turns of half the length.",
        "zb-h1": "A backward is cut in two. The part that the stage before waits for goes first, the weights’ later.",
        "dualpipe": "Once filled, a forward of the one direction runs beside a backward of the other.",
    }[case.schedule] + few


def say_idle(moment: Moment) -> str:
    case: Pipeline = moment.result
    few = f" for {case.microbatches} microbatches, the fewest," if case.asked < case.microbatches else ""
    long = f"Each GPU works{few} as long as {count_of(case.ideal)} take"
    if not case.idle:
        return f"{long}, and waits for nothing: no bubble."
    return (
        f"{long}, and waits as long as {number(case.idle, 4)}: {percent(case.share)} of the time, or "
        f"{percent(case.ratio)} of the work. Either is called the bubble."
    )


def say_held(moment: Moment) -> str:
    case: Pipeline = moment.result
    first = f"GPU 1 holds the activations of {batches(case.peaks[0])} at most"
    if case.microbatches == 1 and case.schedule in ("1f1b", "zb-h1"):
        return "Every GPU holds the one microbatch, as with GPipe: order saves memory only where there are several."
    those = "the one microbatch" if case.microbatches == 1 else f"all {case.microbatches} microbatches"
    return {
        "gpipe": f"No backward runs before the last forward: every GPU holds {those}.",
        "1f1b": f"{first}, GPU {case.stages} of {number(case.peaks[-1])}. The bubble is GPipe’s: 1F1B saves memory.",
        "interleaved": f"{first}. That, and twice as many messages, is what the smaller bubble costs.",
        "zb-h1": f"{first}, as with 1F1B, but the last GPU as many as the first.",
        "dualpipe": f"{first}, and so does every GPU. All of them hold two stages’ weights.",
    }[case.schedule]


def batches(held: float) -> str:
    """A number of microbatches, perhaps with a half, in words."""
    return f"{number(held)} {'microbatch' if held == 1 else 'microbatches'}"


def count_of(time: float) -> str:
    """A time in words."""
    return f"{number(time, 4)} forward{'s' * (time != 1)}"


PHASES = (
    Phase("fill", say_fill, lambda case: (0,) if first_work(case) else (), lambda _: evenly(FILL, 1.6, LEAD)),
    Phase("run", say_run, beats=lambda moment: evenly(RUN, 5.4, 0 if first_work(moment.result) else LEAD)),
    Phase("idle", say_idle, beats=lambda moment: evenly(1 if moment.result.idle else 0, 0.8, lead=0.4)),
    Phase("held", say_held, beats=lambda moment: evenly(sweeps(moment.result), 2.4, LEAD, landed=True)),
)
