"""The picture: a small state at work, and what states and keys take in a released model."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from loom.draw import Axis, Box, Mark, Pen, Plot, headline, memoized, paragraph, quantity, times
from loom.scene import Moment

from .model import Memory, Shape
from .narration import LEAST, so_far
from .shapes import LATENT
from .state import draw_state, token_of
from .toy import SIDE

LENGTHS = tuple(round(LEAST * 2 ** (third / 3)) for third in range(37))  # three to an octave, up to 2^20 tokens
OCTAVES = LENGTHS[::3]
GB = 10**9


def draw(moment: Moment, width: float) -> Iterator[Mark]:
    pen = Pen(width)
    yield from draw_answer(pen, moment, pen.pick(0, 440))
    yield from draw_state(pen, moment)
    if moment.phase == "count":
        memory = so_far(moment)
        yield from draw_plot(pen, pen.pick(Box(34, 50, 286, 78), Box(486, 90, 346, 124)), moment, memory)
        yield from draw_layers(pen, pen.pick(Box(0, 165, 328, 20), Box(440, 286, 392, 26)), memory)


def draw_answer(pen: Pen, moment: Moment, x: float) -> Iterator[Mark]:
    """How many numbers the small state has; at last, how much smaller a model's memory is."""
    if moment.phase == "count":
        memory = so_far(moment)
        less, what = memory.ratio >= 1, left_by(memory.shape)
        answer = times(memory.ratio if less else 1 / memory.ratio)
        words = f"{'less' if less else 'more'} than with {what} in all {memory.shape.layers} layers"
        words += f", at {memory.tokens:,}\u00a0tokens"
    else:
        read = token_of(moment.phase, moment.beat) + 1
        answer = f"{SIDE * SIDE} numbers"
        words = f"in the small state; keys and values would be {2 * SIDE * read} by now"
    yield from headline(pen, x, pen.huge, answer, words)


def left_by(shape: Shape) -> str:
    """What its other layers keep for each token."""
    return "latents" if shape.token == LATENT else "keys"


def draw_plot(pen: Pen, box: Box, moment: Moment, memory: Memory) -> Iterator[Mark]:
    """Bytes over the length of a conversation, with the knob on those of the model as it ships."""
    x = Axis("tokens", span=(LENGTHS[0] / 1.5, LENGTHS[-1]), log=True, ticks=(1000, 10_000, 100_000))
    plot = Plot(pen, box, x, Axis("memory", "GB", span=(0.007, 200), log=True, ticks=(0.01, 0.1, 1, 10, 100)))
    yield from plot.axes()
    yield from draw_curves(plot, memory.shape)
    yield from draw_here(plot, memory, moment.progress == 1)


def place_of(plot: Plot, shape: Shape, tokens: int, size: str) -> tuple[float, float]:
    """Where a size stands for so many tokens."""
    return plot.at(tokens, getattr(Memory(shape, tokens), size) / GB)


@memoized
def draw_curves(plot: Plot, shape: Shape) -> Iterator[Mark]:
    """The model as it ships, its states, and keys in all layers."""
    pen, box, at = plot.pen, plot.box, partial(place_of, plot, shape)
    yield pen.path("everywhere", [at(tokens, "everywhere") for tokens in OCTAVES], "ghost")
    yield pen.path("states", [at(tokens, "states") for tokens in (LENGTHS[0], LENGTHS[-1])], "series-1")
    yield pen.path("total", [at(tokens, "total") for tokens in OCTAVES], "memory")
    place = at(16384, "everywhere")
    yield pen.text(
        "everywhere-name", place[0] - 6, place[1] - 6, f"{left_by(shape)} in all layers", "note", anchor="end"
    )
    (_, low), (_, high) = at(LEAST, "states"), at(LENGTHS[-1], "total")
    yield pen.text("states-name", box.right, low + pen.size, "states", "note", anchor="end")
    under = min(high + pen.pick(30, 42), low - 0.4 * pen.size)  # its p hangs, and stays above the line of the states
    yield pen.text("total-name", box.right, under, "as shipped", "memory strong", anchor="end")


def draw_here(plot: Plot, memory: Memory, settled: bool) -> Iterator[Mark]:
    """The present length on each curve, and the knob as soon as it has come."""
    pen, shape, at = plot.pen, memory.shape, partial(place_of, plot, memory.shape)
    here, high = at(memory.tokens, "total"), at(memory.tokens, "everywhere")
    yield pen.line("gap", *high, *here, "hot dashed")
    sizes = {"everywhere": f"{left_by(shape)} in all {shape.layers} layers", "states": f"the {shape.linear} states"}
    for name, words in sizes.items():
        told = f"{words}: {quantity(getattr(memory, name), 'B')}"
        yield pen.circle(f"{name}-here", *at(memory.tokens, name), pen.pick(3.5, 4), "data", read=told)
    if settled:
        yield pen.knob("tokens", *here, "tokens", [at(tokens, "total") for tokens in LENGTHS])
    else:
        yield pen.circle("growing", *here, 5, "hot")


@memoized
def draw_layers(pen: Pen, box: Box, memory: Memory) -> Iterator[Mark]:
    """The layers of the model from the first to the last: tall ones keep something for each token."""
    shape = memory.shape
    pitch = box.width / shape.layers
    state, keys = quantity(shape.state, "B"), quantity(memory.layer, "B")
    told = f"each short layer: {state}; each tall one: {keys}"
    yield pen.rect("layers", box, "cell", read=told)
    for kind, share, role in (("s", 0.5, "series-1"), ("k", 1.0, "memory")):
        lines = [
            [(box.x + (at + 0.5) * pitch, box.bottom), (box.x + (at + 0.5) * pitch, box.bottom - share * box.height)]
            for at, one in enumerate(shape.pattern)
            if one == kind
        ]
        yield pen.strokes(f"layers-{kind}", lines, role)
    words = f"{shape.layers} layers: {shape.linear} short ones keep a state, {shape.full} keep {left_by(shape)}"
    left, base = pen.pick((180.0, box.bottom + 20), (box.x, box.bottom + pen.size + 4))
    yield from paragraph(pen, "layers-name", left, base, words, pen.width - left)
