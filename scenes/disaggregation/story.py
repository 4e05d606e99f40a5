"""The phases of the story, how far the playhead has come, and what is said."""

from __future__ import annotations

from loom.draw import count, plain, quantity
from loom.scene import Moment, Phase, evenly

from .case import NAMES, Case
from .goodput import FLEET
from .lanes import SHOWN, TALKS

TOGETHER, APART, SEND, PAYS = "together", "apart", "send", "pays"
BEATS, LASTS = 10, 6.0  # pictures and seconds of a playhead


def clock(seconds: float) -> str:
    return quantity(seconds, "s")


def now_of(moment: Moment, phase: str) -> float:
    """How far the playhead of a phase has come, in times of a prompt's prefill."""
    return SHOWN * moment.past(phase)


def say_together(moment: Moment) -> str:
    case: Case = moment.result
    return (
        f"Each of two GPUs decodes for {TALKS // 2} conversations. When a prompt of {case.tokens:,} tokens comes, they "
        f"wait {clock(case.together.longest)} for their next token instead of {clock(min(case.together.gaps))}."
    )


def say_apart(moment: Moment) -> str:
    case: Case = moment.result
    return (
        f"The same prompts and GPUs: one computes prompts, one decodes for all {TALKS}. No wait is longer than "
        f"{clock(case.apart.longest)}, but prompt D has to queue."
    )


def say_send(moment: Moment) -> str:
    case: Case = moment.result
    size, sending, prefill = quantity(case.prompt.cache, "B"), clock(case.sending), clock(case.prompt.prefill)
    words = f"A prompt’s cache of {size} takes {sending} over {NAMES[case.link]}, its prefill {prefill}."
    if case.sending > case.prompt.prefill:
        return f"{words} The link is the slower: caches queue. From {quantity(case.prompt.hides, 'B/s')} on it is not."
    return f"{words} From {quantity(case.prompt.hides, 'B/s')} on, the next prefill hides the copy."


def say_pays(moment: Moment) -> str:
    case: Case = moment.result
    (one, other), fleet = case.served, case.fleet
    most = f"Without targets: {plain(fleet.most_together)} and {plain(fleet.most_apart)}."
    if not one or not other:
        alone = clock(float(fleet.steps[0]))
        return (
            f"A step of one such conversation alone takes {alone}, so a token every {case.pace} ms can’t be had. {most}"
        )
    words = f"With a token every {case.pace} ms, {FLEET} GPUs serve {plain(one)} requests a second together"
    split = count(fleet.split(case.pace / 1000), "GPU prefills", "GPUs prefill")
    return f"{words}, {plain(other)} apart, where {split}. {most}"


PHASES = (
    Phase(TOGETHER, say_together, beats=lambda _: evenly(BEATS, LASTS)),
    Phase(APART, say_apart, beats=lambda _: evenly(BEATS, LASTS)),
    Phase(SEND, say_send),
    Phase(PAYS, say_pays),
)
