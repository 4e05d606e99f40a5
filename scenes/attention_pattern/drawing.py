"""The picture of one query and its keys: arcs, tokens, vectors, and a bar for each score, which becomes a weight."""

from __future__ import annotations

import math
from collections.abc import Iterator
from functools import lru_cache

from loom.draw import Box, Mark, Pen, fixed
from loom.scene import Moment

from .layout import COUNT, LEAST_SCORE, MOST_ENTRY, MOST_SCORE, MOST_VALUE, Layout
from .panels import draw_map, draw_panel
from .weights import TOKENS, Array
from .words import SUBSCRIPTS, percent


def draw(moment: Moment, width: float) -> Iterator[Mark]:
    at, hidden = layout_of(width), hidden_by(moment)
    for key in hidden:
        yield at.pen.rect(f"shut-{key}", at.shut(key), "quiet soft", round=3)
    if moment.since("raw"):
        yield from draw_arcs(at, moment, hidden)
    yield from draw_tokens(at, moment.result.row, hidden)
    yield from draw_vectors(at, moment, hidden)
    if moment.since("raw"):
        yield from draw_bars(at, moment, hidden)
    yield from draw_map(at, moment)
    yield from draw_panel(at, moment)


@lru_cache(maxsize=2)
def layout_of(width: float) -> Layout:
    return Layout(Pen(width))


def hidden_by(moment: Moment) -> range:
    """The keys that the mask shuts out, once it is on."""
    return range(moment.result.row + 1 if moment.since("masked") else COUNT, COUNT)


def draw_arcs(at: Layout, moment: Moment, hidden: range) -> Iterator[Mark]:
    """From the query to every key that it meets; with the weights, the stronger the more it takes."""
    row, weights = moment.result.row, moment.result.of.weights[moment.result.row].tolist()
    top, start = at.columns[0].y, at.centres[row]
    turns = [math.pi * turn / 14 for turn in range(15)]
    for key, weight in enumerate(weights[: COUNT - len(hidden)]):
        half, rise = (at.centres[key] - start) / 2, 0.38 + 0.62 * abs(key - row) / (COUNT - 1)
        middle = start + half
        if key == row:
            half, rise = at.pitch / 7, 0.3
        height = (top - 6) * rise
        points = [(middle - half * math.cos(turn), top - 3 - height * math.sin(turn)) for turn in turns]
        if moment.since("weights"):
            role = "kept thick" if weight >= 0.25 else "kept thin" if weight < 0.1 else "kept"
            arc = at.pen.path(f"arc-{key}", points, role)
            yield arc._replace(shape={**arc.shape, "opacity": f"{0.25 + 0.75 * min(1.0, weight / 0.4):.2f}"})
        else:
            yield at.pen.path(f"arc-{key}", points, "axis thin soft")


def draw_tokens(at: Layout, row: int, hidden: range) -> Iterator[Mark]:
    """The sentence. Pressing a token makes it the query."""
    for key, (word, column) in enumerate(zip(TOKENS, at.columns, strict=True)):
        role, text = ("ghost", "note") if key in hidden else ("cell", "label")
        if key == row:
            role, text = "hot outline", "hot strong"
        press = {"query": word}
        yield at.pen.rect(f"token-{key}", column.inset(2, 0, 2), role, round=4, set=press, label=f"Let {word} ask")
        y = column.y + column.height / 2
        yield at.pen.text(f"word-{key}", at.centres[key], y, word, text, anchor="middle", middle=True)


def draw_vectors(at: Layout, moment: Moment, hidden: range) -> Iterator[Mark]:
    """Keys, the query, and values, each a comb of four lines. The query first stands with its token."""
    run, row = moment.result.of, moment.result.row
    middle = at.scores.y + at.scores.height / 2 - 2 * at.lines
    yield edges(at, "k-edges", at.keys_top)
    for key in range(COUNT):
        role = "axis soft" if key in hidden else "axis"
        yield from comb(at, f"k-{key}", run.K[key], at.strip(key, at.keys_top), role)
    if moment.since("raw"):
        yield from comb(at, f"q-{row}", run.Q[row], at.strip(-1, at.keys_top), "hot")
    else:
        yield edges(at, "q-edges", middle)
        for key in range(COUNT):
            yield from comb(at, f"q-{key}", run.Q[key], at.strip(key, middle), "hot" if key == row else "axis")
    for key in range(COUNT):
        role = "axis soft" if moment.since("weighed") or key in hidden else "axis"
        yield from comb(at, f"v-{key}", run.V[key], at.strip(key, at.values_top), role, signs=False)


