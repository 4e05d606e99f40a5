"""The line of 100%: each token has a part as long as it is likely, and a random number falls on one of them."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from loom.draw import Box, Mark

from .layout import Layout
from .model import NUMBERS, TOKENS, State
from .rules import Array
from .words import percent


def draw_line(at: Layout, state: State) -> Iterator[Mark]:
    pen, box, stage = at.pen, at.line, state.stage
    cuts, stays = bool(state.truncates and stage.cut.any()), float(stage.before[stage.alive].sum())
    words = "100% again" if state.past("left") and not stage.alive.all() else "100%"
    if cuts:
        words = f"{percent(stays)} stay"
    yield pen.text("line-name", at.numbers, box.y + box.height / 2, words, "label", anchor="end", middle=True)
    parts = segments(box, state.shown, state)
    for token, part in parts:
        role = "kept" if state.past("left") else "data"
        if state.stage_cuts(token):
            role = "dropped soft"
        elif token == state.crossing:
            role = "hot"
        yield pen.rect(f"part-{TOKENS[token]}", part, role, round=0)
    if cuts:
        yield pen.hatch("lost", box.inset(left=box.width * stays), "dropped thin")
    if state.past("left"):
        yield from draw_plain(at, state)
    foot = at.plain.bottom if state.past("left") else box.bottom
    for token, part in parts:
        word = TOKENS[token]
        if pen.room(word) + 4 <= part.width and not state.stage_cuts(token):
            x = part.x + part.width / 2
            yield pen.text(f"part-name-{word}", x, foot + pen.size + 3, word, "note", anchor="middle")
    if state.phase == "drawn":
        for number, share in enumerate(NUMBERS):
            x = box.x + box.width * float(share)
            yield pen.line(f"fall-{number}", x, box.y - 5, x, at.plain.bottom + 3, "hot")


def draw_plain(at: Layout, state: State) -> Iterator[Mark]:
    """The line as the model gave it."""
    y = at.plain.y + at.plain.height / 2 + 3
    yield at.pen.text("plain-name", at.numbers, y, "at first", "note", anchor="end", middle=True)
    for token, part in segments(at.plain, state.plain, state):
        yield at.pen.rect(f"plain-{TOKENS[token]}", part, "quiet", round=0)


def segments(box: Box, shares: Array, state: State) -> list[tuple[int, Box]]:
    """The part of each token that has one, the most likely first."""
    ends = np.cumsum(shares[state.order])
    parts = []
    for token, end in zip(state.order.tolist(), ends.tolist(), strict=True):
        share = float(shares[token])
        if share > 0:
            wide = box.width * share
            parts.append((token, Box(box.x + box.width * (end - share), box.y, max(wide - 1, wide / 2), box.height)))
    return parts
