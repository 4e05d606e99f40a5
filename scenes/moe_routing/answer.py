"""The number that each chapter comes to, and what it counts."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from loom.draw import Mark, percent, significant
from loom.scene import Moment

from .stage import Stage
from .story import TOKENS, arrived, framed_only


class Answer(NamedTuple):
    """A number in words, what it counts, and whether it is a loss."""

    number: str
    words: str
    more: str
    role: str


def answers(stage: Stage, moment: Moment) -> list[Answer]:
    """The number of the chapter, and before it those of the chapters that have passed."""
    run, held = stage.flow.run, stage.flow.held(arrived(moment))
    busiest, most = int(held.argmax()), int(held.max())
    found = [Answer(str(most), f"of {TOKENS} tokens", f"at E{busiest}", "value")]
    if moment.since("padding") and not framed_only(moment):
        found.append(Answer(percent(run.useful), "of the slots useful", f"{run.slots_run} slots run", "work"))
    if moment.phase == "waiting" and moment.progress == 1:
        role = "dropped" if run.straggler > 1 else "work"
        found.append(Answer(f"{significant(run.straggler)}×", "the mean load", f"at E{busiest}", role))
    return found


def draw_answer(stage: Stage, moment: Moment) -> Iterator[Mark]:
    """The newest number large; where there is room the earlier ones under it."""
    pen, found = stage.pen, answers(stage, moment)
    for back, one in enumerate(reversed(found)):
        size, key = (pen.huge, len(found) - back) if not back else (pen.large, len(found) - back)
        role = f"{one.role} strong answer"
        if pen.narrow:
            if not back:
                yield pen.text(f"number-{key}", 0, 26, one.number, role, size=size)
                x = pen.text_width(one.number, size=size, strong=True) + 6
                yield pen.text(f"words-{key}", x, 26, f"{one.words}", "label")
            continue
        x, y = 676, 74 + back * 76 + 16 * (back > 0)
        yield pen.text(f"number-{key}", x, y, one.number, role, size=size)
        yield pen.text(f"words-{key}", x, y + 21, one.words, "label")
        yield pen.text(f"more-{key}", x, y + 40, one.more, "note")
