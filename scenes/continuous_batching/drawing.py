"""The picture: a queue above four slots under a playhead, first of eight requests, then of a stream of them."""

from __future__ import annotations

from collections.abc import Iterator

from loom.draw import Mark, headline, number, percent
from loom.scene import Moment

from .case import NAMES, STREAM
from .eight import draw_contrast, draw_each, draw_eight, eight_words, held_by, last_handed, steps_of
from .model import SLOTS, SPAN, STATIC
from .narration import clock
from .stage import NARROW, STEPS, WIDE, Stage
from .traffic import draw_curve, draw_queue_now, draw_stream

GROWN = (0.0, 1.0, 1.0)  # of the curve


def draw(moment: Moment, width: float) -> Iterator[Mark]:
    stage, case, now = NARROW if width == NARROW.width else WIDE, moment.result, clock(moment)
    yield stage.text("queue-words", stage.queue.x, stage.queue.y - 7, "waiting for a slot", "note")
    yield stage.text("slots-words", stage.slots.x, stage.slots.y - 7, slots_words(moment), "note")
    if moment.since(STREAM):
        yield from draw_stream(stage, case)
        yield from draw_now(stage, now, SPAN, SPAN, "stream")
        yield from draw_queue_now(stage, case, now)
        drawn = None if moment.phase == STREAM else GROWN[moment.beat]
        yield from draw_curve(stage, case, moment.past("load") == 1, drawn)
    else:
        yield from draw_eight(stage, case)
        yield from draw_now(stage, now, case.eight.steps, STEPS, "eight")
        ends = moment.phase == "each"
        yield from draw_each(stage, case, now, moment.beat if ends else -1)
        if ends:
            yield from draw_contrast(stage, case, moment.beat)
        words = f"In a long stream, the queue has no end from {number(case.limit)}% load on."
        yield stage.text("outlook", stage.slots.x, stage.outlook, words, "label answer")  # waits for the guess
    yield from draw_answer(stage, moment, now)


def slots_words(moment: Moment) -> str:
    held = "; hatched: idle until the batch ends" if moment.result.policy == STATIC else ""
    return f"{SLOTS} slots{held}"


def draw_now(stage: Stage, now: float, last: float, whole: float, story: str) -> Iterator[Mark]:
    """The playhead of one of the two stories, and a cover over what has not happened in it yet."""
    x, end = stage.x(now, whole), stage.x(last, whole)
    for name, room in (("queue", stage.queue), ("slots", stage.slots)):
        cover = room._replace(x=x, width=end - x)  # as the empty room: what has not happened is no thing of its own
        yield stage.rect(f"{story}-future-{name}", cover, "cell steady", round=0)
    lines = [[(x, room.y - 3), (x, room.bottom + 3)] for room in (stage.queue, stage.slots)]  # words stand between
    yield stage.strokes(f"{story}-now", lines, "hot steady")


def draw_answer(stage: Stage, moment: Moment, now: float) -> Iterator[Mark]:
    """The number that this chapter is about, and two lines of what it is."""
    answer, words, role = answers(moment, now)
    x, y = stage.answer
    told = last_handed(moment.result) + 1 if moment.phase == "each" else 0
    others = [steps_of(moment.result.eight.taken(held_by(beat))) for beat in range(told)]  # the words leave them room
    yield from headline(stage, x, y, answer, words, role, under=not stage.narrow, rest="note", widest=others,
                        shown=not moment.since(STREAM))  # fmt: skip


def answers(moment: Moment, now: float) -> tuple[str, tuple[str, str], str]:
    """The number, what it is, and its role."""
    case = moment.result
    if moment.phase == "each":
        return steps_of(case.eight.taken(held_by(moment.beat))), eight_words(case, moment.beat), "value"
    if not moment.since(STREAM):
        late = case.eight.late(now)
        names = ", ".join(NAMES[at] for at in late) or "nobody"
        words = f"{'have' if len(late) > 1 else 'has'} waited for a slot"
        used = f"{percent(case.eight.used(now))} of the slots used by step {number(now)}"
        return names, (words, used), "dropped" if late else "work"
    if moment.past("load") < 1:  # the wait is told when its curve is there
        waiting = case.stream.waiting(now)
        used = f"{percent(case.stream.used(now), 2)} of the slots used"
        return f"{waiting}", (f"wait{'s' * (waiting == 1)} at step {now:,.0f}", used), "dropped"
    if case.endless:
        return "no end", ("the queue never empties:", f"+{number(case.growth)} in 1,000 steps"), "dropped"
    return f"{number(case.wait)} steps", ("mean wait for a slot", f"at {case.load}% load"), "value"
