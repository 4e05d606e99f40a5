"""The picture of a batch: tokens travel from a queue to their experts' lanes, and slots of the last tiles run empty."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

from loom.draw import Box, Mark
from loom.scene import Moment

from .answer import draw_answer
from .stage import Stage, stage_of
from .story import CAPACITIES, TILE, TOKENS, arrived, clock, framed_only, sent
from .waiting import draw_waiting, name_padding, named


def draw(moment: Moment, width: float) -> Iterator[Mark]:
    stage = stage_of(width, moment.result)
    yield from draw_lanes(stage, moment)
    if moment.since("padding"):
        yield from draw_padding(stage, filled=not framed_only(moment))
    yield from draw_tokens(stage, moment)
    yield from draw_wall(stage)
    if moment.phase == "waiting":
        yield from draw_waiting(stage, moment)
    yield from draw_answer(stage, moment)


def draw_lanes(stage: Stage, moment: Moment) -> Iterator[Mark]:
    """Each expert's lane, name and load: what has arrived."""
    pen, held = stage.pen, stage.flow.held(arrived(moment))
    late = moment.phase == "waiting" and moment.progress == 1 and stage.flow.run.straggler > 1
    for e, (row, load) in enumerate(zip(stage.rows, held.tolist(), strict=True)):
        yield pen.rect(f"lane-{e}", row, "cell soft", read=f"E{e} holds {load} of {TOKENS} tokens")
        yield pen.text(f"name-{e}", stage.names, stage.middles[e], f"E{e}", "label", middle=True)
        role = "dropped strong" if late and load == held.max() else "value strong"
        yield pen.text(f"load-{e}", stage.loads, stage.middles[e], str(load), role, anchor="end", middle=True)


def draw_padding(stage: Stage, *, filled: bool) -> Iterator[Mark]:
    """The tiles that run, framed, and their empty slots, hatched."""
    run, words = stage.flow.run, named(stage)
    for e, (kept, padded) in enumerate(zip(run.kept_tokens.tolist(), run.padded_slots.tolist(), strict=True)):
        if padded and filled:
            empty = stage.slots(e, kept, kept + padded).inset(1, 1, 1, 1)
            yield stage.pen.hatches(f"pad-{e}", around(empty, words))
        if kept:
            yield stage.pen.outlines(f"tiles-{e}", stage.tiles(e), "data thin")
    if filled:
        yield from name_padding(stage)


def around(box: Box, hole: Box | None) -> list[Box]:
    """A box without what words take of it: no line goes through them."""
    if hole is None or not box.y < hole.y + hole.height / 2 < box.bottom:
        return [box]
    left, right = max(hole.x, box.x), min(hole.right, box.right)
    middle = box._replace(x=left, width=right - left)
    parts = [box._replace(width=left - box.x), box._replace(x=right, width=box.right - right),
             middle._replace(height=hole.y - box.y),
             middle._replace(y=hole.bottom, height=box.bottom - hole.bottom)]  # fmt: skip
    return [part for part in parts if part.width > 1 and part.height > 1]


def draw_tokens(stage: Stage, moment: Moment) -> Iterator[Mark]:
    """Every token: in the queue, on its way, where it went, or computed."""
    run, gone, there, pen = stage.flow.run, sent(moment), arrived(moment), stage.pen
    slots, done = run.slot.tolist(), clock(moment) * TILE
    if moment.phase == "route" or not pen.narrow:  # on a phone the answers need the room
        yield seats(stage)
        if not pen.narrow:
            yield pen.text("queue", 0, 24, f"{TOKENS - gone} wait" if gone < TOKENS else "sent to expert", "note")
            yield from choices(stage)[:there]
    for token, slot in enumerate(slots):
        role = "hot" if token >= there else "data" if slot >= done else "work" if slot >= 0 else "dropped"
        yield token_mark(stage, token, token < gone, role if token < gone else "data")
    if lost := sum(slot < 0 for slot in slots[:gone]):
        last = stage.dropped(lost - 1)
        words = f"{lost} dropped: they skip the expert"
        x = last.right + 6
        if x + pen.text_width(words, strong=True) > pen.pick(pen.width, stage.loads):
            words = f"{lost} dropped"
        yield pen.text("lost", x, last.y + last.height / 2, words, "dropped strong", middle=True)


@lru_cache(maxsize=1 << 9)  # from beat to beat, most tokens stay as they are
def token_mark(stage: Stage, token: int, gone: bool, role: str) -> Mark:
    """A token in the queue, or where it went."""
    return stage.pen.rect(f"token-{token}", stage.goals[token] if gone else stage.queue(token), role, round=2)


@lru_cache(maxsize=2)  # all beats, at either width
def seats(stage: Stage) -> Mark:
    """The places of the queue."""
    return stage.pen.outlines("seats", [stage.queue(token) for token in range(TOKENS)], "grid")


@lru_cache(maxsize=2)
def choices(stage: Stage) -> list[Mark]:
    """In the place that a token has left, the number of the expert that it went to; where that was full, as a loss."""
    run, marks = stage.flow.run, []
    for token, (e, kept) in enumerate(zip(run.expert.tolist(), run.kept.tolist(), strict=True)):
        x, y, wide, tall = stage.queue(token)
        role = "note" if kept else "dropped strong"
        marks.append(stage.pen.text(f"choice-{token}", x + wide / 2, y + tall / 2, str(e), role, anchor="middle",
                                    middle=True))  # fmt: skip
    return marks


def draw_wall(stage: Stage) -> Iterator[Mark]:
    """The capacity: a wall through all lanes, held by a handle over them."""
    pen, flow, y = stage.pen, stage.flow, stage.box.y - stage.pen.pick(14, 14)
    x = stage.hold
    role = "data" if flow.capacity is not None else "data thin dashed"  # behind all slots, where it stops nothing
    yield pen.line("wall", x, y, x, stage.box.bottom + 2, role)
    words = "no limit" if flow.capacity is None else f"at most {flow.capacity} each"
    left = x - 20 - pen.text_width(words) >= stage.box.x
    yield pen.text("capacity", x - 20 if left else x + 20, y, words, "label", anchor="end" if left else "start",
                   middle=True)  # fmt: skip
    yield pen.knob("hold", x, y, "capacity", [(stage.wall(one), y) for one in CAPACITIES])
