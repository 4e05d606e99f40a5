"""The picture of one query and its keys: arcs, tokens, vectors, and a bar for each score, which becomes a weight."""

from __future__ import annotations

import math
from collections.abc import Iterator

from loom.draw import Box, Mark, Pen

from .layout import COUNT, LEAST_SCORE, MOST_ENTRY, MOST_SCORE, MOST_VALUE, Layout
from .model import PHASES, State
from .panels import draw_map, draw_panel
from .weights import TOKENS, Array
from .words import SUBSCRIPTS, percent, signed


def draw(state: State, width: float) -> Iterator[Mark]:
    at = Layout(Pen(width))
    yield from draw_shut(at, state)
    yield from draw_arcs(at, state)
    yield from draw_tokens(at, state)
    yield from draw_vectors(at, state)
    yield from draw_bars(at, state)
    yield from draw_map(at, state)
    yield from draw_panel(at, state)


def draw_shut(at: Layout, state: State) -> Iterator[Mark]:
    """The columns that the mask covers."""
    for key in range(COUNT):
        if state.hides(key):
            yield at.pen.rect(f"shut-{key}", at.shut(key), "quiet soft", round=3)


def draw_arcs(at: Layout, state: State) -> Iterator[Mark]:
    """From the query to every key that it meets; with the weights, the stronger the more it takes."""
    if not state.past("raw"):
        return
    foot, tall = at.tokens[0] - 3, at.tokens[0] - 6
    start = at.centre(state.row)
    for key in range(COUNT):
        if state.hides(key):
            continue
        weight = float(state.of.weights[state.row, key])
        half = (at.centre(key) - start) / 2 if key != state.row else at.pitch / 7
        middle = start + half if key != state.row else start
        height = tall * (0.3 if key == state.row else 0.38 + 0.62 * abs(key - state.row) / (COUNT - 1))
        turns = [math.pi * turn / 14 for turn in range(15)]
        points = [(middle - half * math.cos(turn), foot - height * math.sin(turn)) for turn in turns]
        thick = "thick" if weight >= 0.25 else "thin" if weight < 0.1 else ""
        role = f"kept {thick}".strip() if state.past("weights") else "axis thin soft"
        arc = at.pen.path(f"arc-{key}", points, role)
        if state.past("weights"):
            arc = arc._replace(shape={**arc.shape, "opacity": f"{0.25 + 0.75 * min(1.0, weight / 0.4):.2f}"})
        yield arc


def draw_tokens(at: Layout, state: State) -> Iterator[Mark]:
    """The sentence. Pressing a token makes it the query."""
    top, height = at.tokens
    for key, word in enumerate(TOKENS):
        box = Box(at.column(key) + 2, top, at.pitch - 4, height)
        role, text = ("ghost", "note") if state.hides(key) else ("cell", "label")
        if key == state.row:
            role, text = "hot outline", "hot strong"
        yield at.pen.rect(f"token-{key}", box, role, round=4, set={"query": word}, label=f"Let {word} ask")
        yield at.pen.text(f"word-{key}", at.centre(key), top + height / 2, word, text,
                                    anchor="middle", middle=True)  # fmt: skip


def draw_vectors(at: Layout, state: State) -> Iterator[Mark]:
    """Keys, the query, and values, each a comb of four lines. The query first stands with its token."""
    run, row = state.of, state.row
    middle = at.scores.y + at.scores.height / 2 - 2 * at.lines
    yield edges(at, "k-edges", at.keys_top)
    for key in range(COUNT):
        faint = " soft" if state.hides(key) else ""
        yield from comb(at, f"k-{key}", "k", key, run.K[key], at.strip(key, at.keys_top), "axis" + faint)
    if not state.past("raw"):
        yield edges(at, "q-edges", middle)
    for key in range(COUNT):
        if not state.past("raw"):
            place, role = at.strip(key, middle), "hot" if key == row else "axis"
            yield from comb(at, f"q-{key}", "q", key, run.Q[key], place, role)
        elif key == row:
            yield from comb(at, f"q-{key}", "q", key, run.Q[key], at.strip(-1, at.keys_top), "hot")
    for key in range(COUNT):
        faint = " soft" if state.past("weighed") or state.hides(key) else ""
        yield from comb(at, f"v-{key}", "v", key, run.V[key], at.strip(key, at.values_top), "axis" + faint, False)


