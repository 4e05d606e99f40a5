"""What becomes of a batch: its limit, what is dropped, what is computed for nothing, and who waits."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache

import numpy as np

from loom.draw import Box, Mark, paragraph, percent, plain

from .stage import Lanes, Stage

RESIDUAL = "they skip the expert and ride the residual"


@cache
def draw_wall(lanes: Lanes, capacity: int) -> list[Mark]:
    """The capacity as a wall through the lanes, if it is within them."""
    beyond = capacity > lanes.length
    x = lanes.box.right if beyond else wall_at(lanes, capacity)
    words = f"capacity {capacity}, further right" if beyond else f"capacity {capacity}"
    label = centred(lanes, "capacity-label", x, lanes.box.y - 8, words, "label")
    walls = [wall(lanes, row, capacity) for row in lanes.rows]
    return [label] if beyond else [label, lanes.pen.strokes("capacity", walls, "data")]


def wall_at(lanes: Lanes, capacity: int) -> float:
    """Where the column ends that holds a lane's last allowed slot."""
    return lanes.edge(-(-capacity // lanes.deep) * lanes.deep)


def draw_lost(stage: Stage, padded: bool, lost: np.ndarray) -> Iterator[Mark]:
    """Behind the wall, how far the dropped copies would have reached."""
    pen, run, lanes, capacity = stage.pen, stage.flow.run, stage.lanes, stage.flow.capacity
    for e in np.flatnonzero(lost).tolist():
        count, y = int(lost[e]), lanes.middles[e]
        tiles = lanes.tile_end(int(run.tiles[e]) * lanes.tile) if padded else 0.0
        start, end = max(wall_at(lanes, capacity), tiles) + 6, lanes.edge(capacity + count)
        fitting = (words for words in (f"{count} dropped", str(count)) if pen.room(words) < end - start)
        if words := next(fitting, ""):
            yield pen.text(f"lost-{e}", start, y, words, "dropped", middle=True)
            start += pen.room(words) + 6
        if end - start > 2:
            yield pen.path(f"reach-{e}", [(start, y), (end, y), (end, y - 4), (end, y + 4)], "dropped thin")


def wall(lanes: Lanes, row: Box, capacity: int) -> list[tuple[float, float]]:
    """The line behind a lane's last allowed slot: a step where that slot is not the lowest of its column."""
    over, top, bottom = capacity % lanes.deep, row.y - 3, row.bottom + 3
    left = lanes.edge(capacity - over)
    if not over:
        return [(left, top), (left, bottom)]
    right = lanes.edge(capacity - over + lanes.deep)
    middle = row.y + row.height * over / lanes.deep - lanes.air / 2
    return [(right, top), (right, middle), (left, middle), (left, bottom)]


def centred(lanes: Lanes, key: str, x: float, y: float, words: str, role: str) -> Mark:
    """Words about a place, held within the lanes and clear of the heading of the loads."""
    half, right = lanes.pen.room(words) / 2, lanes.loads - lanes.pen.room("load") - 8
    x = min(max(x, lanes.box.x + half), right - half)
    return lanes.pen.text(key, x, y, words, role, anchor="middle")


def draw_tray(stage: Stage, count: int) -> Iterator[Mark]:
    """What becomes of the copies that find their expert full."""
    pen, tray = stage.pen, stage.tray
    words = "no capacity, none dropped" if stage.flow.capacity is None else f"{count} dropped"
    y = tray.y - 8 - pen.pick(0, 2.6 * pen.size)
    yield pen.text("dropped", tray.x, y, words, "dropped strong" if count else "note")
    if count and pen.narrow:
        yield pen.text("residual-0", tray.x + pen.room(words, strong=True) + 8, y, RESIDUAL, "note")
    elif count:
        yield from paragraph(pen, "residual", tray.x, y + 1.3 * pen.size, RESIDUAL, 0.75 * tray.width)


def draw_result(stage: Stage, shared: bool) -> Iterator[Mark]:
    """The slots that the tensor core computes, as a bar of tokens and padding; then the useful share."""
    pen, run, large = stage.pen, stage.flow.run, stage.hero
    kept, padded = int(run.kept_tokens.sum()), int(run.padded_slots.sum())
    base = 0.8 * large + pen.pick(0, stage.head + 8)
    if not (shared and pen.narrow):
        yield pen.text("title", 0, stage.head, f"{run.tiles.sum()} tiles, {run.slots_run} slots", "note")
    if shared:
        share = percent(run.useful)
        yield pen.text("share", 0, base, share, "kept strong", size=large)
        yield pen.text("share-words", pen.room(share, size=large, strong=True) + 7, base, "useful", "label")
    bar = Box(0, base + 10, stage.panel.width, pen.pick(11, 16))
    split, below = bar.width * kept / run.slots_run, bar.bottom + pen.size + 3
    yield pen.rect("bar-kept", Box(0, bar.y, split, bar.height), "kept")
    yield pen.text("bar-kept-words", 0, below, stage.flow.copies(kept), "note")
    if padded:
        rest = bar.inset(left=split + 1)
        yield pen.rect("bar-pad", rest, "pad")
        yield pen.hatch("bar-hatch", rest)
        yield pen.text("bar-pad-words", bar.right, below, f"{padded} padding", "note", anchor="end")


def draw_waiting(stage: Stage) -> Iterator[Mark]:
    """The mean load across all lanes, and the time between an expert's last tile and the very last one."""
    pen, run, lanes, capacity = stage.pen, stage.flow.run, stage.lanes, stage.flow.capacity
    load = float(run.kept_tokens.mean())
    mean = lanes.edge(load)
    yield pen.line("mean", mean, lanes.box.y - 2, mean, lanes.box.bottom + 4, "ghost")
    yield centred(lanes, "mean-label", mean, lanes.box.bottom + 8 + pen.size, f"mean load {load:.3g}", "note")
    upright = [mean] if capacity is None else [mean, lanes.edge(capacity)]
    ends = [lanes.tile_end(int(count) * lanes.tile) if count else lanes.box.x for count in run.tiles]
    last, room, named = max(ends), pen.room("waits") + 6, None
    for e, end in enumerate(ends):
        start, y = end + 6, lanes.middles[e]
        if last - start < 1:
            continue
        if not named and last - start > room + 12 and not any(start - 2 < x < start + room for x in upright):
            named = pen.text("waits", start, y, "waits", "dropped", middle=True)
            start += room
        yield pen.line(f"idle-{e}", start, y, last, y, "dropped dashed")
    if named:
        yield named


def draw_straggler(stage: Stage) -> Iterator[Mark]:
    """How far the busiest expert is behind the others."""
    pen, run, large = stage.pen, stage.flow.run, stage.hero
    times, words = f"{plain(run.straggler)}×", "the mean load"
    role = "hot strong" if run.straggler > 1 else "kept strong"
    room = pen.room(times, size=large, strong=True) + 7
    x, y = (pen.width - room - pen.room(words), 0.8 * large) if pen.narrow else (0.0, 156 + 0.8 * large)
    if not pen.narrow:
        who = "the busiest expert has" if run.straggler > 1 else "every expert has"
        yield pen.text("late-title", 0, 148, who, "note")
    yield pen.text("late", x, y, times, role, size=large)
    yield pen.text("late-words", x + room, y, words, "label")
