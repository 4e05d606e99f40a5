"""The picture: where in the tensor a strip lies or what the choice costs; the strip; and the ladder of all choices."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from loom.draw import Box, Mark, Pen, count, fixed, headline, memoized, significant
from loom.scene import Moment

from .ladder import bits_of, draw_ladder, draw_prices
from .model import BLOCKS, CHANNELS, TOKENS
from .product import SUM, draw_product
from .stored import COUNT, FIRST, OUTLIER, TOKEN, Stored
from .strip import Stage, draw_strip, stage


def draw(moment: Moment, width: float) -> Iterator[Mark]:
    at = stage(width)
    if moment.phase == "product":
        yield from draw_product(at.pen, moment.result.scheme.scale, round(moment.progress * SUM))
        return
    yield from (_costs if moment.since("rounded") else _map)(at, moment)
    yield from draw_strip(at, moment.result, moment.phase)
    if moment.since("rounded"):
        yield from draw_ladder(at.pen, moment)
    else:
        yield from _answer(at.pen, moment)


def _answer(pen: Pen, moment: Moment) -> Iterator[Mark]:
    """Before anything is lost: how many are loud, then how many share a scale and what that adds to a number."""
    stored: Stored = moment.result
    x, y = pen.pick((0.0, 242.0), (604.0, 54.0))
    loud, shared = int((~stored.tensor.normal).sum()), stored.scheme.sharing()
    amount, words = f"{loud}", f"of {CHANNELS:,} channels hold outliers"
    if moment.phase == "scales":
        amount, words = f"{shared:,}", "numbers share a scale"
        if pen.narrow:
            price = f"{bits_of(stored.scheme.bits())} bits"
            yield pen.text("price", x, y + 50, price, "value strong", size=pen.large)
            yield pen.text("price-name", x, y + 68, "a number, with its share of the scale", "note")
        else:
            yield from draw_prices(pen, stored)
    elif not pen.narrow:
        yield from _to_scale(pen, stored)
    yield from headline(pen, x, y, amount, [words], key="share", under=True, tone="note")


@memoized
def _to_scale(pen: Pen, stored: Stored) -> Iterator[Mark]:
    """The same numbers on an axis that does not double: beside an outlier the others can hardly be seen."""
    box, sizes = Box(604, 138, 236, 116), np.abs(stored.numbers)
    most, each = float(sizes.max()), box.width / COUNT
    tops = np.rint(box.bottom - box.height * sizes / most).tolist()
    lines = [[(box.x + (at + 0.5) * each, box.bottom), (box.x + (at + 0.5) * each, top)] for at, top in enumerate(tops)]
    yield pen.strokes("linear", lines, "data thin")
    yield pen.line("linear-zero", box.x, box.bottom, box.right, box.bottom)
    words = f"the same, not in doublings: up to {significant(most)}"
    yield pen.text("linear-name", box.x, box.y - 8, words, "note")


def _map(at: Stage, moment: Moment) -> Iterator[Mark]:
    """The tensor, small: a line for each outlier channel, the token drawn below, and one group that shares a scale."""
    stored, pen, strip = moment.result, at.pen, at.strip
    box = Box(strip.x, pen.size + 6, strip.width, pen.pick(22, 36))
    unit, row = box.width / CHANNELS, box.y + box.height * TOKEN / TOKENS
    yield pen.rect("map", box, round=1)
    outliers = np.flatnonzero(~stored.tensor.normal).tolist()
    if outliers:
        lines = [[(box.x + c * unit, box.y), (box.x + c * unit, box.bottom)] for c in outliers]
        yield pen.strokes("map-out", lines, "axis thin")
    yield pen.line("map-row", box.x, row, box.right, row, "data thin")
    left, right = box.x + (FIRST + at.first) * unit, box.x + (FIRST + COUNT) * unit
    yield pen.rect("map-part", Box(left, row - 3, right - left, 6), "data", round=0)
    rays = [[(left, box.bottom), (strip.x, strip.y - 2)], [(right, box.bottom), (strip.right, strip.y - 2)]]
    yield pen.strokes("zoom", rays, "axis thin")
    end = pen.pick(pen.width, box.right)
    yield pen.text("map-name", box.x, pen.size, f"{TOKENS} tokens × {CHANNELS:,} channels", "note")
    if moment.phase == "scales":
        words = count(TOKENS * CHANNELS // stored.scheme.sharing(), "scale")
        yield pen.rect("map-group", _group_box(box, stored.scheme.scale, row, unit), "hot outline", round=0)
        yield pen.text("map-scales", end, pen.size, words, "hot", anchor="end")


def _group_box(box: Box, scale: str, row: float, unit: float) -> Box:
    """The place in the map of numbers that share a scale."""
    if scale == "tensor":
        return box
    if scale == "token":
        return Box(box.x, row - 2, box.width, 4)
    if scale == "channel":
        return Box(box.x + (FIRST + OUTLIER) * unit - 2, box.y, 4, box.height)
    width = BLOCKS[scale]
    start = FIRST + OUTLIER // width * width
    return Box(box.x + start * unit, row - 2, max(width * unit, 2.0), 4)


def _costs(at: Stage, moment: Moment) -> Iterator[Mark]:
    """What becomes zero, or how far the numbers stand above their errors."""
    found, pen, x, y = moment.result.errors, at.pen, at.strip.x, at.pen.pick(24, 30)
    amount, words, role = f"{fixed(found.zeroed, 1)}%", "become zero", "dropped"
    if moment.phase == "ladder":
        far = pen.pick("", ": how far the number stands above its error")
        amount, words, role = f"{fixed(found.normal, 1)} dB", f"signal to noise{far}", "work"
    yield from headline(pen, x, y, amount, [words], role, key=f"cost-{moment.phase}", under=True, tone="note")
