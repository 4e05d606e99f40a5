"""The picture: where in the tensor a strip lies or what the choice costs; the strip; and the ladder of all choices."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from loom.draw import Box, Mark, count, fixed, headline, memoized, significant
from loom.scene import Moment

from .around import draw_brackets, draw_edges, draw_levels
from .ladder import draw_ladder, draw_prices
from .model import BLOCKS, CHANNELS, TOKENS
from .pace import PIECES, group_shown, looked, measured_gap, pieces_rounded, rounding, shown
from .product import SUM, draw_product
from .stored import COUNT, FIRST, OUTLIER, TOKEN, Stored
from .strip import Stage, draw_rounding, draw_strip, stage


def draw(moment: Moment, width: float) -> Iterator[Mark]:
    at = stage(width)
    if moment.phase == "product":
        yield from draw_product(at.pen, moment.result.scheme.scale, round(moment.progress * SUM))
        return
    yield from (_costs if moment.since("rounded") else _map)(at, moment)
    stored, (scale, _), now = moment.result, group_shown(moment), shown(moment)
    after = moment.since("rounded")
    yield from draw_strip(at, stored, moment.phase, now if moment.since("scales") else None, pieces_rounded(moment))
    if moment.phase == "ladder":
        yield from draw_levels(at, stored, measured_gap(moment)[0])
    elif now and moment.since("scales"):
        yield from draw_edges(at, now)
    if moment.since("scales"):
        yield from draw_brackets(at, stored, scale, now, told=after)
    if rounding(moment):
        yield from draw_rounding(at, moment.beat)
    if after:
        yield from draw_ladder(at.pen, moment)
    elif moment.phase == "scales":
        yield from _shares(at, stored, now)
    else:
        yield from _loud(at, moment)


def _shares(at: Stage, stored: Stored, now: Stored | None) -> Iterator[Mark]:
    """What a scale for each size of group costs, and how many numbers share the one whose window is there."""
    yield from draw_prices(at.pen, stored, now.scheme.scale if now else "")
    if now:
        x, y = at.pen.pick((0.0, 229.0), (604.0, 54.0))
        yield from headline(at.pen, x, y, f"{now.scheme.sharing():,}", ["numbers share a scale"], key="share",
                            under=not at.pen.narrow, tone="note")  # fmt: skip


def _loud(at: Stage, moment: Moment) -> Iterator[Mark]:
    """Before anything shares a scale: how many channels are loud, as far as they are looked at, and how loud."""
    stored, (passed, _) = moment.result, looked(moment) or (1.0, 1.0)
    yield from _to_scale(at, stored)
    loud = int((~stored.tensor.normal[: round(passed * CHANNELS)]).sum())
    words = f"of {CHANNELS:,} channels hold outliers"
    x, y = at.pen.pick((at.strip.right + 16, 84.0), (604.0, 54.0))
    yield from headline(at.pen, x, y, f"{loud}", words, key=at.pen.pick("loud", "share"), under=True, tone="note")


@memoized
def _to_scale(at: Stage, stored: Stored) -> Iterator[Mark]:
    """The same numbers on an axis that does not double: beside an outlier the others can hardly be seen.

    On a phone each stands under itself.
    """
    pen, sizes = at.pen, np.abs(stored.numbers)[at.first :]
    box = pen.pick(Box(at.strip.x, 206, at.strip.width, 116), Box(604, 138, 236, 116))
    most, each = float(sizes.max()), box.width / (COUNT - at.first)
    tops = np.rint(box.bottom - box.height * sizes / most).tolist()
    lines = [
        [(x, box.bottom), (x, top)]
        for x, top in zip((box.x + (np.arange(len(tops)) + 0.5) * each).tolist(), tops, strict=True)
    ]
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
    if (look := looked(moment)) is not None:
        x = box.x + look[1] * box.width
        yield pen.rect("map-cover", Box(x, box.y, box.right - x, box.height), "cell steady", round=0)
        yield pen.line("look", x, box.y - 3, x, box.bottom + 3, "hot steady")
    yield pen.line("map-row", box.x, row, box.right, row, "data thin")
    left, right = box.x + (FIRST + at.first) * unit, box.x + (FIRST + COUNT) * unit
    yield pen.rect("map-part", Box(left, row - 3, right - left, 6), "data", round=0)
    rays = [[(left, box.bottom), (strip.x, strip.y - 2)], [(right, box.bottom), (strip.right, strip.y - 2)]]
    yield pen.strokes("zoom", rays, "axis thin")
    end = pen.pick(pen.width, box.right)
    yield pen.text("map-name", box.x, pen.size, f"{TOKENS} tokens × {CHANNELS:,} channels", "note")
    if moment.phase == "scales":
        grown, now = group_shown(moment)[0], shown(moment)
        yield pen.rect("map-group", _group_box(box, grown, row, unit), "hot outline steady", round=0)
        if now:
            words = count(TOKENS * CHANNELS // now.scheme.sharing(), "scale")
            yield pen.text("map-scales", end, pen.size, words, "hot", anchor="end")


def _group_box(box: Box, scale: str, row: float, unit: float) -> Box:
    """The place in the map of numbers that share a scale; without a name, of one number."""
    if scale == "tensor":
        return box
    if scale == "token":
        return Box(box.x, row - 2, box.width, 4)
    if scale == "channel":
        return Box(box.x + (FIRST + OUTLIER) * unit - 2, box.y, 4, box.height)
    width = BLOCKS[scale] if scale else 1
    start = FIRST + OUTLIER // width * width
    return Box(box.x + start * unit, row - 2, max(width * unit, 2.0), 4)


def _costs(at: Stage, moment: Moment) -> Iterator[Mark]:
    """What becomes zero, counted while it is rounded; or how far the numbers stand above their errors."""
    stored, pen, x, y = moment.result, at.pen, at.strip.x, at.pen.pick(24, 30)
    key, role = "cost-rounded", "dropped"
    amount, words = f"{fixed(stored.errors.zeroed, 1)}%", "become zero"
    if rounding(moment):
        there = COUNT - at.first
        seen = stored.left[at.first : at.first + there * (pieces_rounded(moment) or 0) // PIECES]
        key, amount, words = "lost-here", str(np.count_nonzero(seen == 0)), f"of these {there} become zero"
    elif moment.phase == "ladder":
        if not measured_gap(moment)[1]:
            return
        far = pen.pick("", ": how far the number stands above its error")
        amount, words, role = f"{fixed(stored.errors.normal, 1)} dB", f"signal to noise{far}", "work"
        key = "cost-ladder"
    yield from headline(pen, x, y, amount, [words], role, key=key, under=True, tone="note")
