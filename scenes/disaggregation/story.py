"""The phases of the story, how far the playhead has come, and what is said."""

from __future__ import annotations

from loom.draw import quantity, significant
from loom.scene import Moment, Phase, evenly

from .case import NAMES, Case
from .decoder import TALKS
from .goodput import FLEET
from .lanes import APART, ARRIVALS, CHUNKS, SHOWN, WHOLE

SEND, PAYS = "send", "pays"
BEATS, LASTS = 8, 4.4  # pictures of a playhead, and seconds that it moves
GAINED = 3  # the beat of what pays that tells the gain: before it, each way comes in one
PAYING = (0.0, 0.8, 1.6, 2.6)  # [s]
SENDING = (0.0, 0.4, 1.6, 2.8)  # [s] caches stand where they were computed, go to the link, leave, and have come


def clock(seconds: float) -> str:
    return quantity(seconds, "s")


def now_of(moment: Moment, phase: str) -> float:
    """How far the playhead of a phase has come, in times of a prompt's prefill."""
    return SHOWN * moment.past(phase)


def say_whole(moment: Moment) -> str:
    case: Case = moment.result
    return (
        f"Each of two GPUs decodes for {TALKS // 2} conversations. While it computes a prompt, they wait "
        f"{clock(case.whole.longest)} for their next token instead of {clock(min(case.whole.gaps))}."
    )


def say_chunks(moment: Moment) -> str:
    case: Case = moment.result
    words = f"In steps of up to {case.budget:,} tokens, a chunk of a prompt runs beside the {TALKS // 2} next tokens"
    return f"{words}: no wait is longer than {clock(case.chunks.longest)}, but prompts take longer."


def say_apart(moment: Moment) -> str:
    case: Case = moment.result
    come, but = case.apart.come, "prompt D has to queue"
    if come < len(ARRIVALS):  # short waits, for hardly anybody new is there who decodes
        some = f"only {come} of {len(ARRIVALS)} caches {'comes' if come == 1 else 'come'} over the link in time"
        but = some if come else "no cache comes in time"
    return (
        f"The same prompts and GPUs: one computes prompts, one decodes for all {TALKS}. No wait is longer than "
        f"{clock(case.apart.longest)}, but {but}."
    )


def say_send(moment: Moment) -> str:
    case: Case = moment.result
    size, sending, prefill = quantity(case.prompt.cache, "B"), clock(case.sending), clock(case.prompt.prefill)
    words = f"A prompt’s cache of {size} takes {sending} over {NAMES[case.link]}, its prefill {prefill}."
    if case.sending > case.prompt.prefill:
        return f"{words} The link is slower: caches queue, up to links of {quantity(case.prompt.hides, 'B/s')}."
    return f"{words} From {quantity(case.prompt.hides, 'B/s')} on, the next prefill hides the copy."


def say_pays(moment: Moment) -> str:
    case: Case = moment.result
    (one, other, third), fleet = case.served, case.fleet
    if not max(case.served):
        alone = clock(fleet.machine.steps[1])
        return f"A step of one such conversation alone takes {alone}: a token every {case.pace} ms can’t be had."
    where = f", with {fleet.split(case.pace / 1000)} of {FLEET} GPUs for prefill" if third else ""
    return (
        f"Requests a second, of which 9 in 10 are in time: {significant(one)} whole, {significant(other)} in chunks, "
        f"{significant(third)} apart{where}."
    )


PHASES = (
    Phase(WHOLE, say_whole, beats=lambda _: evenly(BEATS - 1, LASTS, lead=0.25)),
    Phase(CHUNKS, say_chunks, beats=lambda _: evenly(BEATS - 1, LASTS, lead=0.25)),
    Phase(APART, say_apart, beats=lambda _: evenly(BEATS - 1, LASTS, lead=0.25)),
    Phase(SEND, say_send, beats=lambda _: SENDING),
    Phase(PAYS, say_pays, beats=lambda _: PAYING),
)
