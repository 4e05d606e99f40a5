"""Where the first factors come from: the heads of one layer, and the layers of one model."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby

from loom.draw import Box, Mark

from .model import LATENT, POSITION, held, kv_heads
from .moments import LENGTH, TOKEN, State
from .stage import Stage, cells

ROLES = {"k": "kept", "w": "series-2"}
ONE_TOKEN, LEAST = 4.0, 2.0  # heights: of a layer with one token, and of any
WIDE = 4.0  # columns of more than this have a gap between them


def draw_heads(stage: Stage, state: State) -> Iterator[Mark]:
    """Query heads over the KV heads that they share; only the latter are kept."""
    pen, panel, shape = stage.pen, stage.panel, state.cache.shape
    heads, high, gap = kv_heads(shape, state.cache.scheme), 20, 12
    left = 52 if pen.narrow else 0
    queries, keys, others = (
        Box(panel.x + left, panel.y + at * (high + gap), panel.width - left, high) for at in range(3)
    )
    split = keys.width * LATENT / (LATENT + POSITION)
    yield pen.text("panel-title", 0, stage.title, _sharing(shape.heads, heads), "label")
    yield cells(pen, "queries", queries, shape.heads, "axis thin")
    yield from _kept(stage, "keys", keys if heads else keys.inset(right=keys.width - split), heads or 1)
    yield from _kept(stage, "values", others if heads else keys.inset(left=split), heads or 1)
    yield _row_name(stage, "queries", queries, "queries")
    yield _row_name(stage, "keys", keys, "keys" if heads else "latent")
    if heads:
        yield _row_name(stage, "values", others, "values")
    else:
        y = keys.bottom + pen.size + 4
        yield pen.text("latent-size", keys.x, y, f"{LATENT} for keys and values", "note")
        yield pen.text("position-size", keys.right, y, f"{POSITION} for the position", "note", anchor="end")
    if not pen.narrow:
        x, y = panel.right + 20, queries.y + high / 2
        yield pen.text("queries-fate", x, y, "used once, not kept", "note", middle=True)


def _sharing(queries: int, heads: int) -> str:
    if not heads:
        return f"All {queries} heads read one latent"
    if heads == queries:
        return f"Each of {queries} query heads has a key and a value of its own"
    if heads == 1:
        return f"All {queries} query heads share one key and one value"
    return f"{queries} query heads, {queries // heads} to each of {heads} keys and {heads} values"


def _kept(stage: Stage, key: str, box: Box, number: int) -> Iterator[Mark]:
    yield stage.pen.rect(f"{key}-fill", box, "kept soft", round=0)
    yield cells(stage.pen, f"{key}-cells", box, number, "kept thin", gap=0)


def _row_name(stage: Stage, key: str, box: Box, words: str) -> Mark:
    return stage.pen.text(f"{key}-name", 0, box.y + box.height / 2, words, "note", middle=True)


def draw_layers(stage: Stage, state: State) -> Iterator[Mark]:
    """A column for each layer, as tall as the tokens that it holds. The first token of all is a thin line."""
    pen, panel, shape = stage.pen, stage.panel, state.cache.shape
    pitch, at, cuts = panel.width / shape.layers, 0, []
    yield pen.text("panel-title", 0, stage.title, _holding(state), "label")
    if state.step == TOKEN or state.cut:
        yield pen.rect("layers-room", panel, "ghost", round=0)
    for number, (kind, group) in enumerate(groupby(shape.kinds)):
        wide, tall = len(list(group)), ONE_TOKEN
        if state.step == LENGTH:
            share = float(held(state.tokens, shape.window if kind == "w" else 0)) / state.tokens
            tall = max(panel.height * share, LEAST)
        place = Box(panel.x + at * pitch, panel.bottom - tall, wide * pitch - (pitch > WIDE), tall)
        yield pen.rect(f"layers-{number}", place, ROLES[kind], round=0)
        xs = [panel.x + (at + inside) * pitch - 0.5 for inside in range(1, wide)]
        cuts += [[(x, panel.bottom - tall), (x, panel.bottom)] for x in xs]
        at += wide
    if pitch > WIDE and cuts:
        yield pen.strokes("layers-cuts", cuts, "grid")
    if not pen.narrow:
        yield from _heights(stage, state)


def _heights(stage: Stage, state: State) -> Iterator[Mark]:
    """How many tokens the columns stand for."""
    pen, panel, window, x = stage.pen, stage.panel, state.cache.shape.window, stage.panel.x - 8
    top = panel.y + 0.7 * pen.size
    yield pen.text("layers-most", x, top, f"{state.tokens:,} tokens", "note", anchor="end")
    if state.step == LENGTH and state.cut:
        y = min(panel.bottom - panel.height * window / state.tokens + 0.35 * pen.size, panel.bottom)
        yield pen.text("layers-window", x, max(y, top + 1.3 * pen.size), f"{window:,}", "note", anchor="end")


def _holding(state: State) -> str:
    shape = state.cache.shape
    if state.step == TOKEN:
        return f"One token in each of {shape.layers} layers, with room for the next"
    if not state.cut:
        return f"{state.tokens:,} tokens in each of {shape.layers} layers"
    windows = f"{shape.windowed} layers hold {shape.window:,} tokens"
    return f"{windows}, {shape.kept} hold {state.tokens:,}" if shape.kept else f"{windows}, and drop the rest"
