"""The picture of a batch at one step: lanes under tokens under lines under words."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from functools import lru_cache

from loom.draw import Box, Mark, Pen, bracket

from .flow import ARRIVED, GROUPS, PADDED, WAITED, Flow, State
from .outcome import draw_limit, draw_result, draw_straggler, draw_tray, draw_waiting
from .stage import Stage, queue_place

LAST_WAIT = 12  # the last token of a step sets out 0.6 s after the first


def draw(state: State, width: float) -> Iterator[Mark]:
    """The whole stage."""
    stage, step, held = stage_of(state.flow, width), state.step, state.held
    lost = state.wanted - held
    yield from draw_lanes(stage, step >= PADDED)
    if step >= PADDED:
        yield from draw_padding(stage)
    yield from draw_copies(stage, step)
    if stage.flow.capacity is not None:
        yield from draw_limit(stage, step, lost)
    yield from draw_tray(stage, int(lost.sum()))
    yield from draw_loads(stage, step, held.tolist())
    yield from draw_waiting(stage) if step == WAITED else draw_tile(stage)
    if step < PADDED:
        left = stage.flow.tokens - stage.flow.sent(step) // stage.flow.top_k
        words = f"{left} of {stage.flow.tokens} tokens wait" if left else "all tokens have gone"
        yield stage.pen.text("title", 0, stage.head, words, "note")
    else:
        yield from draw_result(stage, step)
    if step == WAITED:
        yield from draw_straggler(stage)


# All steps of a variant share one geometry and most of their marks, so these are made once.
@lru_cache(maxsize=4)
def stage_of(flow: Flow, width: float) -> Stage:
    return Stage(Pen(width), flow)


@lru_cache(maxsize=4)
def draw_lanes(stage: Stage, framed: bool) -> tuple[Mark, ...]:
    """Floors, with a tick between two tiles unless frames show where these end."""
    run, floors, ticks = stage.flow.run, [], []
    for e, row in enumerate(stage.rows):
        floor = Box(row.x - 2, row.y - 1, row.width + 4, row.height + 2)
        floors.append(stage.pen.rect(f"lane-{e}", floor, "cell soft"))
        last = int(run.tiles[e]) * run.tile if framed else 0
        for x in map(stage.edge, range(last + run.tile, stage.flow.length, run.tile)):
            ticks.append([(x, row.bottom - row.height / 9), (x, row.bottom + 1)])
    return (*floors, stage.pen.strokes("ticks", ticks, "axis thin")) if ticks else tuple(floors)


@lru_cache(maxsize=4)
def draw_padding(stage: Stage) -> tuple[Mark, ...]:
    """The tiles that run, framed, and their empty slots, hatched."""
    run, marks = stage.flow.run, []
    gap = 4 if stage.pitch < 10 else 5
    for e, (kept, padded) in enumerate(zip(run.kept_tokens.tolist(), run.padded_slots.tolist(), strict=True)):
        if padded:
            slots = stage.empty(e, kept, padded)
            hatch = "".join(str(stage.pen.hatch("", slot, gap=gap).shape["d"]) for slot in slots)
            marks.append(Mark(f"pad-{e}", "path", "pad", {"d": hatch}))
        if kept:
            top, bottom = stage.rows[e].y - 1, stage.rows[e].bottom + 1
            starts = range(0, kept, run.tile)
            sides = [(stage.column(slot) - 1, stage.tile_end(slot + run.tile) + 1) for slot in starts]
            frames = [[(x, top), (end, top), (end, bottom), (x, bottom), (x, top)] for x, end in sides]
            marks.append(stage.pen.strokes(f"tiles-{e}", frames, "axis thin"))
    return tuple(marks)


def draw_copies(stage: Stage, step: int) -> list[Mark]:
    """Every copy of a token: settled, moving or waiting. The further copies show when it is next to go."""
    flow, (moving, settled) = stage.flow, copy_marks(stage)
    waiting = queue_marks(stage.pen, flow.tokens, flow.top_k)
    before, now, soon = (flow.sent(step + shift) for shift in (-1, 0, 1))
    before = now if step > ARRIVED else before
    return settled[:before] + moving[before:now] + waiting[now:soon] + waiting[soon :: flow.top_k]


@lru_cache(maxsize=4)
def queue_marks(pen: Pen, tokens: int, top_k: int) -> list[Mark]:
    """The copies of each token in the queue, one on top of the other."""
    places = [queue_place(pen, token, tokens // GROUPS) for token in range(tokens)]
    copies = itertools.product(range(tokens), range(top_k))
    return [pen.rect(f"t{token}.{rank}", places[token], "data", round=1) for token, rank in copies]


@lru_cache(maxsize=4)
def copy_marks(stage: Stage) -> tuple[list[Mark], list[Mark]]:
    """Each copy as it arrives in its slot or in the tray, and as it lies there later, in arrival order."""
    flow, of, lost = stage.flow, stage.flow.run, 0
    moving, settled = [], []
    arrivals = zip(of.token.tolist(), of.rank.tolist(), of.expert.tolist(), of.slot.tolist(), strict=True)
    for token, rank, expert, slot in arrivals:
        place = stage.slot(expert, slot) if slot >= 0 else stage.dropped(lost)
        lost += slot < 0
        now, later = ("hot", "kept") if slot >= 0 else ("dropped", "dropped")
        wait = token % flow.group * LAST_WAIT // (flow.group - 1)
        moving.append(stage.pen.rect(f"t{token}.{rank}", place, now, round=1, wait=wait))
        settled.append(Mark(moving[-1].key, "rect", later, moving[-1].shape))
    return moving, settled


def draw_tile(stage: Stage) -> Iterator[Mark]:
    """What the ticks are."""
    tile, start, y = stage.flow.run.tile, stage.column(0), stage.lanes.bottom + 2
    yield from bracket(stage.pen, "tile", start, stage.tile_end(tile), y, depth=5)
    yield stage.pen.text("tile-label", start, y + 8 + stage.pen.size, f"a tile: {tile} slots", "note")


def draw_loads(stage: Stage, step: int, held: list[int]) -> Iterator[Mark]:
    """Each expert's name, its load and, once its tiles are filled up, how many slots are padding."""
    pen, run, top = stage.pen, stage.flow.run, stage.lanes.y - 8
    yield pen.text("head-load", stage.loads, top, "load", "note", anchor="end")
    if step >= PADDED:
        yield pen.text("head-pad", pen.width, top, "pad", "note", anchor="end")
    for e, count in enumerate(held):
        late = step == WAITED and count == run.busiest_expert and run.straggler > 1
        yield from load_marks(stage, e, count, late)
        if step >= PADDED and run.padded_slots[e]:
            words, y = f"+{run.padded_slots[e]}", stage.middle(e)
            yield pen.text(f"padded-{e}", pen.width, y, words, "note", anchor="end", middle=True)


@lru_cache(maxsize=1024)
def load_marks(stage: Stage, e: int, count: int, late: bool) -> tuple[Mark, Mark]:
    pen, y = stage.pen, stage.middle(e)
    name, value = ("hot strong", "hot strong") if late else ("label", "value")
    return (
        pen.text(f"name-{e}", stage.names, y, f"E{e}", name, middle=True),
        pen.text(f"load-{e}", stage.loads, y, str(count), value, anchor="end", middle=True),
    )
