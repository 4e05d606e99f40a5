"""The layers of a model, each as tall as what it holds."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from itertools import groupby

from loom.draw import Box, Mark, Pen, memoized

from .._serving.shapes import Shape, held
from .compressed import EVERY

KEPT, WINDOWED, STATE = "memory", "series-2", "series-3"  # layers that keep every token, with a window, with a state

FINE = 3  # columns so narrow have no lines between them: those would be as wide, and pale what the layers hold


@cache
def draw_layers(
    pen: Pen, box: Box, shape: Shape, layer_token: int, tokens: int, longest: int, shown: int, grows: bool
) -> tuple[Mark, ...]:
    """A column for each layer, as tall as the tokens that it holds; a state, as those that would take as much.

    `longest` is the conversation whose cache fills the GPU: if all layers hold all, the box is its memory, and what is
    filled of it what the cache takes. Only the first layers are `shown`; while it `grows`, it does so evenly.
    """
    pitch, marks, at = box.width / shape.layers, [], 0
    alone = "s" * (shown - 1) == shape.kinds[: shown - 1]  # the first that keeps tokens
    marks.append(pen.text("layers-title", box.x, box.y - pen.pick(6, 8), title(pen, shape), "note"))
    heights = {kind: column(box, shape, layer_token, tokens, longest, kind) for kind in set(shape.kinds)}
    for number, (kind, layers) in enumerate(groups(pen, shape)):
        tall = heights[kind]
        seen = shape.kinds[:shown].count(kind) if pen.narrow else min(layers, shown - at)
        place = Box(box.x + at * pitch, box.bottom - tall, seen * pitch - 1, tall)
        name, role = {"w": ("windowed", WINDOWED), "s": ("state", STATE)}.get(kind, ("layers", KEPT))
        at += layers
        if seen > 0 and not (kind == "s" and alone):
            marks.append(pen.rect(f"{name}-{number}", place, f"{role} steady" if grows else role, round=0))
    room = pen.rect("room-of-layers", box, "cell soft", round=0)  # instead of the lines
    return (*marks, *draw_cuts(pen, box, shape.layers)) if pitch > FINE else (room, *marks)


def groups(pen: Pen, shape: Shape) -> list[tuple[str, int]]:
    """Kinds of layers and how many stand beside one another: as in the model, or on a phone all of a kind."""
    if pen.narrow:
        return [(kind, shape.kinds.count(kind)) for kind in dict.fromkeys(shape.kinds)]
    return [(kind, len(list(group))) for kind, group in groupby(shape.kinds)]


def title(pen: Pen, shape: Shape) -> str:
    """How many layers there are, and what they hold."""
    words = f"{shape.layers} layers"
    if shape.compressed:
        return (
            f"{words}, {pen.pick('entries of', 'an entry for')} {EVERY['c']} or {EVERY['h']}{pen.pick('', ' tokens')}"
        )
    if shape.stateful:
        return f"{words}, {shape.stateful} {pen.pick('', 'of them ')}with a state"
    return f"{words}, {shape.windowed} hold the last {shape.window:,}" if shape.windowed else f"{words}, each holds all"


@memoized
def draw_full(pen: Pen, box: Box, tokens: int | None) -> Iterator[Mark]:
    """The rim, and the tokens at which a GPU is full of this cache: on a phone at the end of what heads the layers."""
    words = f"full at {tokens:,} tokens" if tokens else pen.pick("never full", "never full, however many tokens")
    yield pen.line("rim", box.x, box.y, box.right, box.y, "axis dashed")
    if pen.narrow:
        yield pen.text("rim-words", box.right, box.y - 6, words, "note", anchor="end")
        return
    yield pen.text("rim-words", box.x, box.bottom + 17, f"80 GB, {words}", "note")


def column(box: Box, shape: Shape, layer_token: int, tokens: int, longest: int, kind: str) -> float:
    """How tall a layer of this kind is."""
    if tokens == 1 and kind != "s":
        return 4.0
    slots = shape.state / layer_token if kind == "s" else float(held(tokens, shape.window if kind in "wch" else 0))
    slots += tokens // EVERY[kind] if kind in EVERY else 0
    return max(box.height * min(slots / longest, 1), 2.0)


@memoized
def draw_cuts(pen: Pen, box: Box, layers: int) -> Iterator[Mark]:
    """Between layers."""
    pitch = box.width / layers
    places = [box.x + at * pitch - 0.5 for at in range(1, layers)]
    yield pen.strokes("layers-cuts", [[(x, box.y), (x, box.bottom)] for x in places], "grid")
