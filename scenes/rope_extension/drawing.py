"""The picture: all wavelengths against the trained length and the target; a dial, and then what the methods stretch."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache

from loom.draw import Axis, Box, Mark, Pen, Plot, paragraph, plain
from loom.scene import Moment

from .._rope.rotation import PAIRS, TRAINED, Array
from .dial import draw_dial
from .methods import STYLES, draw_methods
from .narration import answer
from .rotary import Rotary

FACTORS = (2, 3, 4, 6, 8, 12, 16, 24, 32)
READ = (0, 16, 32, 48, 63)  # pairs whose wavelength is told
SPAN = (1.0, 4e8)  # tokens; the longest wavelength of all bases and factors is 1.6e8


def draw(moment: Moment, width: float) -> Iterator[Mark]:
    pen = Pen(width)
    plot, number, panel = pen.pick(
        (Box(60, 68, 262, 108), Box(0, 0, 328, 50), Box(0, 216, 328, 116)),
        (Box(76, 24, 390, 252), Box(520, 0, 320, 60), Box(520, 84, 320, 226)),
    )
    yield from draw_waves(pen, plot, moment)
    figure, words = answer(moment)
    yield pen.text("answer", number.x, number.y + pen.huge, figure, "value strong answer", size=pen.huge)
    beside = number.x + pen.room(figure, size=pen.huge, strong=True) + 12
    x, y = pen.pick((beside, number.y + 14), (number.x, number.y + pen.huge + 24))
    yield from paragraph(pen, "answer-words", x, y, words, number.right - x, "label answer")
    yield from (draw_methods if moment.phase == "extended" else draw_dial)(pen, panel, moment)


@cache
def plot_of(pen: Pen, box: Box) -> Plot:
    across = Axis("pair", span=(0, PAIRS - 1), ticks=(0, 16, 32, 48, 63))
    return Plot(pen, box, across, Axis("wavelength λ", "tokens", SPAN, log=True, ticks=(1, 1e2, 1e4, 1e6)))


@cache
def frame(plot: Plot) -> tuple[Mark, ...]:
    """The axes and the trained length: the same in every picture."""
    pen, box, y = plot.pen, plot.box, plot.at(0, TRAINED)[1]
    return (
        *plot.axes(),
        pen.line("trained", box.x, y, box.right, y, "axis dashed"),
        pen.text("trained-label", box.right - 4, y + pen.size + 1, f"trained {TRAINED:,}", "note", anchor="end"),
    )


def draw_waves(pen: Pen, box: Box, moment: Moment) -> Iterator[Mark]:
    """A wavelength for each pair: as trained, and as the method leaves it."""
    plot, model = plot_of(pen, box), moment.result
    lost = model.unseen if moment.past("extended") == 1 else model.never
    if lost.any():
        first, last = int(lost.argmax()), PAIRS - 1 - int(lost[::-1].argmax())
        left, right = plot.at(first, 1)[0], plot.at(last, 1)[0]
        told = f"pairs {first} to {last}: new angles before {model.target:,} tokens"
        if moment.phase == "waves":
            told = f"pairs {first} to {last}: λ is longer than {TRAINED:,} tokens"
        yield pen.rect("lost", Box(left, box.y, right - left, box.height), "cell answer", round=0, read=told)
    yield from frame(plot)
    yield from _target(plot, model, moment)
    yield _curve(plot, "as-trained", model.waves, "data" if moment.phase != "extended" else "data thin dashed")
    if moment.phase == "extended":
        waves = model.new_waves if moment.progress == 1 else model.waves
        yield _curve(plot, "stretched", waves, f"{STYLES[model.method]} thick")
    elif lost.any():
        yield plot.curve("lost-waves", range(first, PAIRS), model.waves[first:].tolist(), "dropped thick answer")
    for pair in READ:
        wave = float(model.waves[pair])
        told = f"pair {pair}: λ is {plain(round(wave, 1 if wave < 100 else 0), 1)} tokens"
        yield pen.circle(f"read-{pair}", *plot.at(pair, wave), pen.pick(3.5, 4), "data", read=told)


def _curve(plot: Plot, key: str, waves: Array, role: str) -> Mark:
    return plot.curve(key, range(0, PAIRS, 3), waves[::3].tolist(), role)


def _target(plot: Plot, model: Rotary, moment: Moment) -> Iterator[Mark]:
    """The length asked for: a line that can be taken hold of."""
    if not moment.since("beyond"):
        return
    pen, box, x = plot.pen, plot.box, plot.box.x + plot.pen.pick(14, 16)
    rail = [(x, plot.at(0, TRAINED * factor)[1]) for factor in FACTORS]
    y = plot.at(0, model.target)[1]
    yield pen.line("target", box.x, y, box.right, y, "hot dashed")
    yield pen.knob("target-knob", x, y, "factor", rail)
    words = f"{model.factor} times: {model.target:,}"
    yield pen.text("target-label", x + 14, y - pen.pick(5, 6), words, "hot strong")
