"""The picture of a batch at one step: lanes under tokens under lines under words."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

from loom.draw import Box, Mark, Pen, bracket
from loom.scene import Moment

from .outcome import draw_lost, draw_result, draw_straggler, draw_tray, draw_waiting, draw_wall
from .stage import Stage, queue_place
from .story import GROUPS, Flow

LAST_WAIT = 12  # the last token of a step sets out 0.6 s after the first


def draw(moment: Moment, width: float) -> Iterator[Mark]:
    """The whole stage."""
    flow, groups = moment.result, moment.at
    stage, held, padded = stage_of(flow, width), flow.held(groups), moment.since("padding")
    lost = flow.wanted(groups) - held
    yield from draw_lanes(stage, padded)
    if padded:
        yield from draw_padding(stage)
    yield from draw_copies(stage, groups, padded)
    if flow.capacity is not None:
        yield from draw_wall(stage)
        yield from draw_lost(stage, padded, lost)
    yield from draw_tray(stage, int(lost.sum()))
    yield from draw_loads(stage, moment, held.tolist())
    yield from draw_waiting(stage) if moment.phase == "waiting" else draw_tile(stage)
    if padded:
        yield from draw_result(stage, moment.since("share"))
    else:
        left = flow.tokens - flow.sent(groups) // flow.top_k
        words = f"{left} of {flow.tokens} tokens wait" if left else "all tokens have gone"
        yield stage.pen.text("title", 0, stage.head, words, "note")
    if moment.phase == "waiting":
        yield from draw_straggler(stage)


# All steps of a variant share one geometry and most of their marks, so these are made once.
@lru_cache(maxsize=4)
def stage_of(flow: Flow, width: float) -> Stage:
    return Stage(Pen(width), flow)


@lru_cache(maxsize=4)
def draw_lanes(stage: Stage, framed: bool) -> list[Mark]:
    """Floors, with a tick between two tiles unless frames show where these end."""
    pen, tile = stage.pen, stage.tile
    marks = [pen.rect(f"lane-{e}", row.inset(-2, -1, -2, -1), "cell soft") for e, row in enumerate(stage.rows)]
    ticks = []
    for row, tiles in zip(stage.rows, stage.flow.run.tiles.tolist(), strict=True):
        for slots in range((tiles * framed + 1) * tile, stage.flow.length, tile):
            x = stage.edge(slots)
            ticks.append([(x, row.bottom - row.height / 9), (x, row.bottom + 1)])
    return [*marks, pen.strokes("ticks", ticks, "axis thin")] if ticks else marks


@lru_cache(maxsize=4)
def draw_padding(stage: Stage) -> list[Mark]:
    """The tiles that run, framed, and their empty slots, hatched."""
    run, marks = stage.flow.run, []
    for e, (kept, padded) in enumerate(zip(run.kept_tokens.tolist(), run.padded_slots.tolist(), strict=True)):
        if padded:
            gap = 4 if stage.pitch < 10 else 5
            marks.append(stage.pen.hatches(f"pad-{e}", stage.empty(e, kept, padded), gap=gap))
        if kept:
            row, frames = stage.rows[e], []
            for slot in range(0, kept, stage.tile):
                x = stage.column(slot) - 1
                frames.append(Box(x, row.y - 1, stage.tile_end(slot + stage.tile) + 1 - x, row.height + 2))
            marks.append(stage.pen.outlines(f"tiles-{e}", frames, "axis thin"))
    return marks


def draw_copies(stage: Stage, groups: int, padded: bool) -> list[Mark]:
    """Every copy of a token: settled, moving or waiting. The further copies show when it is next to go."""
    flow, (moving, settled) = stage.flow, copy_marks(stage)
    waiting = queue_marks(stage.pen, flow.tokens, flow.top_k)
    now, soon = flow.sent(groups), flow.sent(groups + 1)
    before = now if padded else flow.sent(groups - 1)
    return settled[:before] + moving[before:now] + waiting[now:soon] + waiting[soon :: flow.top_k]


@lru_cache(maxsize=4)  # many variants share a queue
def queue_marks(pen: Pen, tokens: int, top_k: int) -> list[Mark]:
    """The copies of each token in the queue, one on top of the other."""
    places = [(token, queue_place(pen, token, tokens // GROUPS)) for token in range(tokens)]
    return [pen.rect(f"t{token}.{k}", place, "data", round=1) for token, place in places for k in range(top_k)]


@lru_cache(maxsize=4)
def copy_marks(stage: Stage) -> tuple[list[Mark], list[Mark]]:
    """Each copy as it arrives in its slot or in the tray, and as it lies there later, in arrival order."""
    group, of, lost = stage.flow.group, stage.flow.run, 0
    moving, settled = [], []
    arrivals = zip(of.token.tolist(), of.rank.tolist(), of.expert.tolist(), of.slot.tolist(), strict=True)
    for token, rank, expert, slot in arrivals:
        place = stage.slot(expert, slot) if slot >= 0 else stage.dropped(lost)
        lost += slot < 0
        now, later = ("hot", "kept") if slot >= 0 else ("dropped", "dropped")
        wait = token % group * LAST_WAIT // (group - 1)
        moving.append(stage.pen.rect(f"t{token}.{rank}", place, now, round=1, wait=wait))
        settled.append(Mark(moving[-1].key, "rect", later, moving[-1].shape))
    return moving, settled


@lru_cache(maxsize=4)
def draw_tile(stage: Stage) -> list[Mark]:
    """What the ticks are."""
    pen, start, y = stage.pen, stage.column(0), stage.lanes.bottom + 2
    words = pen.text("tile-label", start, y + 8 + pen.size, f"a tile: {stage.tile} slots", "note")
    return [*bracket(pen, "tile", start, stage.tile_end(stage.tile), y, depth=5), words]


@lru_cache(maxsize=4)
def names(stage: Stage) -> list[Mark]:
    """The experts' names."""
    text = stage.pen.text
    return [text(f"name-{e}", stage.names, y, f"E{e}", middle=True) for e, y in enumerate(stage.middles)]


def draw_loads(stage: Stage, moment: Moment, held: list[int]) -> Iterator[Mark]:
    """Each expert's name, its load and, once its tiles are filled up, how many slots are padding."""
    pen, run, top, padded = stage.pen, stage.flow.run, stage.lanes.y - 8, moment.since("padding")
    yield pen.text("head-load", stage.loads, top, "load", "note", anchor="end")
    if padded:
        yield pen.text("head-pad", pen.width, top, "pad", "note", anchor="end")
    busiest = run.busiest_expert if moment.phase == "waiting" and run.straggler > 1 else -1
    for e, (name, count, y) in enumerate(zip(names(stage), held, stage.middles, strict=True)):
        late = count == busiest
        yield name._replace(role="hot strong") if late else name
        role = "hot strong" if late else "value"
        yield pen.text(f"load-{e}", stage.loads, y, str(count), role, anchor="end", middle=True)
        if padded and run.padded_slots[e]:
            yield pen.text(f"padded-{e}", pen.width, y, f"+{run.padded_slots[e]}", "note", anchor="end", middle=True)
