"""The picture: a bar for each token, the line of 100% that a random number falls on, and what each rule has left."""

from __future__ import annotations

from collections.abc import Iterator

from loom.draw import Box, Mark

from .layout import COUNT, Layout, layout_of
from .line import draw_cuts, draw_hits, draw_line
from .model import LOGITS_OF, ORDER, PLAIN, PROMPT, TOKENS, State, effective_choices
from .words import NAMES, percent, setting


def draw(state: State, width: float) -> Iterator[Mark]:
    at = layout_of(width)
    bars = at.bars_of(state)
    yield at.pen.text("prompt", 0, at.pen.large, f"“{PROMPT} …”", "label", size=at.pen.large)
    yield from draw_axis(at, state)
    yield from draw_bars(at, state, bars)
    yield from draw_names(at, state, bars)
    yield from draw_line(at, state)
    if state.truncates:
        yield from draw_cuts(at, state, bars)
    if state.phase == "drawn":
        yield from draw_hits(at, state, bars)
    yield from draw_chain(at, state)


def draw_axis(at: Layout, state: State) -> Iterator[Mark]:
    """Ticks from 0 to 100%, and what is measured by them."""
    pen, bars = at.pen, at.bars
    words = "of the largest" if state.measured else "added up" if state.stacked else "probability"
    yield pen.text("measure", at.numbers, bars.y - 8, words, "note", anchor="end")
    for tick in (0, 25, 50, 75, 100):
        x, words = bars.x + bars.width * tick / 100, f"{tick}%" if tick else "0"
        yield pen.line(f"grid-{tick}", x, bars.y - 3, x, bars.bottom, "grid" if tick else "axis")
        if abs(x - at.crossed(state)) > at.rooms[words] / 2 + 3:  # a number under the threshold would be struck out
            yield pen.text(f"tick-{tick}", x, bars.y - 8, words, "note", anchor="middle")


def draw_bars(at: Layout, state: State, bars: list[Box]) -> Iterator[Mark]:
    """What each token has, and the outline of what it had at first."""
    for token, bar in zip(ORDER, bars, strict=True):
        if state.shown[token] > 0:
            yield at.pen.rect(f"bar-{TOKENS[token]}", bar, state.role(token, "dropped"))
    for token, row in zip(ORDER, at.rows, strict=True) if state.phase in ("temperature", "left", "drawn") else ():
        ghost = Box(row.x, row.y, row.width * float(PLAIN[token]), row.height)
        yield at.pen.rect(f"ghost-{TOKENS[token]}", ghost, "ghost")


def draw_names(at: Layout, state: State, bars: list[Box]) -> Iterator[Mark]:
    """Each token, struck out once it is cut; and its probability, or the rule that cut it."""
    pen = at.pen
    for rank, (token, row) in enumerate(zip(ORDER, at.rows, strict=True)):
        word, rule, middle = TOKENS[token], state.cut_by(token), row.y + row.height / 2
        verdict, role = percent(state.shown[token]), "value"
        yield pen.text(f"name-{word}", 0, middle, word, "note" if rule else "label", middle=True)
        if rule:
            verdict, role = f"✗ {'greedy' if rule == 'temperature' else NAMES[rule]}", "dropped"
            yield pen.line(f"strike-{word}", -1, middle, at.rooms[word] + 1, middle, "dropped thin")
        yield pen.text(f"number-{word}", at.numbers, middle, verdict, role, anchor="end", middle=True)
        if state.phase == "plain":
            words = f"{'' if rank else 'logit '}{LOGITS_OF[word]:.1f}"
            yield pen.text(f"logit-{word}", bars[rank].right + 8, middle, words, "note", middle=True)


def draw_chain(at: Layout, state: State) -> Iterator[Mark]:
    """The list of rules: how many tokens each has left, and how open the choice is after it.

    The model's own distribution comes first; rules still to come have only their name.
    """
    pen, box, settings = at.pen, at.chain, state.way.settings
    entries = [("plain", "softmax", effective_choices(PLAIN), COUNT)]
    entries += [(one.rule, setting(settings, one.rule), one.choices, one.left) for one in state.way.stages]
    yield pen.text("chain-title", box.x, box.y - pen.pick(8, 22), "tokens left, and effective choices", "note")
    for place, ((key, name, choices, left), row) in enumerate(zip(entries, box.rows(len(entries)), strict=True)):
        now, on = place == state.step, key == "plain" or settings.is_on(key)
        y = row.y + pen.pick(row.height / 2, 8)
        role = "hot strong" if now else "label" if place < state.step else "note"
        yield pen.text(f"rule-{key}", row.x, y, name, role, middle=True)
        if place > state.step:
            continue
        bar = pen.pick(Box(100, row.y + 3, 150, row.height - 5), Box(row.x, row.y + 20, row.width, 14))
        unit = bar.width / COUNT
        role = ("hot" if now else "data") + ("" if on else " soft")
        yield pen.rect(f"left-{key}", Box(bar.x, bar.y, unit * left, bar.height), "cell")
        yield pen.rect(f"open-{key}", Box(bar.x, bar.y, unit * choices, bar.height), role)
        words = f"{left}, worth {choices:.1f}"
        yield pen.text(f"left-{key}-words", box.right, y, words, "value" if on else "note", anchor="end", middle=True)
