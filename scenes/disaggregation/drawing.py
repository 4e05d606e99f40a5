"""The picture: two GPUs together and apart over the same time, and what a chart says of prompts or of fleets."""

from __future__ import annotations

from collections.abc import Iterator

from loom.draw import Mark, paragraph
from loom.scene import Moment

from .case import Case
from .chart import draw_rates, draw_times
from .goodput import FLEET
from .lanes import SHOWN
from .stage import NARROW, WIDE, Stage
from .story import APART, PAYS, TOGETHER, clock, now_of
from .timeline import draw_lanes


def draw(moment: Moment, width: float) -> Iterator[Mark]:
    stage: Stage = NARROW if width == NARROW.width else WIDE
    case: Case = moment.result
    yield from draw_answer(stage, moment)
    yield from draw_lanes(stage, case, now_of(moment, TOGETHER), now_of(moment, APART))
    if moment.phase == PAYS:
        yield from draw_rates(stage, case)
    else:
        yield from draw_times(stage, case.tokens, case.link)


def draw_answer(stage: Stage, moment: Moment) -> Iterator[Mark]:
    """The longest wait for a token, together and apart; in the end what the split gains."""
    case: Case = moment.result
    if moment.phase == PAYS:
        answer = f"{case.gain:.2f}×" if case.gain else "0"
        words = f"as many requests a second apart, on {FLEET} GPUs within the targets"
        words = words if case.gain else "requests fit within the target"
    else:
        answer, words = waited(case, moment), "the longest wait for a token"
        if moment.since(APART):
            words += stage.pick("", ", together and apart")
    yield stage.text("answer", 0, stage.huge, answer, "value strong answer", size=stage.huge)
    x = stage.room(answer, size=stage.huge, strong=True) + 12
    room = min(stage.width - x, 210)
    yield from paragraph(stage, "answer-words", x, stage.pick(12, 15), words, room, "label answer")


def waited(case: Case, moment: Moment) -> str:
    """The longest waits that the playheads have seen; none before the first token."""
    found = []
    for phase, scenario in ((TOGETHER, case.together), (APART, case.apart)):
        if now := now_of(moment, phase):
            longest = scenario.longest_by(now * case.prompt.prefill) if now < SHOWN else scenario.longest
            found.append(clock(longest) if longest else "–")
    return " → ".join(found)
