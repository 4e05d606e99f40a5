"""Beside the columns: the map of all queries and keys, one product entry by entry, and the output as it is mixed."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import accumulate, pairwise

from loom.draw import Box, Mark, fixed
from loom.scene import Moment

from .layout import COUNT, MOST_SHOWN, MOST_VALUE, Layout
from .model import Asked, ask
from .weights import HEADS, TOKENS
from .words import LETTERS, SUBSCRIPTS, map_title, panel_title


def walk(asked: Asked) -> list[float]:
    """The running sum of the query's product with its best key, entry by entry, from 0."""
    return list(accumulate((asked.of.Q[asked.row] * asked.of.K[asked.best]).tolist(), initial=0.0))


WALKS = [walk(ask(query, head)) for query in TOKENS for head in HEADS]
LEAST, MOST = min(map(min, WALKS)), max(map(max, WALKS))


def draw_map(at: Layout, moment: Moment) -> Iterator[Mark]:
    """A row for each query, a column for each key: squares whose area is the score, and then the weight."""
    pen, box, masked, chosen = at.pen, at.map, moment.since("masked"), moment.result.row
    left, over = pen.pick((0, 7), (box.x - 62, 30))
    rows = box.rows(COUNT)
    wide, high = box.width / COUNT, box.height / COUNT
    yield pen.text("map-title", left, box.y - over, map_title(moment), "note")
    if not pen.narrow:  # on a phone the columns are those of the keys above
        for key, word in enumerate(TOKENS):
            yield pen.text(f"map-key-{key}", box.x + (key + 0.5) * wide, box.y - 7, word[0], "note", anchor="middle")
    for row, (word, line) in enumerate(zip(TOKENS, rows, strict=True)):
        if masked and row < COUNT - 1:
            shut = line.inset(left=(row + 1) * wide, top=1, bottom=1)
            yield pen.rect(f"map-shut-{row}", shut, "quiet soft", round=1)
        if moment.since("raw"):
            yield from draw_squares(at, moment, row, line.columns(COUNT)[: row + 1 if masked else COUNT])
        role = "hot strong" if row == chosen else "label"
        yield pen.text(f"map-query-{row}", left + 3, line.y + high / 2, word, role, middle=True)
    if masked:
        place = box.right - 5, box.y + high / 2
        yield pen.text("map-masked", *place, "later keys: masked", "note", anchor="end", middle=True)
    for row, (word, line) in enumerate(zip(TOKENS, rows, strict=True)):
        role, press = "hot outline" if row == chosen else "cell outline", {"query": word}
        frame = Box(left, line.y + 1, box.right - left, high - 2)
        yield pen.rect(f"map-row-{row}", frame, role, round=3, set=press, label=f"Row of the query {word}")


def draw_squares(at: Layout, moment: Moment, row: int, cells: list[Box]) -> Iterator[Mark]:
    """The entries of a row of the map; a negative score is hollow, and what is masked has none."""
    run, weights = moment.result.of, moment.since("weights")
    entries = (run.scaled if moment.since("scaled") else run.raw)[row] / MOST_SHOWN
    for key, (cell, entry) in enumerate(zip(cells, (run.weights[row] if weights else entries).tolist(), strict=False)):
        side = (cell.height - 4) * abs(entry) ** 0.5
        place = Box(cell.x + (cell.width - side) / 2, cell.y + (cell.height - side) / 2, side, side)
        role = "cell" if entry < 0 else "kept" if weights else "data"
        yield at.pen.rect(f"map-{row}-{key}", place, role, round=1)


def draw_panel(at: Layout, moment: Moment) -> Iterator[Mark]:
    pen, box = at.pen, at.panel
    title = panel_title(moment, pen.narrow)
    if title:
        yield pen.text("panel-title", box.x, box.y + 0.8 * pen.size, title, "note")
    if moment.since("weights"):
        yield from draw_output(at, moment)
    elif moment.since("raw"):
        yield from draw_walk(at, moment)
    else:  # what the three vectors are for
        for row, (letter, words) in enumerate(LETTERS, 1):
            y = box.y + pen.size + row * pen.pick(16, 24)
            yield pen.text(f"letter-{letter}", box.x, y, letter, "label strong")
            yield pen.text(f"letter-{letter}-words", box.x + 20, y, words, "label")


