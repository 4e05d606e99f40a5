"""The picture of a batch at one step: lanes under tokens under lines under words."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache, lru_cache

from loom.draw import Box, Mark, Pen, bracket
from loom.scene import Moment

from .outcome import draw_lost, draw_result, draw_straggler, draw_tray, draw_waiting, draw_wall
from .stage import Lanes, Stage, queue_place
from .story import GROUPS, Flow

LAST_WAIT = 12  # the last token of a step sets out 0.6 s after the first


def draw(moment: Moment, width: float) -> Iterator[Mark]:
    """The whole stage."""
    flow, groups = moment.result, moment.at
    stage, held, padded = stage_of(flow, width), flow.held(groups), moment.since("padding")
    lost = flow.wanted(groups) - held
    tiles = flow.run.tiles * padded
    yield from draw_lanes(stage.lanes, tuple(tiles.tolist()))
    if padded:
        yield from draw_padding(stage)
    yield from draw_copies(stage, groups, padded)
    if flow.capacity is not None:
        yield from draw_wall(stage.lanes, flow.capacity)
        yield from draw_lost(stage, padded, lost)
    yield from draw_tray(stage, int(lost.sum()))
    yield from draw_loads(stage, moment, held.tolist())
    yield from draw_waiting(stage) if moment.phase == "waiting" else draw_tile(stage.lanes)
    if padded:
        yield from draw_result(stage, moment.since("share"))
    else:
        left = flow.tokens - flow.sent(groups) // flow.top_k
        words = f"{left} of {flow.tokens} tokens wait" if left else "all tokens have gone"
        yield stage.pen.text("title", 0, stage.head, words, "note")
    if moment.phase == "waiting":
        yield from draw_straggler(stage)


# Steps of a variant, and variants with equal lanes, share most of their marks, so these are made once.
@lru_cache(maxsize=4)
def stage_of(flow: Flow, width: float) -> Stage:
    return Stage(Pen(width), flow)


@cache
def draw_lanes(lanes: Lanes, tiles: tuple[int, ...]) -> list[Mark]:
    """Floors, with a tick between two tiles where no frame shows where these end: that is around the first `tiles`."""
    pen, tile, ticks = lanes.pen, lanes.tile, []
    marks = [pen.rect(f"lane-{e}", row.inset(-2, -1, -2, -1), "cell soft") for e, row in enumerate(lanes.rows)]
    for row, framed in zip(lanes.rows, tiles, strict=True):
        for x in map(lanes.edge, range((framed + 1) * tile, lanes.length, tile)):
            ticks.append([(x, row.bottom - row.height / 9), (x, row.bottom + 1)])
    return [*marks, pen.strokes("ticks", ticks, "axis thin")] if ticks else marks


def draw_padding(stage: Stage) -> Iterator[Mark]:
    """The tiles that run, framed, and their empty slots, hatched."""
    run = stage.flow.run
    for e, (kept, padded) in enumerate(zip(run.kept_tokens.tolist(), run.padded_slots.tolist(), strict=True)):
        if padded:
            yield pads(stage.lanes, e, kept, padded)
        if kept:
            yield frames(stage.lanes, e, kept + padded)


@cache
def pads(lanes: Lanes, e: int, kept: int, padded: int) -> Mark:
    return lanes.pen.hatches(f"pad-{e}", lanes.empty(e, kept, padded), gap=4 if lanes.pitch < 10 else 5)


@cache
def frames(lanes: Lanes, e: int, slots: int) -> Mark:
    row, boxes = lanes.rows[e], []
    for slot in range(0, slots, lanes.tile):
        x = lanes.column(slot) - 1
        boxes.append(Box(x, row.y - 1, lanes.tile_end(slot + lanes.tile) + 1 - x, row.height + 2))
    return lanes.pen.outlines(f"tiles-{e}", boxes, "axis thin")


@cache
def slot_shape(lanes: Lanes, e: int, slot: int) -> Mapping[str, float | str]:
    return lanes.pen.rect("", lanes.slot(e, slot), round=1).shape


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
        if slot >= 0:
            now, later, shape = "hot", "kept", slot_shape(stage.lanes, expert, slot)
        else:
            now, later, shape = "dropped", "dropped", stage.pen.rect("", stage.dropped(lost), round=1).shape
            lost += 1
        key, wait = f"t{token}.{rank}", token % group * LAST_WAIT // (group - 1)
        moving.append(Mark(key, "rect", now, shape, wait=wait))
        settled.append(Mark(key, "rect", later, shape))
    return moving, settled


@cache
def draw_tile(lanes: Lanes) -> list[Mark]:
    """What the ticks are."""
    pen, start, y = lanes.pen, lanes.column(0), lanes.box.bottom + 2
    words = pen.text("tile-label", start, y + 8 + pen.size, f"a tile: {lanes.tile} slots", "note")
    return [*bracket(pen, "tile", start, lanes.tile_end(lanes.tile), y, depth=5), words]


def draw_loads(stage: Stage, moment: Moment, held: list[int]) -> Iterator[Mark]:
    """Each expert's name, its load and, once its tiles are filled up, how many slots are padding."""
    pen, run, lanes, padded = stage.pen, stage.flow.run, stage.lanes, moment.since("padding")
    top = lanes.box.y - 8
    yield pen.text("head-load", lanes.loads, top, "load", "note", anchor="end")
    if padded:
        yield pen.text("head-pad", pen.width, top, "pad", "note", anchor="end")
    busiest = run.busiest_expert if moment.phase == "waiting" and run.straggler > 1 else -1
    for e, count in enumerate(held):
        yield from name_and_load(lanes, e, count, count == busiest)
        if padded and run.padded_slots[e]:
            words = f"+{run.padded_slots[e]}"
            yield pen.text(f"padded-{e}", pen.width, lanes.middles[e], words, "note", anchor="end", middle=True)


@cache
def name_and_load(lanes: Lanes, e: int, count: int, late: bool) -> tuple[Mark, Mark]:
    pen, y = lanes.pen, lanes.middles[e]
    name, load = ("hot strong", "hot strong") if late else ("label", "value")
    return (
        pen.text(f"name-{e}", lanes.names, y, f"E{e}", name, middle=True),
        pen.text(f"load-{e}", lanes.loads, y, str(count), load, anchor="end", middle=True),
    )
