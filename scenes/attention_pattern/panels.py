"""Beside the columns: the map of all queries and keys, one product entry by entry, and the output as it is mixed."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import accumulate, pairwise

from loom.draw import Box, Mark

from .layout import COUNT, MOST_SHOWN, MOST_VALUE, Layout
from .model import State
from .weights import HEADS, TOKENS
from .words import LETTERS, SUBSCRIPTS, map_title, panel_title, signed


def walk(state: State) -> list[float]:
    """The running sum of the query's product with its best key, entry by entry, from 0."""
    products = state.of.Q[state.row] * state.of.K[state.best]
    return list(accumulate(map(float, products), initial=0.0))


WALKS = [walk(State(query, head, 0)) for query in TOKENS for head in HEADS]
LEAST, MOST = min(map(min, WALKS)), max(map(max, WALKS))


def draw_map(at: Layout, state: State) -> Iterator[Mark]:
    """A row for each query, a column for each key: squares whose area is the score, and then the weight."""
    pen, box = at.pen, at.map
    wide, high = box.width / COUNT, box.height / COUNT
    left = 0 if pen.narrow else box.x - 62
    yield pen.text("map-title", left, box.y - (7 if pen.narrow else 30), map_title(state), "note")
    if not pen.narrow:  # on a phone the columns are those of the keys above
        for key, word in enumerate(TOKENS):
            yield pen.text(f"map-key-{key}", box.x + (key + 0.5) * wide, box.y - 7, word[0], "note", anchor="middle")
    for row, word in enumerate(TOKENS):
        top = box.y + row * high
        if state.past("masked") and row < COUNT - 1:
            shut = Box(box.x + (row + 1) * wide, top + 1, (COUNT - 1 - row) * wide, high - 2)
            yield pen.rect(f"map-shut-{row}", shut, "quiet soft", round=1)
        for key in range(COUNT):
            yield from draw_square(at, state, row, key, Box(box.x + key * wide, top, wide, high))
        now = row == state.row
        yield pen.text(f"map-query-{row}", left + 3, top + high / 2, word, "hot strong" if now else "label",
                                 middle=True)  # fmt: skip
    if state.past("masked"):
        place = box.right - 5, box.y + high / 2
        yield pen.text("map-masked", *place, "later keys: masked", "note", anchor="end", middle=True)
    for row, word in sorted(enumerate(TOKENS)):
        frame = Box(left, box.y + row * high + 1, box.right - left, high - 2)
        role = "hot outline" if row == state.row else "cell outline"
        yield pen.rect(f"map-row-{row}", frame, role, round=3, set={"query": word}, label=f"Row of the query {word}")


def draw_square(at: Layout, state: State, row: int, key: int, cell: Box) -> Iterator[Mark]:
    """One entry of the map; a negative score is hollow, and what is masked has none."""
    if not state.past("raw") or (state.past("masked") and key > row):
        return
    scores = state.of.scaled if state.past("scaled") else state.of.raw
    entry = float(scores[row, key]) / MOST_SHOWN
    if state.past("weights"):
        entry = float(state.of.weights[row, key])
    side = (cell.height - 4) * abs(entry) ** 0.5
    place = Box(cell.x + (cell.width - side) / 2, cell.y + (cell.height - side) / 2, side, side)
    role = "cell" if entry < 0 else "kept" if state.past("weights") else "data"
    yield at.pen.rect(f"map-{row}-{key}", place, role, round=1)


def draw_panel(at: Layout, state: State) -> Iterator[Mark]:
    pen, box = at.pen, at.panel
    title = panel_title(state, pen.narrow)
    if title:
        yield pen.text("panel-title", box.x, box.y + 0.8 * pen.size, title, "note")
    if state.past("weights"):
        yield from draw_output(at, state)
    elif state.past("raw"):
        yield from draw_walk(at, state)
    else:
        yield from draw_letters(at)


def draw_letters(at: Layout) -> Iterator[Mark]:
    """What the three vectors are for."""
    step = 16 if at.pen.narrow else 24
    for row, (letter, words) in enumerate(LETTERS, 1):
        y = at.panel.y + at.pen.size + row * step
        yield at.pen.text(f"letter-{letter}", at.panel.x, y, letter, "label strong")
        yield at.pen.text(f"letter-{letter}-words", at.panel.x + 20, y, words, "label")


