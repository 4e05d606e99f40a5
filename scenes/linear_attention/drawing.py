"""The picture: a small state at work, and what states and keys take in a released model."""

from __future__ import annotations

from collections.abc import Iterator

from loom.draw import Axis, Box, Mark, Pen, Plot, paragraph, times
from loom.scene import Moment

from .model import Memory, Shape
from .narration import FILLED, LEAST, so_far
from .shapes import LATENT
from .state import draw_state
from .toy import SIDE

LENGTHS = tuple(round(LEAST * 2 ** (third / 3)) for third in range(37))  # three to an octave, up to 2^20 tokens
OCTAVES = LENGTHS[::3]
GB = 10**9


def draw(moment: Moment, width: float) -> Iterator[Mark]:
    pen = Pen(width)
    yield from draw_answer(pen, moment, pen.pick(0, 440))
    if not pen.narrow or moment.phase != "count":
        yield from draw_state(pen, moment)
    if not pen.narrow or moment.phase == "count":
        memory = so_far(moment) if moment.phase == "count" else moment.result.memory
        yield from draw_plot(pen, pen.pick(Box(34, 80, 286, 122), Box(486, 90, 346, 124)), moment, memory)
        yield from draw_layers(pen, pen.pick(Box(0, 276, 328, 26), Box(440, 286, 392, 26)), memory.shape)


def draw_answer(pen: Pen, moment: Moment, x: float) -> Iterator[Mark]:
    """How many numbers the small state has; at last, how much smaller a model's memory is."""
    if moment.phase == "count":
        memory = so_far(moment)
        less, what = memory.ratio >= 1, kept(memory.shape)
        answer = times(memory.ratio if less else 1 / memory.ratio)
        words = f"{'less' if less else 'more'} than with {what} in all {memory.shape.layers} layers"
        words += f", at {memory.tokens:,} tokens"
    else:
        read = moment.beat + 1 if moment.phase == "fill" else FILLED + 1
        answer = f"{SIDE * SIDE} numbers"
        words = f"in the small state; keys and values would be {2 * SIDE * read} by now"
    yield pen.text("answer", x, pen.huge, answer, "value strong answer", size=pen.huge)
    left = x + pen.room(answer, size=pen.huge, strong=True) + 14
    yield from paragraph(pen, "answer-words", left, pen.pick(14, 17), words, pen.width - left, "label")


def kept(shape: Shape) -> str:
    """What its other layers keep for each token."""
    return "latents" if shape.token == LATENT else "keys"


def draw_plot(pen: Pen, box: Box, moment: Moment, memory: Memory) -> Iterator[Mark]:
    """Bytes over the length of a conversation, with the knob on those of the model as it ships."""
    shape, last = memory.shape, moment.phase == "count"
    x = Axis("tokens", span=(LENGTHS[0], LENGTHS[-1]), log=True, ticks=(1000, 10_000, 100_000))
    plot = Plot(pen, box, x, Axis("memory", "GB", span=(0.007, 200), log=True, ticks=(0.01, 0.1, 1, 10, 100)))
    yield from plot.axes()

    def at(tokens: int, size: str) -> tuple[float, float]:
        return plot.at(tokens, getattr(Memory(shape, tokens), size) / GB)

    yield pen.path("everywhere", [at(tokens, "everywhere") for tokens in OCTAVES], "ghost")
    yield pen.path("states", [at(tokens, "states") for tokens in (LENGTHS[0], LENGTHS[-1])], "series-1")
    yield pen.path("total", [at(tokens, "total") for tokens in OCTAVES], "memory")
    place = at(16384, "everywhere")
    yield pen.text("everywhere-name", place[0] - 6, place[1] - 6, f"{kept(shape)} in all layers", "note", anchor="end")
    yield pen.text("states-name", box.right, at(LEAST, "states")[1] + pen.size, "states", "note", anchor="end")
    place = at(LENGTHS[-1], "total")
    yield pen.text("total-name", box.right, place[1] + pen.pick(36, 42), "as shipped", "memory strong", anchor="end")
    if not last:
        return
    here, high = at(memory.tokens, "total"), at(memory.tokens, "everywhere")
    yield pen.line("gap", *high, *here, "hot dashed")
    if moment.progress < 1:
        yield pen.circle("growing", *here, 5, "hot")
    else:
        yield pen.knob("tokens", *here, "tokens", [at(tokens, "total") for tokens in LENGTHS])


def draw_layers(pen: Pen, box: Box, shape: Shape) -> Iterator[Mark]:
    """The layers of the model from the first to the last: tall ones keep something for each token."""
    pitch = box.width / shape.layers
    for kind, top, role in (("s", box.bottom - 13, "series-1"), ("k", box.y, "memory")):
        lines = [
            [(box.x + (at + 0.5) * pitch, box.bottom), (box.x + (at + 0.5) * pitch, top)]
            for at, one in enumerate(shape.pattern)
            if one == kind
        ]
        yield pen.strokes(f"layers-{kind}", lines, role)
    words = f"{shape.layers} layers: {shape.linear} short ones keep a state, {shape.full} keep {kept(shape)}"
    yield pen.text("layers-name", box.x, box.bottom + pen.size + 4, words, "note")
