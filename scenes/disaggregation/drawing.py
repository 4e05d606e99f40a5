"""The picture: two GPUs in three ways, over the same time, and a chart of prompts or of fleets."""

from __future__ import annotations

from collections.abc import Iterator

from loom.draw import Mark, headline, significant
from loom.scene import Moment

from .case import NAMES, Case
from .chart import draw_times
from .goodput import FLEET
from .lanes import APART, CHUNKS, SHOWN, WHOLE
from .rates import draw_rates
from .stage import GROUPS, NARROW, WIDE, Stage
from .story import GAINED, PAYS, SEND, clock, now_of
from .timeline import READ, draw_caches, draw_lanes, scenario_of

WAYS = {WHOLE: "with whole prompts", CHUNKS: "in chunks", APART: "apart"}
Words = list[str]  # in lines, which a phone has one by one


def draw(moment: Moment, width: float) -> Iterator[Mark]:
    stage: Stage = NARROW if width == NARROW.width else WIDE
    case: Case = moment.result
    charted = not stage.narrow or moment.since(SEND)
    ways = (APART,) if charted and stage.narrow else tuple(GROUPS)  # a phone has room for lanes or for a chart
    yield from draw_answer(stage, moment)
    yield from draw_lanes(stage, case, {way: now_of(moment, way) for way in ways})
    if moment.since(SEND):
        yield from draw_caches(stage, case, min(moment.beat, READ) if moment.phase == SEND else READ)
    if moment.phase == PAYS:
        yield from draw_rates(stage, case, moment.beat)
    elif charted:
        yield from draw_times(stage, case.tokens, case.link)


def draw_answer(stage: Stage, moment: Moment) -> Iterator[Mark]:
    """The longest wait for a token; then how long caches travel, and what it all gains."""
    case: Case = moment.result
    if moment.phase == SEND and moment.progress == 1:
        answer, words = travelled(case)
    else:
        answer, words = (gained if moment.phase == PAYS else waited)(case, moment)
    lines = words if stage.narrow else [" ".join(words)]
    yield from headline(stage, 0, stage.huge, answer, lines)


def waited(case: Case, moment: Moment) -> tuple[str, Words]:
    """The longest wait that the playhead has seen, none before the first token; and what it is."""
    phase = APART if moment.since(APART) else moment.phase
    scenario = scenario_of(case, phase)
    now = now_of(moment, phase)
    longest = scenario.longest_by(now * case.prompt.prefill) if now < SHOWN else scenario.longest
    return clock(longest) if longest else "–", ["the longest wait for a token,", WAYS[phase]]


def travelled(case: Case) -> tuple[str, Words]:
    """How long a cache travels."""
    return clock(case.sending), [f"for a cache over {NAMES[case.link]};",
                                 f"its prefill takes {clock(case.prompt.prefill)}"]  # fmt: skip


def gained(case: Case, moment: Moment) -> tuple[str, Words]:
    """What each way serves when its curve comes; then requests apart over those of the better way together."""
    if moment.beat < GAINED:
        return significant(case.served[moment.beat]), ["requests a second in time,", [*WAYS.values()][moment.beat]]
    if not case.gain:
        return "0", ["requests apart keep the targets"]
    rival = "with whole prompts" if case.served[0] > case.served[1] else "in chunks"
    return f"{case.gain:.2f}×", ["as many requests a second apart as", f"{rival}, on {FLEET} GPUs"]