def draw_walk(at: Layout, state: State) -> Iterator[Mark]:
    """The product q·k as a walk: each entry's product starts where the sum so far ends."""
    pen, run, key = at.pen, state.of, state.best
    step = 13 if pen.narrow else 22
    top = at.panel.y + (16 if pen.narrow else 26)
    sums, names = walk(state), 96 if pen.narrow else 100
    after = pen.room("−0.00") + 8
    unit = (at.panel.width - names - after) / (MOST - LEAST)
    zero = at.panel.x + names - LEAST * unit
    yield pen.line("walk-zero", zero, top - 2, zero, top + 5 * step, "grid")
    for entry, (here, there) in enumerate(pairwise(sums)):
        y = top + (entry + 0.5) * step
        words = f"{signed(float(run.Q[state.row, entry]))} × {signed(float(run.K[key, entry]))}"
        yield pen.text(f"walk-{entry}-words", at.panel.x + names - 12, y, words, "label", anchor="end", middle=True)
        bar = Box(zero + min(here, there) * unit, y - step * 0.3, max(abs(there - here) * unit, 1.0), step * 0.6)
        yield pen.rect(f"walk-{entry}", bar, "cell" if there < here else "data", round=1)
    total = sums[-1] / 2 if state.past("scaled") else sums[-1]
    y = top + 4.5 * step
    words = "sum ÷ √4" if state.past("scaled") else "sum"
    yield pen.text("walk-sum-words", at.panel.x + names - 12, y, words, "label strong", anchor="end", middle=True)
    bar = Box(zero + min(total, 0) * unit, y - step * 0.3, max(abs(total) * unit, 1.0), step * 0.6)
    yield pen.rect("walk-sum", bar, "hot", round=1)
    yield pen.text("walk-total", zero + max(total, 0) * unit + 6, y, signed(total), "hot strong", middle=True)


def draw_output(at: Layout, state: State) -> Iterator[Mark]:
    """The weights as one bar of 100%, and under it each entry of the output, stacked from the weighted values."""
    pen, box = at.pen, at.panel
    left, after = 22 if pen.narrow else 28, pen.room("100%") + 8
    start, room = box.x + left, box.width - left - after
    step, thick = (13, 9) if pen.narrow else (21, 14)
    share_top = box.y + (15 if pen.narrow else 42)
    first = share_top + (14 if pen.narrow else 26)
    tops = [first + entry * step + 1.5 for entry in range(4)]
    ys = [top + share / 6 * (thick - 3) for top in tops for share in range(7)]  # strokes of 3 units, side by side
    yield pen.strokes("lanes", ([(start, y), (start + room, y)] for y in ys), "grid thick")
    yield from draw_shares(at, state, Box(start, share_top, room, thick))
    if not pen.narrow:  # on a phone the line over the bars says so, close by
        yield pen.text("share-total", start + room + 6, share_top + thick / 2, "100%", "note", middle=True)
    yield from draw_parts(at, state, Box(start, first, room, thick), step)
    name = f"o{SUBSCRIPTS[state.row]}"
    blended = state.past("blend")
    yield pen.text("output-name", box.x, first + 1.5 * step + thick / 2, name, "hot strong" if blended else "note",
                   middle=True)  # fmt: skip


def draw_shares(at: Layout, state: State, box: Box) -> Iterator[Mark]:
    """The weights side by side, each with its word, or with the word's first letter as over the map."""
    pen, weights = at.pen, [float(weight) for weight in state.of.weights[state.row, : state.row + 1]]
    x = box.x
    for key, weight in enumerate(weights):
        width = box.width * weight - 1.5
        yield pen.rect(f"share-{key}", Box(x, box.y, max(width, 0.5), box.height), tone(state, key), round=1)
        name = next((name for name in (TOKENS[key], TOKENS[key][0]) if pen.room(name) + 2 <= width), "")
        if name:
            yield pen.text(f"share-{key}-name", x + width / 2, box.y - 4, name, "label", anchor="middle")
        x += width + 1.5


def draw_parts(at: Layout, state: State, lane: Box, step: float) -> Iterator[Mark]:
    """Each value times its weight: first in its column, then in the output's lanes, one after the other."""
    if not state.past("weighed"):
        return
    pen, run = at.pen, state.of
    parts = run.weights[state.row][:, None] * run.V
    ends = [0.0] * 4
    for key in range(state.row + 1):
        strip = at.strip(key, at.values_top)
        for entry in range(4):
            part = float(parts[key, entry])
            if state.past("blend"):
                scale = lane.width / MOST_VALUE
                place = Box(lane.x + ends[entry] * scale, lane.y + entry * step, part * scale - 1, lane.height)
            else:
                tall = 3 if pen.narrow else 5.6
                y = strip.y + (entry + 0.5) * at.lines - tall / 2
                place = Box(strip.x, y, part * strip.width / MOST_VALUE, tall)
            role = tone(state, key) if state.past("blend") else "kept"
            yield pen.rect(f"part-{key}-{entry}", place, role, round=0, wait=min(15, 2 * key))
            ends[entry] += part
    if state.past("blend"):
        for entry, total in enumerate(run.output[state.row]):
            x, y = lane.x + lane.width + 6, lane.y + entry * step + lane.height / 2
            yield pen.text(f"output-{entry}", x, y, signed(float(total)), "value strong", middle=True)


def tone(state: State, key: int) -> str:
    """Neighbours in a stack differ, so that each can be followed down from the weights."""
    return "kept soft" if (state.row - key) % 2 else "kept"
