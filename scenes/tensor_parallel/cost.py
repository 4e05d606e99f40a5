"""What a layer takes: its forward as a strip of time, and the same for every number of GPUs."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import accumulate

from loom.draw import Axis, Box, Mark, Pen, Plot, count, quantity
from loom.scene import Moment

from .model import GPUS, LINKS, Split
from .narration import OVER

MILLI = 1e3
LANES = 4  # GPUs that are drawn of more


def draw_bars(pen: Pen, box: Box, moment: Moment) -> Iterator[Mark]:
    """Arithmetic and sums for each number of GPUs, each divided from the one before; then a knob on the present one."""
    one, last = moment.result, moment.progress == 1
    most = MILLI * max(Split(gpus, one.order, link, one.model).total for gpus in GPUS for link in LINKS)
    # On a phone the knob needs more air: on one GPU's bar it would touch the axis's name.
    high = pen.pick(1.3, 1.2) * most
    plot = Plot(pen, box, Axis("", span=(0, len(GPUS))), Axis("forward of a layer", "ms", (0, high)), "bars")
    for mark in plot.axes(0, 3):
        if not mark.key.startswith("bars-x"):
            yield mark
    other = next(link for link in LINKS if link != one.link)
    yield pen.line("bars-floor", box.x, box.bottom, box.right, box.bottom, "axis")
    stands = box.columns(len(GPUS), 0)
    for at, (gpus, stand) in enumerate(zip(GPUS, stands, strict=True)):
        if at <= moment.beat:
            yield from draw_bar(pen, plot, one, gpus, stand, at < moment.beat)
        elif at == moment.beat + 1:  # it will leave the one before
            edge = upright(plot, stands[at - 1], 0, one.over(GPUS[at - 1]).compute)
            yield pen.rect(f"bar-{gpus}", edge._replace(x=edge.right, width=0), "work soft", round=0)
        words = f"{gpus} GPUs" if gpus == GPUS[-1] else f"{gpus}"
        yield pen.text(f"bar-{gpus}-name", stand.x + stand.width / 2, box.bottom + pen.size + 3, words, "label",
                       anchor="middle")  # fmt: skip
        if last:
            yield pen.rect(f"other-{gpus}", upright(plot, stand, 0, one.over(gpus).over_link(other).total), "ghost",
                           round=0)  # fmt: skip
    if last:
        yield pen.text(
            "other-words", box.right, box.y - 0.75 * pen.size, f"dashed: {OVER[other]}", "note", anchor="end"
        )
        rail = [(stand.x + stand.width / 2, upright(plot, stand, 0, one.over(gpus).total).y - pen.knob_radius)
                for gpus, stand in zip(GPUS, stands, strict=True)]  # fmt: skip
        # On the bar: it would hide how little is waited.
        yield pen.knob("gpus", *rail[GPUS.index(one.gpus)], "gpus", rail, "GPUs")


def draw_bar(pen: Pen, plot: Plot, one: Split, gpus: int, stand: Box, landed: bool) -> Iterator[Mark]:
    """The arithmetic of so many GPUs, and its sums when it stands."""
    case, soft = one.over(gpus), "" if gpus == one.gpus else " soft"
    sums = quantity(case.communication, "s")
    told = f"{count(gpus, 'GPU')}: {quantity(case.compute, 's')} of arithmetic, {sums} of sums"
    yield pen.rect(f"bar-{gpus}", upright(plot, stand, 0, case.compute), f"work{soft}", round=0, read=told)
    wait = upright(plot, stand, case.compute, case.total if landed else case.compute)
    yield pen.rect(f"wait-{gpus}", wait, f"dropped{soft}", round=0, read=told)


def upright(plot: Plot, stand: Box, start: float, end: float) -> Box:
    """The times from `start` to `end` as a bar on its stand [s]."""
    (_, low), (_, high) = plot.at(0, MILLI * start), plot.at(0, MILLI * end)
    return Box(stand.x + 0.2 * stand.width, high, 0.6 * stand.width, low - high)


def draw_strip(pen: Pen, box: Box, moment: Moment) -> Iterator[Mark]:
    """A layer's forward on up to four GPUs: attention, a sum, the MLP, a sum; what is not yet is covered."""
    one: Split = moment.result
    unit, wait = box.width / one.total, one.communication / 2
    attention, mlp = one.parts
    spans = [attention, wait, mlp, wait] if wait else [attention, mlp]
    starts = [box.x + unit * time for time in accumulate(spans, initial=0.0)]
    yield from draw_legend(pen, box, one)
    lanes = box.rows(min(one.gpus, LANES), 2)
    for at, name in enumerate(("attention", "MLP")):
        left, right = starts[2 * at if wait else at], starts[2 * at + 1 if wait else at + 1]
        for gpu, lane in enumerate(lanes):
            yield pen.rect(f"{name}-{gpu}", Box(left, lane.y, right - left, lane.height), "work", round=0)
        if pen.text_width(name) < right - left:
            yield pen.text(f"{name}-words", (left + right) / 2, box.y - 6, name, "label", anchor="middle")
        if wait:
            words = next((name for name in ("all-reduce", "sum") if pen.text_width(name) < unit * wait), "")
            yield pen.text(f"sum-{at}-words", right + unit * wait / 2, box.y - 6, words, "dropped", anchor="middle")
            yield from draw_wait(pen, f"sum-{at}", Box(right, box.y, unit * wait, box.height), lanes, moment)
    base = box.bottom + pen.size + 4
    yield pen.text("strip-time", box.right, base, quantity(one.total, "s"), "label strong", anchor="end")
    if moment.since("sequence") and wait:
        yield pen.text("strip-halves", box.x, base, "reduce-scatter, norm, all-gather", "note")
    if moment.phase == "layer":
        x = starts[moment.beat + 1]
        yield pen.rect("future", Box(x, box.y - 2, box.right + 1 - x, box.height + 4), "cell steady", round=0)
        yield pen.line("now", x, box.y - 4, x, box.bottom + 4, "hot steady")


def draw_wait(pen: Pen, key: str, box: Box, lanes: list[Box], moment: Moment) -> Iterator[Mark]:
    """A sum as the two halves that it is made of; with sequence parallelism they part, and the norm stands between."""
    apart = min(pen.pick(6, 8), box.width / 3) if moment.since("sequence") else 0.0
    half = (box.width - apart) / 2
    told = f"{quantity(moment.result.each, 'B')} sent by each GPU"
    for side, x in (("scatter", box.x), ("gather", box.right - half)):
        yield pen.rect(f"{key}-{side}", Box(x, box.y, half, box.height), "dropped", round=0, read=told)
    if apart:
        middle = box.x + half
        for at, lane in enumerate(lanes):
            yield pen.rect(f"{key}-norm-{at}", Box(middle + 1, lane.y, apart - 2, lane.height), "data", round=0)


def draw_legend(pen: Pen, box: Box, one: Split) -> Iterator[Mark]:
    """What the colours are, over the strip."""
    x, base = box.x, box.y - pen.pick(22, 26)
    for key, words in (("work", "arithmetic"), ("dropped", "waiting for sums"))[: 1 + (one.gpus > 1)]:
        yield pen.rect(f"legend-{key}", Box(x, base - 9, 10, 10), key, round=1)
        yield pen.text(f"legend-{key}-words", x + 14, base, words)
        x += 14 + pen.text_width(words) + 14
    if one.gpus > LANES:
        words = f"{LANES} of {one.gpus} GPUs"
        yield pen.text("strip-lanes", box.right, base, words, "note", anchor="end")