def edges(at: Layout, key: str, top: float) -> Mark:
    """The zero lines of a row of vectors whose entries have either sign."""
    boxes = [at.strip(token, top) for token in range(COUNT)]
    middles = [(box.x + box.width / 2, box) for box in boxes]
    return at.pen.strokes(key, ([(x, box.y), (x, box.bottom)] for x, box in middles), "grid")


def comb(
    at: Layout, key: str, letter: str, token: int, entries: Array, box: Box, role: str, signs: bool = True
) -> Iterator[Mark]:
    """A vector as lines from a common edge, to the right for positive entries; and its name."""
    edge = box.x + box.width / 2 if signs else box.x
    scale = box.width / 2 / MOST_ENTRY if signs else box.width / MOST_VALUE
    ends = [(edge + scale * float(entry), box.y + (row + 0.5) * at.lines) for row, entry in enumerate(entries)]
    # Where there is room a tooth is two lines side by side: a path has no greater strength than "thick".
    apart = (0.0,) if at.pen.narrow else (-1.3, 1.3)
    teeth = [[(edge, y + shift), (x, y + shift)] for x, y in ends for shift in apart]
    yield at.pen.strokes(key, teeth, f"{role} thick")
    text = "hot strong" if role == "hot" else "note"
    name = f"{letter}{SUBSCRIPTS[token]}"
    yield at.pen.text(f"{key}-name", box.x - 4, box.y + box.height / 2, name, text, anchor="end", middle=True)


def draw_bars(at: Layout, state: State) -> Iterator[Mark]:
    """One bar for each key: first its score, then the same bar is its weight."""
    if not state.past("raw"):
        return
    pen, box, weights = at.pen, at.scores, state.past("weights")
    unit = (box.height - 2 * pen.size - 12) / (MOST_SCORE - LEAST_SCORE)
    zero = at.floor if weights else box.y + pen.size + 6 + MOST_SCORE * unit
    full = at.floor - box.y - pen.size - 6  # the height of a weight of 1
    yield pen.line("zero", box.x, zero, box.right, zero, "axis")
    if weights:
        yield pen.line("whole", box.x, at.floor - full, box.right, at.floor - full, "grid")
        yield pen.text("whole-name", box.x - 8, at.floor - full, "100%", "note", anchor="end", middle=True)
    for index, words in enumerate(bar_title(state)):
        strong = "kept strong" if weights and not index else "label"
        y = zero - (1.35 if weights else 0.3) * pen.size + index * 1.3 * pen.size
        yield pen.text(f"bars-title-{index}", 0, y, words, strong)
    for key in range(COUNT):
        yield from draw_bar(at, state, key, zero, full if weights else unit)


def draw_bar(at: Layout, state: State, key: int, zero: float, unit: float) -> Iterator[Mark]:
    """The bar of one key and its number. `unit` is the height of a score, or a weight, of 1."""
    pen, run, row, weights, hidden = at.pen, state.of, state.row, state.past("weights"), state.hides(key)
    raw, weight = float(run.raw[row, key]), float(run.weights[row, key])
    score = float(run.scaled[row, key]) if state.past("scaled") else raw
    shown = weight if weights else 0.0 if hidden else score
    wide, centre = at.pitch * 0.46, at.centre(key)

    def bar(amount: float) -> Box:
        return Box(centre - wide / 2, zero - max(amount, 0) * unit, wide, max(abs(amount) * unit, 1.0))

    outer = bar(shown)
    if PHASES[state.step] == "scaled":  # what it was before; the number keeps clear of that
        outer = bar(raw)
        yield pen.rect(f"raw-{key}", outer, "ghost outline")
    if not hidden:
        yield pen.rect(f"bar-{key}", bar(shown), "kept" if weights else "data")
    words = percent(weight) if weights else "−∞" if hidden else signed(score)
    y = outer.y - 5 if shown >= 0 else outer.bottom + pen.size + 1
    strong = "value strong" if weights and weight >= 0.25 else "value"
    yield pen.text(f"number-{key}", centre, y, words, strong, anchor="middle")
    if weights:
        words = "−∞" if hidden else signed(score)
        yield pen.text(f"score-{key}", centre, at.floor + pen.size + 3, words, "note", anchor="middle")


def bar_title(state: State) -> tuple[str, ...]:
    """What the bars are, in the query's column."""
    if state.past("weights"):
        return "weight", "score"
    if not state.past("scaled"):
        return ("q·k",)
    return ("q·k", "÷ √4") if not state.past("masked") else ("score", "+ mask")
