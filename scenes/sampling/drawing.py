"""The picture: a bar for each token, the line of 100% that a random number falls on, and what each rule has left."""

from __future__ import annotations

from collections.abc import Iterator

from loom.draw import Box, Mark, Pen

from .chain import draw_chain
from .cuts import draw_cuts
from .hits import draw_hits
from .layout import Layout
from .line import draw_line
from .model import LOGITS, PROMPT, TOKENS, State
from .words import NAMES, percent


def draw(state: State, width: float) -> Iterator[Mark]:
    at = Layout(Pen(width))
    yield at.pen.text("prompt", 0, at.pen.large, f"“{PROMPT} …”", "label", size=at.pen.large)
    yield from draw_axis(at, state)
    yield from draw_bars(at, state)
    yield from draw_names(at, state)
    yield from draw_line(at, state)
    if state.truncates:
        yield from draw_cuts(at, state)
    if state.phase == "drawn":
        yield from draw_hits(at, state)
    yield from draw_chain(at, state)


def draw_axis(at: Layout, state: State) -> Iterator[Mark]:
    """Ticks from 0 to 100%, and what is measured by them."""
    pen, bars = at.pen, at.bars
    words = "of the largest" if state.measured else "added up" if state.stacked else "probability"
    yield pen.text("measure", at.numbers, bars.y - 8, words, "note", anchor="end")
    for tick in (0, 25, 50, 75, 100):
        x = bars.x + bars.width * tick / 100
        yield pen.line(f"grid-{tick}", x, bars.y - 3, x, bars.bottom, "axis" if tick == 0 else "grid")
        words = f"{tick}%" if tick else "0"
        if abs(x - at.crossed(state)) > pen.room(words) / 2 + 3:  # a number under the threshold would be struck out
            yield pen.text(f"tick-{tick}", x, bars.y - 8, words, "note", anchor="middle")


def draw_bars(at: Layout, state: State) -> Iterator[Mark]:
    """What each token has, and the outline of what it had at first."""
    pen = at.pen
    for rank, token in enumerate(state.order):
        role = "kept" if state.past("left") else "data"
        if state.stage_cuts(int(token)):
            role = "dropped"
        elif token == state.crossing:
            role = "hot"
        if state.shown[token] > 0:
            yield pen.rect(f"bar-{TOKENS[token]}", at.bar(state, rank), role)
    if state.phase in ("temperature", "left", "drawn"):
        for rank, token in enumerate(state.order):
            row = at.row(rank)
            ghost = Box(row.x, row.y, row.width * float(state.plain[token]), row.height)
            yield pen.rect(f"ghost-{TOKENS[token]}", ghost, "ghost")


def draw_names(at: Layout, state: State) -> Iterator[Mark]:
    """Each token, struck out once it is cut; and its probability, or the rule that cut it."""
    pen = at.pen
    for rank, token in enumerate(state.order):
        word, rule = TOKENS[token], state.cut_by(int(token))
        middle = at.row(rank).y + at.row(rank).height / 2
        yield pen.text(f"name-{word}", 0, middle, word, "note" if rule else "label", middle=True)
        if rule:
            yield pen.line(f"strike-{word}", -1, middle, pen.room(word) + 1, middle, "dropped thin")
        verdict = f"✗ {'greedy' if rule == 'temperature' else NAMES[rule]}" if rule else percent(state.shown[token])
        role = "dropped" if rule else "value"
        yield pen.text(f"number-{word}", at.numbers, middle, verdict, role, anchor="end", middle=True)
        if state.phase == "plain":
            words = f"logit {LOGITS[token]:.1f}" if rank == 0 else f"{LOGITS[token]:.1f}"
            yield pen.text(f"logit-{word}", at.bar(state, rank).right + 8, middle, words, "note", middle=True)
