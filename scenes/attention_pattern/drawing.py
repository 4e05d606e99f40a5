"""The picture of one query and its keys: arcs, tokens, vectors, and a bar for each score, which becomes a weight."""

from __future__ import annotations

import math
from collections.abc import Iterator
from functools import lru_cache

from loom.draw import Box, Mark, Pen
from loom.scene import Moment

from .bars import draw_bars, draw_products, meeting
from .layout import COUNT, MOST_ENTRY, MOST_VALUE, Layout
from .panels import draw_answer, draw_output
from .weights import TOKENS, Array
from .words import hidden_from, setting_out, shared, vector


def draw(moment: Moment, width: float) -> Iterator[Mark]:
    at, hidden = layout_of(width), hidden_by(moment)
    yield from draw_mask(at, moment)
    if shared(moment):
        yield from draw_arcs(at, moment)
    yield from draw_names(at, moment)
    yield from draw_tokens(at, moment.result.row, hidden)
    yield from draw_vectors(at, moment, hidden)
    if moment.since("raw"):
        yield from draw_bars(at, moment, hidden)
    if moment.phase == "raw":
        yield from draw_products(at, moment)
    yield from draw_answer(at, moment)
    yield from draw_output(at, moment)


@lru_cache(maxsize=2)
def layout_of(width: float) -> Layout:
    return Layout(Pen(width))


def hidden_by(moment: Moment) -> range:
    """The keys that the mask has shut out so far."""
    return range(moment.result.row + 1 if moment.since("masked") else COUNT, hidden_from(moment))


def draw_mask(at: Layout, moment: Moment) -> Iterator[Mark]:
    """A curtain that falls over each later key in turn: what it has come down on can't be seen."""
    if moment.since("masked"):
        first = moment.result.row + 1
        fallen = first + setting_out(moment) if moment.phase == "masked" else COUNT
        for token in range(first, COUNT):
            box = at.shut(token)
            place = box if token < fallen else box._replace(height=0)
            yield at.pen.rect(f"shut-{token}", place, "quiet soft", round=3)


def draw_arcs(at: Layout, moment: Moment) -> Iterator[Mark]:
    """From the query to every key that it sees, the stronger the more it takes."""
    row, weights = moment.result.row, moment.result.of.weights[moment.result.row].tolist()
    top, start = at.columns[0].y, at.centres[row]
    turns = [math.pi * turn / 14 for turn in range(15)]
    for key, weight in enumerate(weights[: row + 1]):
        half, rise = (at.centres[key] - start) / 2, 0.38 + 0.62 * abs(key - row) / (COUNT - 1)
        middle = start + half
        if key == row:
            half, rise = at.pitch / 7, 0.3
        height = (top - 4) * rise
        points = [(middle - half * math.cos(turn), top - 2 - height * math.sin(turn)) for turn in turns]
        role = "kept thick" if weight >= 0.25 else "kept thin" if weight < 0.1 else "kept"
        arc = at.pen.path(f"arc-{key}", points, role)
        yield arc._replace(shape={**arc.shape, "opacity": f"{0.25 + 0.75 * min(1.0, weight / 0.4):.2f}"})


def draw_names(at: Layout, moment: Moment) -> Iterator[Mark]:
    """What the rows are."""
    pen, keys = at.pen, at.keys_top + 2 * at.lines
    yield pen.text("name-key", 0, keys - 0.3 * pen.size, "key", "label")
    yield pen.text("name-query", 0, keys + 0.9 * pen.size, "query", "hot strong")
    yield pen.text("name-value", 0, at.values_top + 2 * at.lines, "value", "label", middle=True)


def draw_tokens(at: Layout, row: int, hidden: range) -> Iterator[Mark]:
    """The sentence. Pressing a token makes it the query, and the query's frame can be pulled to another one."""
    for token, (word, column) in enumerate(zip(TOKENS, at.columns, strict=True)):
        press = {"query": word}
        role = "ghost" if token in hidden else "cell"
        yield at.pen.rect(f"token-{token}", column.inset(2, 0, 2), role, round=4, set=press, label=f"Let {word} ask")
    middle = at.columns[row].y + at.columns[row].height / 2
    rail = tuple((centre, middle) for centre in at.centres)
    handle = at.pen.knob("asks", at.centres[row], middle, "query", rail).handle
    assert handle
    yield at.pen.rect("asks", at.columns[row].inset(2, 0, 2), "hot outline", round=4, handle=handle)
    for token, word in enumerate(TOKENS):
        role = "hot strong" if token == row else "note" if token in hidden else "label"
        yield at.pen.text(f"word-{token}", at.centres[token], middle, word, role, anchor="middle", middle=True)


def draw_vectors(at: Layout, moment: Moment, hidden: range) -> Iterator[Mark]:
    """Keys, the query, and values, each a comb of four lines. The query visits one key after another.

    In their chapter queries are made first, then keys, then values; and in the end one query is to ask.
    """
    run, row = moment.result.of, moment.result.row
    made = moment.beat if moment.phase == "vectors" else 3
    yield edges(at, "k-edges", [at.key(token) for token in range(COUNT)])
    for token, word in enumerate(TOKENS):
        role = "axis soft" if token in hidden else "axis"
        yield comb(at, f"k-{token}", run.K[token], at.key(token), role, f"key of {word}", made=made > 1)
    place = at.query(meeting(moment))
    yield edges(at, "q-edge", [place])
    for token, word in enumerate(TOKENS):
        if token == row:
            yield comb(at, f"q-{row}", run.Q[row], place, "hot", f"query of {word}", made=made > 0)
        elif moment.phase == "vectors":
            role = "hot soft" if moment.progress == 1 else "hot"
            yield comb(at, f"q-{token}", run.Q[token], at.query(token), role, made=made > 0)
    for token, word in enumerate(TOKENS):
        role = "axis soft" if moment.since("blend") or token in hidden else "axis"
        name = f"value of {word}"
        yield comb(at, f"v-{token}", run.V[token], at.value(token), role, name, signs=False, made=made > 2)


def edges(at: Layout, key: str, boxes: list[Box]) -> Mark:
    """The zero lines of vectors whose entries have either sign."""
    middles = [(box.x + box.width / 2, box) for box in boxes]
    return at.pen.strokes(key, ([(x, box.y), (x, box.bottom)] for x, box in middles), "grid")


def comb(
    at: Layout, key: str, entries: Array, box: Box, role: str, name: str = "", signs: bool = True, made: bool = True
) -> Mark:
    """A vector as lines from a common edge, to the right for positive entries; until it is made they have no length."""
    edge = box.x + box.width / 2 if signs else box.x
    scale = box.width / 2 / MOST_ENTRY if signs else box.width / MOST_VALUE
    scale *= made
    ends = [(edge + scale * entry, box.y + (row + 0.5) * at.lines) for row, entry in enumerate(entries.tolist())]
    # Where there is room a tooth is two lines side by side: a path has no greater strength than "thick".
    apart = at.pen.pick((0.0,), (-1.2, 1.2))
    teeth = [[(edge, y + shift), (x, y + shift)] for x, y in ends for shift in apart]
    return at.pen.strokes(key, teeth, f"{role} thick", read=f"{name}: {vector(entries)}" if name and made else "")
