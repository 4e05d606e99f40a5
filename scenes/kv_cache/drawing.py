"""The picture of one step: the product so far, a bar for each way of sharing heads, and where the factor comes from."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

from loom.draw import Box, Mark, Pen, count

from .chain import draw_chain
from .gpus import draw_gpus, span
from .model import Cache, kv_heads
from .moments import GPUS, LAYER, LENGTH, TOKEN, State
from .panels import draw_heads, draw_layers
from .stage import Stage
from .words import amount, heads_of, times

KEPT, WINDOWED = "kept", "series-2"  # layers that keep every token, layers with a window
SLIVER = 1.0  # the least that is seen of a bar


@lru_cache(maxsize=4096)
def draw(state: State, width: float) -> tuple[Mark, ...]:
    """All marks. Two schemes that come to the same cache are the same state, and drawn once."""
    return tuple(_marks(Stage(Pen(width)), state))


def _marks(stage: Stage, state: State) -> Iterator[Mark]:
    yield from draw_chain(stage, state)
    yield from draw_bars(stage, state)
    if state.step == LAYER:
        yield from draw_heads(stage, state)
    elif state.step in (TOKEN, LENGTH):
        yield from draw_layers(stage, state)
    else:
        yield from draw_gpus(stage, state)


def draw_bars(stage: Stage, state: State) -> Iterator[Mark]:
    """The cache under each scheme, on one scale: that of MHA, and at the end that of whole GPUs."""
    rivals = state.rivals()
    most = span(state) if state.step == GPUS else state.full(rivals[0])
    pen = stage.pen
    what = {
        LAYER: "one token, one layer",
        TOKEN: "one token",
        LENGTH: "one conversation",
        GPUS: count(state.cache.batch, "conversation"),
    }
    named = state.window and state.step > LAYER
    if not pen.narrow or not named:
        yield pen.text("bars-head", 0, stage.head, f"If {state.cache.shape.name} had", "note")
    if not pen.narrow:
        yield pen.text("bars-what", stage.numbers, stage.head, what[state.step], "note", anchor="end")
    if named:
        yield from _kinds(stage, state)
    largest = sum(state.parts(rivals[0]))
    for row, rival in zip(stage.rows, rivals, strict=True):
        yield from _bar(stage, state, row, rival, most)
        yield from _words(stage, state, row, rival, largest)


def _kinds(stage: Stage, state: State) -> Iterator[Mark]:
    """Over the first bar: which part of it is which kind of layer, and what its outline is."""
    pen, shape, x = stage.pen, state.cache.shape, stage.bars.x
    whose = "" if pen.narrow else "layers "
    kept, windows = f"{shape.kept} {whose}keep all", f"{shape.windowed} {whose}keep the last {shape.window:,}"
    if not shape.kept:
        windows = f"all {windows}"
    kinds = [("kept", kept, KEPT)] if shape.kept else []
    kinds += [("windowed", windows, WINDOWED)]
    kinds += [("full", "no window", "ghost")] if state.step == LENGTH and state.cut else []
    side = 0.7 * pen.size
    for key, words, role in kinds:
        yield pen.rect(f"kind-{key}-swatch", Box(x, stage.head - side, side, side), role, round=1)
        yield pen.text(f"kind-{key}", x + side + 5, stage.head, words, "note")
        x += side + 5 + pen.room(words) + 14


def _bar(stage: Stage, state: State, row: Box, rival: Cache, most: int) -> Iterator[Mark]:
    """One scheme's bar: layers that keep every token first, then those with a window."""
    pen, name = stage.pen, rival.scheme
    press, label = {"variant": name}, f"show {name}"
    yield pen.rect(f"{name}-track", row, "cell soft", set=press, label=label)
    unit = row.width / most
    kept, windowed = state.parts(rival)
    if state.step == LENGTH and state.cut:
        yield pen.rect(f"{name}-full", Box(row.x, row.y, state.full(rival) * unit, row.height), "ghost")
    manner = "" if name == state.cache.scheme else " soft"
    start = row.x
    for key, size, role in (("kept", kept, KEPT), ("windowed", windowed, WINDOWED)):
        if size:
            first = start == row.x  # one button is enough
            box = Box(start, row.y, max(size * unit, SLIVER), row.height)
            yield pen.rect(f"{name}-{key}", box, role + manner, round=1, set=press if first else {},
                           label=label if first else "")  # fmt: skip
            start = box.right


def _words(stage: Stage, state: State, row: Box, rival: Cache, largest: int) -> Iterator[Mark]:
    """Name, heads, size and ratio of one scheme."""
    pen, name = stage.pen, rival.scheme
    chosen, heads = name == state.cache.scheme, kv_heads(rival.shape, name)
    size, mood = sum(state.parts(rival)), "as shipped" if name == rival.shape.shipped else "hypothetical"
    y = row.y - 5 if pen.narrow else row.y + 11
    yield pen.text(f"{name}-name", 0, y, name, "hot strong" if chosen else "label strong")
    if pen.narrow:
        yield pen.text(f"{name}-heads", 34, y, f"{heads_of(heads)}, {mood}", "note")
    else:
        yield pen.text(f"{name}-heads", 42, y, heads_of(heads), "label")
        yield pen.text(f"{name}-mood", 42, y + 1.15 * pen.size, mood, "note")
        y = row.y + row.height / 2 + 0.35 * pen.size
    yield pen.text(f"{name}-size", stage.numbers, y, amount(size), "hot strong" if chosen else "value", anchor="end")
    if size < largest:
        yield pen.text(f"{name}-times", stage.ratios, y, f"{times(largest / size)} smaller", "note", anchor="end")
