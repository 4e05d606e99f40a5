"""The product as a chain: each step multiplies what stands before it."""

from __future__ import annotations

from collections.abc import Iterator

from loom.draw import Mark, count

from .model import kv_heads
from .moments import GPUS, LAYER, LENGTH, TOKEN, State
from .stage import Stage
from .words import amount, factors

HEADS = {LAYER: "one token, one layer", TOKEN: "one token", LENGTH: "one conversation", GPUS: "all conversations"}


def links(state: State) -> dict[int, tuple[str, int]]:
    """What each step multiplies by, and what that comes to [B]."""
    cache, shape, tokens = state.cache, state.cache.shape, state.tokens
    length = f"× {tokens:,} tokens"
    if state.cut:
        windows = f"{shape.windowed} × {shape.window:,}"
        held = f"({shape.kept} × {tokens:,} + {windows})" if shape.kept else windows
        length = f"{amount(cache.layer_token)} × {held}"
    return {
        LAYER: (factors(cache, kv_heads(shape, cache.scheme)), cache.layer_token),
        TOKEN: (f"× {count(shape.layers, 'layer')}", cache.token),
        LENGTH: (length, cache.total(tokens) // cache.batch),
        GPUS: (f"× {count(cache.batch, 'conversation')}", cache.total(tokens)),
    }


def draw_chain(stage: Stage, state: State) -> Iterator[Mark]:
    """One link for each step; those to come show their factor only."""
    draw_link = _line if stage.pen.narrow else _column
    for at, (step, (words, product)) in enumerate(links(state).items()):
        yield from draw_link(stage, state, step, at, words, f"= {amount(product)}")


def _roles(state: State, step: int) -> tuple[str, str]:
    """Of the factor and of the product."""
    if step > state.step:
        return "note", ""
    return "label", "hot strong" if step == state.step else "value strong"


def _line(stage: Stage, state: State, step: int, at: int, words: str, product: str) -> Iterator[Mark]:
    pen, (role, strong), y = stage.pen, _roles(state, step), 11 + at * 1.5 * stage.pen.size
    yield pen.text(f"link-{step}", 0, y, words, role)
    if strong:
        yield pen.text(f"link-{step}-product", pen.width, y, product, strong, anchor="end")


def _column(stage: Stage, state: State, step: int, at: int, words: str, product: str) -> Iterator[Mark]:
    pen, (role, strong), box = stage.pen, _roles(state, step), stage.columns[at]
    rule = "grid" if step > state.step else "hot" if step == state.step else "axis"
    yield pen.line(f"link-{step}-rule", box.x, 1, box.right, 1, rule)
    yield pen.text(f"link-{step}-head", box.x, 20, HEADS[step], "note")
    yield pen.text(f"link-{step}", box.x, 41, words, role)
    if strong:
        yield pen.text(f"link-{step}-product", box.x, 69, product, strong, size=pen.large)
