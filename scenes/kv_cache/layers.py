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
    pen: Pen, box: Box, shape: Shape, layer_token: int, tokens: int, longest: int, first: bool
) -> tuple[Mark, ...]:
    """A column for each layer, as tall as the tokens that it holds of the `longest` conversation; a state, as those
    that would take as much.

    With `first` there is only the first layer that keeps tokens.
    """
    pitch, marks, at = box.width / shape.layers, [], 0
    words = f"{shape.layers} layers, each holds all" if not shape.windowed else f"{shape.layers} layers"
    if shape.windowed:
        words += f", {shape.windowed} hold the last {shape.window:,}"
    if shape.stateful:
        words = f"{shape.layers} layers, {shape.stateful} of them with a state"
    if shape.compressed:
        words = f"{shape.layers} layers, an entry for {EVERY['c']} or {EVERY['h']} tokens"
    marks.append(pen.text("layers-title", box.x, box.y - 8, words, "note"))
    heights = {kind: column(box, shape, layer_token, tokens, longest, kind) for kind in set(shape.kinds)}
    for number, (kind, group) in enumerate(groupby(shape.kinds)):
        layers, tall = len(list(group)), heights[kind]
        place = Box(box.x + at * pitch, box.bottom - tall, layers * pitch - 1, tall)
        name, role = {"w": ("windowed", WINDOWED), "s": ("state", STATE)}.get(kind, ("layers", KEPT))
        role += " steady" * (1 < tokens < longest)  # while the conversation grows
        at += layers
        if first and kind == "s":
            continue
        marks.append(pen.rect(f"{name}-{number}", place._replace(width=pitch - 1) if first else place, role, round=0))
        if first:
            break
    room = pen.rect("room-of-layers", box, "cell soft", round=0)  # instead of the lines
    return (*marks, *draw_cuts(pen, box, shape.layers)) if pitch > FINE else (room, *marks)


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
