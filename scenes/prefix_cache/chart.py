"""The requests in their order, what each has found, and the rate over what the reader can change."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache

from loom.draw import Box, Mark, first_clear, memoized
from loom.scene import Moment

from .case import Case
from .stage import Stage, stage_of
from .story import WHOLE, Now, name_of, share
from .workloads import AGENT, CHATS

SEEN = 1.0  # units: what of a column is flatter is left out


def draw_turns(width: float, case: Case, now: Now) -> Iterator[Mark]:
    """A column for each request that has come."""
    come = [mark for marks in columns(width, case)[: now.served] for mark in marks]
    yield from heading(width, case, any(mark.key.startswith("again-") for mark in come))
    yield from come


@memoized
def heading(width: float, case: Case, again: bool) -> Iterator[Mark]:
    """What a column is, and what its parts are; those computed again from when there are any."""
    stage = stage_of(width, case)
    pen, y = stage.pen, stage.turns.y - 8
    words = {"new": ("new", "data"), "found": ("found", "work")}
    if again:
        words["again"] = (pen.pick("computed again", "known, computed again"), "dropped")
    prompts = f"{len(case.cache.turns)} prompts" + pen.pick(":", " in their order:")
    yield pen.text("turns-name", stage.turns.x, y, prompts, "label strong")
    x = stage.turns.x + pen.text_width(prompts, strong=True) + pen.pick(12, 16)
    for key, (text, role) in words.items():
        yield pen.rect(f"turns-{key}-mark", Box(x, y - 9, 9, 9), role, round=1)
        yield pen.text(f"turns-{key}", x + 14, y, text, "label")
        x += 14 + pen.text_width(text) + pen.pick(12, 18)
    yield pen.line("turns-floor", stage.turns.x, stage.turns.bottom, stage.turns.right, stage.turns.bottom, "axis")


@cache
def columns(width: float, case: Case) -> list[list[Mark]]:
    """Each request: all of it, what it has found from the floor up, and what was there once on top of that."""
    stage, found = stage_of(width, case), []
    for at, turn in enumerate(case.cache.turns):
        told = f"{name_of(case, turn)}: {turn.hit:,} of {turn.request.prompt:,} tokens found"
        marks = [stage.pen.rect(f"turn-{at}", stage.column(at, turn.request.prompt), "data", round=0, read=told)]
        if stage.column(at, turn.lost).height >= SEEN:
            marks.append(stage.pen.rect(f"again-{at}", stage.column(at, turn.known), "dropped", round=0))
        if turn.hit:
            marks.append(stage.pen.rect(f"found-{at}", stage.column(at, turn.hit), "work", round=0))
        found.append(marks)
    return found


@memoized
def draw_curve(width: float, case: Case) -> Iterator[Mark]:
    """The rate over the size of blocks, of memory, or the place of the change, with the reader's choice on it."""
    stage = stage_of(width, case)
    pen, plot = stage.pen, stage.plot
    yield from axes(stage)
    yield rates(stage)
    here, _ = rail_of(stage)[case.chosen]
    yield pen.line("here", here, plot.box.y, here, plot.box.bottom, "hot thin")
    yield knob(stage)


def rates(stage: Stage) -> Mark:
    curve = stage.case.curve
    return stage.plot.curve("rates", curve.places, [100 * rate for rate in curve.rates], "work")


def rail_of(stage: Stage) -> list[tuple[float, float]]:
    return [stage.plot.at(place, 100 * rate) for place, rate in stage.case.curve.stops]


def knob(stage: Stage) -> Mark:
    rail = rail_of(stage)
    return stage.pen.knob("rate", *rail[stage.case.chosen], stage.case.curve.param, rail)


def draw_best(width: float, moment: Moment) -> Iterator[Mark]:
    """A dot on its way from the reader's choice to the best there is, and where it has come how much is found there."""
    case: Case = moment.result
    if moment.phase != WHOLE or len(case.way) == 1:
        return
    stage = stage_of(width, case)
    pen, (place, rate) = stage.pen, case.way[min(moment.beat, len(case.way) - 1)]
    x, y = stage.plot.at(place, 100 * rate)
    yield pen.circle("best", x, y, 4, "work steady")
    if moment.progress == 1:
        side, anchor = (1, "end") if place > case.way[0][0] else (-1, "start")
        low, above = y + 8 + pen.size, min(x, pen.width - pen.text_width(share(rate), strong=True) / 2)
        places = [(x, low, anchor), (x + 12 * side, low, anchor), (above, y - 9, "middle")]
        words = [pen.text("best-share", *at, share(rate), "work strong", anchor=anchor) for *at, anchor in places]
        yield first_clear(words, [knob(stage), rates(stage)], gap=1)


def axes(stage: Stage) -> Iterator[Mark]:
    """Both scales; what they measure stands in one line above."""
    pen, plot, box = stage.pen, stage.plot, stage.plot.box
    for tick in plot.y.ticks:
        y = plot.at(plot.x.span[0], tick)[1]
        yield pen.line(f"share-{tick:g}", box.x, y, box.right, y, "grid" if tick else "axis")
        yield pen.text(f"share-{tick:g}-name", box.x - 6, y, f"{tick:g}", "note", anchor="end", middle=True)
    foot = box.bottom + pen.knob_radius + 0.75 * pen.size  # clear of a knob at 0%
    for tick in plot.x.ticks:
        x, y = plot.at(tick, 0)
        yield pen.line(f"place-{tick:g}", x, y, x, y + 4, "axis")
        yield pen.text(f"place-{tick:g}-name", x, foot, f"{tick:,.0f}", "note", anchor="middle")
    if stage.case.kind == AGENT:
        yield pen.text("place-end", box.right, foot, "end", "note", anchor="middle")
    yield pen.text("curve-title", box.x, box.y - pen.pick(13, 17), f"% found, over {plot.x.label}", "note")


def draw_memory(width: float, case: Case, now: Now) -> Iterator[Mark]:
    """How much of the memory is taken, up to its wall."""
    if case.kind != CHATS or not now.served:
        return
    stage, turn = stage_of(width, case), case.cache.turns[now.served - 1]
    plot, tokens = stage.plot, turn.blocks * case.block
    left, right = plot.at(0, 0)[0], plot.at(tokens, 0)[0]
    yield stage.pen.rect("memory", Box(left, plot.box.bottom - 7, right - left, 7), "memory soft", round=0,
                         read=f"{tokens:,} of {case.capacity:,} tokens of memory")  # fmt: skip
