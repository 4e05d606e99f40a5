"""The picture of a batch: tokens travel from a queue to their experts' lanes, and slots of the last tiles run empty."""

from __future__ import annotations

from collections.abc import Iterator

from loom.draw import Mark, Pen
from loom.scene import Moment

from .answer import draw_answer
from .stage import Stage
from .story import CAPACITIES, TILE, TOKENS, arrived, clock, framed_only, sent
from .waiting import draw_waiting, name_padding


def draw(moment: Moment, width: float) -> Iterator[Mark]:
    stage = Stage(Pen(width), moment.result)
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
    run = stage.flow.run
    for e, (kept, padded) in enumerate(zip(run.kept_tokens.tolist(), run.padded_slots.tolist(), strict=True)):
        if padded and filled:
            yield stage.pen.hatch(f"pad-{e}", stage.slots(e, kept, kept + padded).inset(1, 1, 1, 1))
        if kept:
            yield stage.pen.outlines(f"tiles-{e}", stage.tiles(e), "data thin")
    if filled:
        yield from name_padding(stage)


def draw_tokens(stage: Stage, moment: Moment) -> Iterator[Mark]:
    """Every token: in the queue, on its way, where it went, or computed."""
    run, gone, there, lost = stage.flow.run, sent(moment), arrived(moment), 0
    pen, done = stage.pen, clock(moment) * TILE
    if moment.phase == "route" or not pen.narrow:  # on a phone the answers need the room
        yield pen.outlines("seats", [stage.queue(token) for token in range(TOKENS)], "grid")
        if not pen.narrow:
            yield pen.text("queue", 0, 24, f"{TOKENS - gone} wait" if gone < TOKENS else "sent to expert", "note")
            yield from draw_choices(stage, moment)
    for token, (e, slot) in enumerate(zip(run.expert.tolist(), run.slot.tolist(), strict=True)):
        place, role = stage.queue(token), "data"
        if token < gone:
            place = stage.slot(e, slot) if slot >= 0 else stage.dropped(lost)
            role = "hot" if token >= there else "data" if slot >= done else "work" if slot >= 0 else "dropped"
            lost += slot < 0
        yield pen.rect(f"token-{token}", place, role, round=2)
    if lost:
        last = stage.dropped(lost - 1)
        words = f"{lost} dropped: they skip the expert"
        x = last.right + 6
        if x + pen.text_width(words, strong=True) > pen.pick(pen.width, stage.loads):
            words = f"{lost} dropped"
        yield pen.text("lost", x, last.y + last.height / 2, words, "dropped strong", middle=True)


def draw_choices(stage: Stage, moment: Moment) -> Iterator[Mark]:
    """In the place that a token has left, the number of the expert that it went to; where that was full, as a loss."""
    run, pen = stage.flow.run, stage.pen
    for token, (e, kept) in enumerate(zip(run.expert.tolist(), run.kept.tolist(), strict=True)):
        if token < arrived(moment):
            x, y, wide, tall = stage.queue(token)
            role = "note" if kept else "dropped strong"
            yield pen.text(f"choice-{token}", x + wide / 2, y + tall / 2, str(e), role, anchor="middle", middle=True)


def draw_wall(stage: Stage) -> Iterator[Mark]:
    """The capacity: a wall through all lanes, held by a handle over them."""
    pen, flow, y = stage.pen, stage.flow, stage.box.y - stage.pen.pick(14, 14)
    x = stage.wall("off") if flow.capacity is None else stage.edge(flow.capacity)
    role = "data" if flow.capacity is not None else "data thin dashed"  # behind all slots, where it stops nothing
    yield pen.line("wall", x, y, x, stage.box.bottom + 2, role)
    words = "no limit" if flow.capacity is None else f"at most {flow.capacity} each"
    left = x - 20 - pen.text_width(words) >= stage.box.x
    yield pen.text("capacity", x - 20 if left else x + 20, y, words, "label", anchor="end" if left else "start",
                   middle=True)  # fmt: skip
    yield pen.knob("hold", x, y, "capacity", [(stage.wall(one), y) for one in CAPACITIES])
