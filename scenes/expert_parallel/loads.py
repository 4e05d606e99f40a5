"""The load of all GPUs as bars, and over all popularities with a knob."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache

from loom.draw import Axis, Box, Mark, Pen, Plot, bounds, number, percent

from .model import Case
from .pace import UNSEEN, last_beat, under_way
from .placing import LOCAL, PLACED, Name
from .router import NODES
from .stage import Stage

LIMITS = {8: "any node", 4: "4 nodes", 2: "2 nodes"}
SKEWS = (0, *(tenth / 10 for tenth in range(1, 10)), 1)


@cache
def peaks(limit: int, placement: Name) -> tuple[float, ...]:
    """The fullest GPU over the mean, for each popularity."""
    return tuple(Case(skew, limit, placement).slowest for skew in SKEWS)


def peak_of(case: Case, limit: int, placement: Name) -> float:
    """The fullest GPU over the mean, with another limit and placement."""
    return Case(case.popularity, limit, placement).slowest


def draw_loads(stage: Stage, case: Case, beat: int) -> Iterator[Mark]:
    """All bars on one scale for each popularity, so that limits and placements compare; the fullest sets a level.

    At first bars have no heights; then a cover over all of it is lifted as the GPUs work off their visits.
    """
    pen, box = stage.pen, stage.chart
    most = case.mean * max(peak_of(case, limit, name) for limit in LIMITS for name in PLACED)
    fullest, before = int(case.loads.argmax()), peak_of(case, case.limit, "order") > 1.3 * case.slowest
    ended, loads = beat == last_beat(case), case.loads * (beat >= UNSEEN)
    if before:
        yield from draw_before(stage, case, most)
    for node in range(NODES):
        first, last = stage.bar(node * LOCAL, 0, most), stage.bar(node * LOCAL + LOCAL - 1, 0, most)
        base = Box(first.x, box.bottom, last.right - first.x, 2)
        yield pen.rect(f"node-{node}", base, "quiet", round=0)
        words = pen.pick(f"{node}", f"node {node}")
        yield pen.text(f"node-{node}-name", base.x + base.width / 2, box.bottom + pen.size + 5, words, "note",
                       anchor="middle")  # fmt: skip
    peak = stage.bar(fullest, int(case.loads.max()), most)
    if beat >= UNSEEN:
        yield from draw_waits(stage, case, peak, ended)
    for node, some in enumerate(loads.reshape(NODES, LOCAL).tolist()):
        bars = [stage.bar(node * LOCAL + at, load, most) for at, load in enumerate(some)]
        yield pen.strokes(f"gpus-{node}", [bar.corners for bar in bars], "work solid")
    if beat >= UNSEEN:
        yield pen.rect("fullest-bar", peak, "dropped", round=0)
    if beat and not ended:
        yield from draw_cover(stage, case, peak, beat)
    level = box.bottom - box.height * case.mean / most
    yield pen.line("mean", box.x, level, box.right, level, "data dashed")
    if ended:
        yield pen.line("peak", peak.x, peak.y, box.right, peak.y, "dropped thin")
    levels = draw_levels(stage, case, peak, level, most, before)
    yield from levels if ended else (mark for mark in levels if mark.key != "fullest")


def draw_cover(stage: Stage, case: Case, peak: Box, beat: int) -> Iterator[Mark]:
    """Over what the GPUs have still to do, down to the visits that each has worked off if it had as many."""
    pen, box = stage.pen, stage.chart
    left = round(peak.height * (1 - under_way(case, beat) / float(case.loads.max())))
    yield pen.rect("to-come", Box(box.x, peak.y - 1, box.width, left + 1), "cell steady", round=0)
    yield pen.line("worked-off", box.x, peak.y + left, box.right, peak.y + left, "hot steady")


def draw_levels(stage: Stage, case: Case, peak: Box, level: float, most: float, before: bool) -> Iterator[Mark]:
    """The names of the two levels: that of the fullest over its bar, or right of the outline that is higher there."""
    pen, box, fullest = stage.pen, stage.chart, int(case.loads.argmax())
    words, mean = f"GPU {fullest}: {int(case.loads.max()):,} visits", f"mean {number(case.mean)}"
    wide, other, row = pen.text_width(words, strong=True), pen.text_width(mean), peak.y - 5
    loads = Case(case.popularity, case.limit, "order").loads if before else case.loads
    higher = [stage.bar(gpu, load, most).right for gpu, load in enumerate(loads.tolist()) if load > case.loads.max()]
    if before:
        _, top, end, low = bounds(before_name(stage, loads.tolist(), most))
        higher += [end] * (top < row and low > row - 0.6 * pen.size)
    left = min(max([peak.x - wide / 2, box.x, *(end + 6 for end in higher)]), box.right - wide)
    yield pen.text("fullest", left + wide / 2, row, words, "dropped strong", anchor="middle")
    right, base = box.right, level - 5
    under = [stage.bar(gpu, load, most) for gpu, load in enumerate(case.loads.tolist())]
    if base - pen.size < row + 5 or any(bar.right > right - other and bar.y < level - 2 for bar in under):
        base = row  # the bars, or the line of the fullest, would run through it: both names share a line
        right = right if left + wide + 12 < right - other else left - 12
    yield pen.text("mean-words", right, base, mean, "label", anchor="end")


def draw_waits(stage: Stage, case: Case, peak: Box, ended: bool) -> Iterator[Mark]:
    """All time until the fullest GPU is done, behind the bars: what they leave of it is waiting."""
    pen = stage.pen
    columns = [(stage.bar(node * LOCAL, 0, 1), stage.bar(node * LOCAL + LOCAL - 1, 0, 1)) for node in range(NODES)]
    boxes = [Box(first.x, peak.y, last.right - first.x, peak.height) for first, last in columns]
    yield pen.strokes("waits", [one.corners for one in boxes], "dropped soft solid")
    if ended and peak.height * case.idle / 100 > 3 * pen.size:  # there is room over the mean's name
        words = f"waiting for GPU {int(case.loads.argmax())}: {percent(case.idle, 2)}"
        yield pen.text("waits-words", stage.chart.right - 6, peak.y + pen.size + 5, words, "label strong", anchor="end")


def draw_before(stage: Stage, case: Case, most: float) -> Iterator[Mark]:
    """An outline of the loads that experts in order would give."""
    pen, loads = stage.pen, Case(case.popularity, case.limit, "order").loads.tolist()
    bars = [stage.bar(gpu, load, most) for gpu, load in enumerate(loads)]
    yield pen.path("before", [(bar.x, bar.y) for bar in bars], "ghost")
    yield before_name(stage, loads, most)


def before_name(stage: Stage, loads: list[int], most: float) -> Mark:
    """The name of the outline, where it begins."""
    pen, bar = stage.pen, stage.bar(0, loads[0], most)
    return pen.text("before-words", bar.right + 6, bar.y + 0.8 * pen.size, f"in order: {max(loads):,}", "note")


def draw_plot(pen: Pen, case: Case) -> Iterator[Mark]:
    """The fullest GPU over the mean for every popularity, with a knob; behind it that of experts in order."""
    box = pen.pick(Box(26, 252, 296, 42), Box(430, 252, 400, 44))
    x = Axis(
        pen.pick("skew: how unequally popular experts are", "skew of popularity"),
        span=(-0.08, 1.06),
        ticks=(0.0, 0.5, 1.0),
    )
    plot = Plot(pen, box, x, Axis("fullest over mean", span=(0.6, 26), log=True, ticks=(1, 4, 16)))
    yield from plot.axes()
    if case.placement != "order":
        yield plot.curve("in-order", SKEWS, peaks(case.limit, "order"), "ghost")
    found = peaks(case.limit, case.placement)
    yield plot.curve("peaks", SKEWS, found, "data")
    rail = [plot.at(skew, peak) for skew, peak in zip(SKEWS, found, strict=True)]
    yield pen.knob("popularity", *rail[SKEWS.index(case.popularity)], "popularity", rail)


def draw_choices(pen: Pen, case: Case) -> Iterator[Mark]:
    """The fullest GPU over the mean for each placement, to press."""
    box = pen.pick(Box(0, 164, 328, 60), Box(0, 238, 300, 82))
    names, after = pen.text_width([*PLACED.values()], strong=True) + 10, pen.text_width("8.88×", strong=True) + 8
    found = {name: peak_of(case, case.limit, name) for name in PLACED}
    unit = (box.width - names - after) / max(found.values())
    for (name, peak), row in zip(found.items(), box.rows(3, 4), strict=True):
        chosen, middle = name == case.placement, row.y + row.height / 2
        bar = Box(row.x + names, row.y + 3, peak * unit, row.height - 6)
        shown = f"{number(peak)}×"
        yield pen.text(
            f"choice-{name}-name", row.x, middle, PLACED[name], "label strong" if chosen else "label", middle=True
        )
        yield pen.rect(f"choice-{name}", bar, "data" if chosen else "quiet", round=1, set={"placement": name},
                       label=f"Place experts {PLACED[name]}: {shown} the mean")  # fmt: skip
        yield pen.text(f"choice-{name}-peak", bar.right + 6, middle, shown, "value strong" if chosen else "value",
                       middle=True)  # fmt: skip