def edges(at: Layout, key: str, top: float) -> Mark:
    """The zero lines of a row of vectors whose entries have either sign."""
    boxes = [at.strip(token, top) for token in range(COUNT)]
    middles = [(box.x + box.width / 2, box) for box in boxes]
    return at.pen.strokes(key, ([(x, box.y), (x, box.bottom)] for x, box in middles), "grid")


def comb(at: Layout, key: str, entries: Array, box: Box, role: str, signs: bool = True) -> Iterator[Mark]:
    """A vector as lines from a common edge, to the right for positive entries; and its name."""
    edge = box.x + box.width / 2 if signs else box.x
    scale = box.width / 2 / MOST_ENTRY if signs else box.width / MOST_VALUE
    ends = [(edge + scale * entry, box.y + (row + 0.5) * at.lines) for row, entry in enumerate(entries.tolist())]
    # Where there is room a tooth is two lines side by side: a path has no greater strength than "thick".
    apart = at.pen.pick((0.0,), (-1.3, 1.3))
    teeth = [[(edge, y + shift), (x, y + shift)] for x, y in ends for shift in apart]
    yield at.pen.strokes(key, teeth, f"{role} thick")
    letter, token = key.split("-")
    text, name = "hot strong" if role == "hot" else "note", f"{letter}{SUBSCRIPTS[int(token)]}"
    yield at.pen.text(f"{key}-name", box.x - 4, box.y + box.height / 2, name, text, anchor="end", middle=True)


def draw_bars(at: Layout, moment: Moment, hidden: range) -> Iterator[Mark]:
    """One bar for each key: first its score, then the same bar is its weight."""
    pen, box, weights = at.pen, at.scores, moment.since("weights")
    unit = (box.height - 2 * pen.size - 12) / (MOST_SCORE - LEAST_SCORE)
    zero = at.floor if weights else box.y + pen.size + 6 + MOST_SCORE * unit
    full = at.floor - box.y - pen.size - 6  # the height of a weight of 1
    yield pen.line("zero", box.x, zero, box.right, zero, "axis")
    if weights:
        yield pen.line("whole", box.x, at.floor - full, box.right, at.floor - full, "grid")
        yield pen.text("whole-name", box.x - 8, at.floor - full, "100%", "note", anchor="end", middle=True)
    titles = {"raw": ("q·k",), "scaled": ("q·k", "÷ √4"), "masked": ("score", "+ mask")}
    for index, words in enumerate(titles.get(moment.phase, ("weight", "score"))):
        strong = "kept strong" if weights and not index else "label"
        y = zero - (1.35 if weights else 0.3) * pen.size + index * 1.3 * pen.size
        yield pen.text(f"bars-title-{index}", 0, y, words, strong)
    for key in range(COUNT):
        yield from draw_bar(at, moment, key, key in hidden, zero, full if weights else unit)


def draw_bar(at: Layout, moment: Moment, key: int, hidden: bool, zero: float, unit: float) -> Iterator[Mark]:
    """The bar of one key and its number. `unit` is the height of a score, or a weight, of 1."""
    pen, run, row, weights = at.pen, moment.result.of, moment.result.row, moment.since("weights")
    weight, wide, centre = float(run.weights[row, key]), at.pitch * 0.46, at.centres[key]
    score = float((run.scaled if moment.since("scaled") else run.raw)[row, key])
    shown = weight if weights else 0.0 if hidden else score
    told = "−∞" if hidden else fixed(score)

    def bar(amount: float) -> Box:
        return Box(centre - wide / 2, zero - max(amount, 0) * unit, wide, max(abs(amount) * unit, 1.0))

    outer = bar(shown)
    if moment.phase == "scaled":  # what it was before; the number keeps clear of that
        outer = bar(float(run.raw[row, key]))
        yield pen.rect(f"raw-{key}", outer, "ghost outline")
    if not hidden:
        yield pen.rect(f"bar-{key}", bar(shown), "kept" if weights else "data")
    y = outer.y - 5 if shown >= 0 else outer.bottom + pen.size + 1
    strong = "value strong" if weights and weight >= 0.25 else "value"
    yield pen.text(f"number-{key}", centre, y, percent(weight) if weights else told, strong, anchor="middle")
    if weights:
        yield pen.text(f"score-{key}", centre, at.floor + pen.size + 3, told, "note", anchor="middle")