def draw_walk(at: Layout, moment: Moment) -> Iterator[Mark]:
    """The product q·k as a walk: each entry's product starts where the sum so far ends."""
    pen, asked, scaled = at.pen, moment.result, moment.since("scaled")
    step, names, down = at.pen.pick((13, 96, 16), (22, 100, 26))
    top, sums = at.panel.y + down, walk(asked)
    unit = (at.panel.width - names - pen.room("−0.00") - 8) / (MOST - LEAST)
    zero, total = at.panel.x + names - LEAST * unit, sums[-1] / 2 if scaled else sums[-1]
    yield pen.line("walk-zero", zero, top - 2, zero, top + 5 * step, "grid")

    def row(at_entry: int, key: str, words: str, here: float, there: float, roles: tuple[str, str]) -> Iterator[Mark]:
        y = top + (at_entry + 0.5) * step
        yield pen.text(f"{key}-words", at.panel.x + names - 12, y, words, roles[0], anchor="end", middle=True)
        bar = Box(zero + min(here, there) * unit, y - step * 0.3, max(abs(there - here) * unit, 1.0), step * 0.6)
        yield pen.rect(key, bar, roles[1], round=1)

    factors = zip(asked.of.Q[asked.row].tolist(), asked.of.K[asked.best].tolist(), strict=True)
    for entry, ((q, k), (here, there)) in enumerate(zip(factors, pairwise(sums), strict=True)):
        roles = "label", "cell" if there < here else "data"
        yield from row(entry, f"walk-{entry}", f"{fixed(q)} × {fixed(k)}", here, there, roles)
    yield from row(4, "walk-sum", "sum ÷ √4" if scaled else "sum", 0.0, total, ("label strong", "hot"))
    x, y = zero + max(total, 0) * unit + 6, top + 4.5 * step
    yield pen.text("walk-total", x, y, fixed(total), "hot strong", middle=True)


def draw_output(at: Layout, moment: Moment) -> Iterator[Mark]:
    """The weights as one bar of 100%, and under it each entry of the output, stacked from the weighted values."""
    pen, box, asked = at.pen, at.panel, moment.result
    left, step, thick, down, under = pen.pick((22, 13, 9, 15, 14), (28, 21, 14, 42, 26))
    shares = Box(box.x + left, box.y + down, box.width - left - pen.room("100%") - 8, thick)
    lanes = shares.inset(top=under, bottom=-under).stack(*[thick] * 4, gap=step - thick)
    # Strokes of 3 units, side by side.
    ys = [lane.y + 1.5 + share / 6 * (thick - 3) for lane in lanes for share in range(7)]
    yield pen.strokes("lanes", ([(shares.x, y), (shares.right, y)] for y in ys), "grid thick")
    yield from draw_shares(at, asked, shares)
    if not pen.narrow:  # on a phone the line over the bars says so, close by
        yield pen.text("share-total", shares.right + 6, shares.y + thick / 2, "100%", "note", middle=True)
    if moment.phase == "weighed":
        yield from draw_parts(at, asked)
    elif moment.phase == "blend":
        yield from draw_blend(at, asked, lanes)
    y, role = lanes[0].y + 1.5 * step + thick / 2, "hot strong" if moment.phase == "blend" else "note"
    yield pen.text("output-name", box.x, y, f"o{SUBSCRIPTS[asked.row]}", role, middle=True)


def draw_shares(at: Layout, asked: Asked, box: Box) -> Iterator[Mark]:
    """The weights side by side, each with its word, or with the word's first letter as over the map."""
    pen, weights = at.pen, asked.of.weights[asked.row, : asked.row + 1].tolist()
    for key, share in enumerate(box.beside(*(box.width * weight for weight in weights))):
        width = share.width - 1.5
        yield pen.rect(f"share-{key}", Box(share.x, box.y, max(width, 0.5), box.height), tone(asked, key), round=1)
        name = next((name for name in (TOKENS[key], TOKENS[key][0]) if pen.room(name) + 2 <= width), "")
        if name:
            yield pen.text(f"share-{key}-name", share.x + width / 2, box.y - 4, name, "label", anchor="middle")


def parts_of(asked: Asked) -> list[list[float]]:
    """Each value that the query may see, times its weight."""
    seen = asked.row + 1
    return (asked.of.weights[asked.row, :seen, None] * asked.of.V[:seen]).tolist()


def draw_parts(at: Layout, asked: Asked) -> Iterator[Mark]:
    """Each value times its weight in its column."""
    tall = at.pen.pick(3, 5.6)
    for key, parts in enumerate(parts_of(asked)):
        strip = at.strip(key, at.values_top)
        for entry, part in enumerate(parts):
            y = strip.y + (entry + 0.5) * at.lines - tall / 2
            place = Box(strip.x, y, part * strip.width / MOST_VALUE, tall)
            yield at.pen.rect(f"part-{key}-{entry}", place, "kept", round=0, wait=min(15, 2 * key))


def draw_blend(at: Layout, asked: Asked, lanes: list[Box]) -> Iterator[Mark]:
    """The same in the output's lanes, one after the other, and the entries that they add up to."""
    pen, ends = at.pen, [lane.x for lane in lanes]
    for key, parts in enumerate(parts_of(asked)):
        for entry, (part, lane) in enumerate(zip(parts, lanes, strict=True)):
            wide = part * lane.width / MOST_VALUE
            place = Box(ends[entry], lane.y, wide - 1, lane.height)
            yield pen.rect(f"part-{key}-{entry}", place, tone(asked, key), round=0, wait=min(15, 2 * key))
            ends[entry] += wide
    for entry, (total, lane) in enumerate(zip(asked.of.output[asked.row].tolist(), lanes, strict=True)):
        y = lane.y + lane.height / 2
        yield pen.text(f"output-{entry}", lane.right + 6, y, fixed(total), "value strong", middle=True)


def tone(asked: Asked, key: int) -> str:
    """Neighbours in a stack differ, so that each can be followed down from the weights."""
    return "kept soft" if (asked.row - key) % 2 else "kept"
