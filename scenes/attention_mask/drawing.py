"""The picture of a mask: one layer as a map of queries and keys, and its threads through a stack of layers."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import pairwise

import numpy as np

from loom.draw import Box, Mark, Pen, count, headline
from loom.scene import Moment

from .layers import draw_layers
from .masks import Flags, causal_mask
from .model import LAYERS, TOKENS, Look, path_of
from .narration import answer
from .pace import PAIR, asked, in_sight, layers_of, scanned, turn, whole
from .stage import Stage, runs

QUERIES = tuple(range(1, TOKENS + 1))
NUMBERED = (1, 4, 8, 12, 16)
AFTER = 4  # how much later the second of a pair of rows comes: half a beat, in twentieths of a second
BEHIND = {"top-k": ("quiet", "quiet"), "interleaved": ("kept soft", "hot soft")}  # behind what a row reads; who asks


def draw(moment: Moment, width: float) -> Iterator[Mark]:
    stage = stage_of(width)
    yield from draw_answer(stage, moment)
    yield from draw_map(stage, moment)
    yield from draw_layers(stage, moment)
    if moment.phase != "rule":
        yield from draw_hops(stage, moment)


@lru_cache(maxsize=2)
def stage_of(width: float) -> Stage:
    return Stage(Pen(width))


def draw_answer(stage: Stage, moment: Moment) -> Iterator[Mark]:
    """What the step comes to, as one number."""
    number, words, widest = answer(moment)
    yield from headline(stage.pen, *stage.answer, number, words, widest=widest)


def draw_map(stage: Stage, moment: Moment) -> Iterator[Mark]:
    """One layer: a row for each query that has asked, a column for each key."""
    pen, look, rows = stage.pen, moment.result, asked(moment)
    yield from draw_frame(stage, look.stack.pattern == "top-k")
    for row in rows:
        yield from asking(stage, moment) if row == look.row else draw_row(stage, look, row)
    yield map_grid(stage)
    if look.stack.pattern == "top-k":
        yield draw_looks(stage, look, rows if in_sight(moment).any() else ())
    if (row := turn(moment)) is not None:
        yield pen.rect("turn", stage.rows[row], "hot outline steady", round=2)
    yield pen.rect("asks", stage.rows[look.row], "hot outline", round=2)
    if whole(moment):
        yield from draw_regions(stage, look)
    yield from draw_rows(stage, look)


@lru_cache(maxsize=4)
def draw_frame(stage: Stage, own: bool) -> list[Mark]:
    """The empty map, with its title and its numbers; `own` if each layer has a map of its own."""
    pen, box = stage.pen, stage.map
    title = f"{'layer 1' if own else 'one layer'}: rows ask, columns are read"
    marks = [pen.text("map-title", 0, box.y - pen.pick(12, 26), title, "note")]
    for token in () if pen.narrow else NUMBERED:  # on a phone those of the strips stand in the same columns
        x = box.x + (token - 0.5) * stage.pitch
        marks.append(pen.text(f"key-{token}", x, box.y - 6, str(token), "note", anchor="middle"))
    return [*marks, pen.rect("map", box, "cell", round=0)]


@lru_cache(maxsize=2)
def draw_rows(stage: Stage, look: Look) -> list[Mark]:
    return [*touchable(stage, look)]


def touchable(stage: Stage, look: Look) -> Iterator[Mark]:
    """Every row can be pressed, and the one that asks can be pulled to another."""
    pen, x = stage.pen, stage.map.x
    for token, row in zip(QUERIES, stage.rows, strict=True):
        frame = Box(x, row.y, row.width, row.height)
        label, reads = f"Let token {token} ask", int(np.count_nonzero(look.stack.masks[0][token - 1]))
        yield pen.rect(f"row-{token}", frame, "quiet outline soft", round=0, set={"query": token}, label=label,
                       read=f"token {token} reads {count(reads, 'key')} of {TOKENS}")  # fmt: skip
        if token in NUMBERED and abs(row.y - stage.rows[look.row].y) > pen.pick(15, 16) + 0.35 * pen.size:
            yield pen.text(f"row-{token}-words", x - 6, row.y + row.height / 2, str(token), "note", anchor="end",
                           middle=True)  # fmt: skip
    rail = [(x - pen.pick(12, 14), row.y + row.height / 2) for row in stage.rows]
    place = rail[look.row]
    yield pen.knob("asker", *place, "query", rail)
    right = place[0] - pen.knob_radius - 1
    yield pen.text("asker-number", right, place[1], str(look.query), "hot strong", anchor="end", middle=True)


def draw_hops(stage: Stage, moment: Moment) -> Iterator[Mark]:
    """The longest way down the stack, hop by hop: each is a cell of the map; past the layers so far the uppermost."""
    look, layers = moment.result, layers_of(moment)
    hops = [*pairwise(path_of(look, layers))]
    for layer in range(1, LAYERS + 1):
        key, reader = hops[min(layer, layers) - 1]
        if key != reader and (layer == 1 or look.stack.pattern != "top-k"):
            box = stage.stretch(stage.rows[reader], key, key)
            yield stage.pen.rect(f"hop-cell-{layer}", box, "hot", round=1)


@lru_cache(maxsize=2)
def map_grid(stage: Stage) -> Mark:
    """The lines between the cells, the same in every picture of one width."""
    lines = [((row.x, row.y), (row.right, row.y)) for row in stage.rows[1:]]
    return stage.pen.strokes("map-grid", stage.walls(stage.map) + lines, "grid")


@lru_cache(maxsize=TOKENS)  # once it is there, a row stays as it is
def draw_row(stage: Stage, look: Look, row: int) -> list[Mark]:
    """What one query reads; behind it what the indexer scores, or what global layers read: all of its past."""
    pen, box, pattern, marks = stage.pen, stage.rows[row], look.stack.pattern, list[Mark]()
    wait = AFTER * (row % PAIR)
    if pattern in BEHIND:
        marks.append(pen.rect(f"behind-{row}", stage.stretch(box, 0, row), BEHIND[pattern][0], round=1, wait=wait))
    for number, run in enumerate(runs(look.stack.masks[0][row])):
        marks.append(pen.rect(f"seen-{row}-{number}", stage.stretch(box, *run), "kept", round=1, wait=wait))
    return marks


def asking(stage: Stage, moment: Moment) -> Iterator[Mark]:
    """The row of the one that asks, as far as it has read."""
    look: Look = moment.result
    pen, row, pattern, seen = stage.pen, look.row, look.stack.pattern, in_sight(moment) & look.stack.masks[0][look.row]
    if pattern in BEHIND:  # before all of its past is there, only as much as the keys hide
        first = 0 if scanned(moment) else int(np.argmax(seen)) if seen.any() else row
        role = f"{BEHIND[pattern][1]} steady" if moment.phase == "rule" else BEHIND[pattern][1]
        yield pen.rect(f"behind-{row}", stage.stretch(stage.rows[row], first, row), role, round=1)
    for number, run in enumerate(runs(seen)):
        yield pen.rect(f"seen-{row}-{number}", stage.stretch(stage.rows[row], *run), "hot", round=1)


def draw_looks(stage: Stage, look: Look, rows: Sequence[int]) -> Mark:
    """A dot in each cell that the indexer scores and attention leaves out."""
    left_out: Flags = causal_mask(TOKENS) & ~look.stack.masks[0]
    dots = []
    for row, key in np.argwhere(left_out).tolist():
        if row in rows:
            x, y = stage.map.x + (key + 0.5) * stage.pitch, stage.rows[row].y + stage.rows[row].height / 2
            dots.append(((round(x - 1, 1), round(y, 1)), (round(x + 1, 1), round(y, 1))))
    return stage.pen.strokes("looks", dots, "axis thick")


def draw_regions(stage: Stage, look: Look) -> Iterator[Mark]:
    """The words that stand in the map, on what is not read."""
    pen, box, stack = stage.pen, stage.map, look.stack
    words = {"later": "later tokens: never read"} if stack.pattern != "full" else {}
    words |= {"passed": "grey: not chosen"} if stack.pattern == "top-k" else {}
    for (key, line), y in zip(words.items(), clear_of(stage, look.row, len(words)), strict=True):
        yield pen.text(key, box.right - 6, y, line, "note", anchor="end", middle=True)
    early = {"window": "too far back", "window+first": "too far back", "interleaved": "global layers only"}
    if stack.pattern in early:
        x = box.x + (stack.first if stack.pattern == "window+first" else 0) * stage.pitch + 5
        role = "label" if stack.pattern == "interleaved" else "note"
        y = stage.rows[-2 if look.query not in (14, 15) else -4].y
        yield pen.text("early", x, y, early[stack.pattern], role, middle=True)


def clear_of(stage: Stage, row: int, lines: int) -> list[float]:
    """The heights of lines of words over the cells of later tokens, clear of the row that asks."""
    half, asks, y, heights = 0.65 * stage.pen.size, stage.rows[row], stage.rows[2].y, list[float]()
    for _ in range(lines):
        if y - half < asks.bottom and asks.y < y + half:
            y = asks.bottom + half
        heights.append(y)
        y += 1.35 * stage.pen.size
    return heights
