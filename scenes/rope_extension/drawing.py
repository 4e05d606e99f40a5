"""The picture: all pairs as clocks, the text that turns them, and a closer look; in the end what methods stretch."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from functools import lru_cache

from loom.draw import Axis, Box, Mark, Pen, bounds, headline, memoized
from loom.scene import Moment

from .._rope.rotation import TRAINED
from .clocks import draw_clocks
from .dial import draw_dial
from .methods import draw_methods
from .narration import SHORT, answer
from .rotary import rotary

FACTORS = (2, 3, 4, 6, 8, 12, 16, 24, 32)
DOUBLINGS = 3  # of the scale, up to what training has read
TEXT = Axis("length", "tokens", (TRAINED / 2**DOUBLINGS, TRAINED * FACTORS[-1]), log=True)


def draw(moment: Moment, width: float) -> Iterable[Mark]:
    if moment.phase == "extended":
        return draw_moment(moment, width)
    model, longer = moment.result, moment.since("beyond")
    method, factor = next(iter(SHORT)), model.factor if longer else FACTORS[0]
    return before(replace(moment, result=rotary(model.base, method, factor)), width)


@lru_cache(maxsize=64)  # all methods share what comes before them, and all factors the first chapter
def before(moment: Moment, width: float) -> list[Mark]:
    return list(draw_moment(moment, width))


def draw_moment(moment: Moment, width: float) -> Iterator[Mark]:
    pen = Pen(width)
    wall, text, number, panel = pen.pick(
        (Box(0, 60, 328, 82), Box(0, 167, 320, 12), Box(0, 0, 328, 50), Box(0, 204, 328, 112)),
        (Box(0, 26, 512, 160), Box(0, 226, 512, 20), Box(562, 0, 278, 60), Box(562, 84, 278, 226)),
    )
    words = "their hands one token on" if moment.since("near") else "each slower than the last"
    yield pen.text("pairs", wall.x, wall.y - pen.pick(9, 11), f"64 pairs as clocks, {words}", "note")
    yield from draw_clocks(pen, wall, moment)
    yield from draw_text(pen, text, moment)
    figure, words = answer(moment)
    yield from headline(
        pen, number.x, number.y + pen.huge, figure, words, tone(moment), under=not pen.narrow, right=number.right
    )
    yield from (draw_methods if moment.phase == "extended" else draw_dial)(pen, panel, moment)


def tone(moment: Moment) -> str:
    """The colour of the number: that of new angles where it counts them, and of what is spared where there are none."""
    if moment.phase in ("waves", "near"):
        return "value"
    return "dropped" if moment.phase == "beyond" or moment.result.unseen.any() else "work"


def draw_text(pen: Pen, box: Box, moment: Moment) -> Iterator[Mark]:
    """The text on a logarithmic scale: what training has read, and what is asked for, whose end is a handle."""
    model = moment.result
    ends = [box.x + TEXT.normalize(length) * box.width for length in (TRAINED, model.target)]
    yield pen.rect("text", box, "cell soft", round=0)
    read = moment.past("waves")
    yield pen.rect("trained", Box(box.x, box.y, read * (ends[0] - box.x), box.height), "work", round=0)
    foot = box.bottom + pen.size + pen.pick(4, 6)
    yield from draw_scale(pen, box, foot)
    yield pen.text("trained-label", ends[0], foot, f"trained {TRAINED:,}", "work", anchor="end")
    if not moment.since("beyond"):
        yield longest(pen, box, foot)
        return
    went = moment.past("beyond")
    role = "dropped" if moment.phase != "extended" or model.unseen.any() else "work soft"
    yield pen.rect("asked", Box(ends[0], box.y, went * (ends[1] - ends[0]), box.height), role, round=0)
    rail = [(box.x + TEXT.normalize(TRAINED * factor) * box.width, box.y + box.height / 2) for factor in FACTORS]
    words = f"{model.factor} times: {model.target:,}"
    wide = pen.text_width(words, strong=True)
    right = min(max(ends[1] + wide / 2, ends[0] + 12 + wide), box.right)
    if right < bounds(longest(pen, box, foot))[0] - 6:
        yield longest(pen, box, foot)
    yield pen.text("target-label", right, foot, words, "hot strong", anchor="end")
    yield pen.knob("target-knob", *rail[FACTORS.index(model.factor)], "factor", rail)


@memoized
def draw_scale(pen: Pen, box: Box, foot: float) -> Iterator[Mark]:
    """A tick for each doubling, and where the scale begins."""
    places = [box.x + TEXT.normalize(TRAINED * 2**power) * box.width for power in range(-DOUBLINGS, 6)]
    yield pen.strokes("doublings", [[(x, box.bottom), (x, box.bottom + 4)] for x in places], "axis thin")
    yield pen.text("shortest", box.x, foot, f"{TRAINED >> DOUBLINGS:,}", "note")


def longest(pen: Pen, box: Box, foot: float) -> Mark:
    """Where the scale ends, unless the text that is asked for says its own end there."""
    return pen.text("longest", box.right, foot, f"{TRAINED * FACTORS[-1]:,} tokens", "note", anchor="end")
