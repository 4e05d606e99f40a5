"""The picture: a small head computed both ways, and beside it what both cost in the shape of DeepSeek-V3."""

from __future__ import annotations

from collections.abc import Iterator

from loom.draw import Axis, Box, Mark, Pen, Plot, headline, quantity, times
from loom.scene import Moment

from .grid import better, draw_grid
from .model import ABSORBED, BUILT, Step
from .narration import GIGA, work
from .pace import QUERIES, runs_at, stops
from .places import MADE, Places

CONTEXT = 8192
OCTAVES = tuple(2**octave for octave in range(14))  # places of a curve: more would only tremble
SCHEMES = ("MHA", "GQA", "MLA")


def draw(moment: Moment, width: float) -> Iterator[Mark]:
    pen = Pen(width)
    yield from draw_answer(pen, moment)
    small = pen.narrow and moment.phase == "count"
    yield from draw_grid(Places(pen, 218 if small else pen.pick(76, 84), small), moment)
    if small or not pen.narrow:
        yield from draw_plot(pen, pen.pick(Box(34, 58, 286, 92), Box(540, 30, 292, 178)), moment)
        yield from draw_cache(pen, pen.pick(Box(228, 218, 100, 108), Box(500, 278, 332, 60)), moment.result)


def draw_answer(pen: Pen, moment: Moment) -> Iterator[Mark]:
    """What the present way costs; at last, how many times more the worse one does."""
    step: Step = moment.result
    if moment.phase == "count":
        number = times(runs_at(moment, landed=True).ratio)
        how = "keys and values are built" if step.worse == BUILT else "the matrices are absorbed"
        words = f"the arithmetic{pen.pick('', f' over {step.context:,} latents')}, if {how}"
    else:
        way = BUILT if moment.phase == BUILT else ABSORBED
        number = work(step, way)
        made = "keys and values built of" if way == BUILT else "matrices absorbed, over"
        words = f"for each new token, {made} {step.context:,} latents"
    widest = [times(Step(new, step.context).ratio) for new in stops(step)] if moment.phase == "count" else ()
    yield from headline(pen, 0, pen.huge, number, words, right=pen.pick(pen.width, 470), widest=widest)


def draw_plot(pen: Pen, box: Box, moment: Moment) -> Iterator[Mark]:
    """Arithmetic for each new token against how many come at once; the knob is on the way that does less."""
    step: Step = moment.result
    x = Axis("new tokens at once", span=(0.7, QUERIES[-1]), log=True)
    y = Axis("GFLOP for each new token", span=(0.3, 400), log=True, ticks=(1, 10, 100))
    plot = Plot(pen, box, x, y)
    yield from plot.axes()

    def at(way: str, queries: int) -> tuple[float, float]:
        one = Step(queries, CONTEXT)
        return plot.at(queries, one.flops(way) / queries / GIGA)

    grown = {way: moment.past(way) for way in (BUILT, ABSORBED)}
    for way, drawn in grown.items():
        if drawn:
            yield pen.path(f"curve-{way}", [at(way, queries) for queries in OCTAVES], MADE[way], drawn=drawn)
    if grown[BUILT] == 1:
        place = at(BUILT, 4)
        yield pen.text("name-built", place[0] + 8, place[1] - 4, "built", "label strong")
    if grown[ABSORBED] == 1:
        yield pen.text("name-absorbed", box.right, at(ABSORBED, 4)[1] - 6, "absorbed", "label strong", anchor="end")
    if moment.phase == "count":
        yield from draw_plain(pen, box, *at("MHA", 6))
        now, ends = runs_at(moment).queries, moment.progress == 1
        (_, high), (left, here) = at(step.worse, now), at(better(moment), now)
        yield pen.circle("worse", left, high, 4, "data", read=f"{step.worse}: {work(step, step.worse)} a token")
        if not ends:
            yield pen.circle("better", left, here, 4, "hot")
            return
        yield pen.line("gap", left, high, left, here, "hot dashed")
        rail = [at(ABSORBED if Step(new, CONTEXT).worse == BUILT else BUILT, new) for new in QUERIES]
        yield pen.knob("queries", left, here, "queries", rail)


def draw_plain(pen: Pen, box: Box, left: float, y: float) -> Iterator[Mark]:
    """The line of a plain cache, with its name in a gap of it: neither over nor under it is there room for a name."""
    words, gap = "MHA, GQA", 5
    right = left + pen.text_width(words)
    yield pen.strokes("curve-mha", [[(box.x, y), (left - gap, y)], [(right + gap, y), (box.right, y)]], "ghost")
    yield pen.text("name-mha", left, y, words, "note", middle=True)


def draw_cache(pen: Pen, box: Box, step: Step) -> Iterator[Mark]:
    """What each step reads of the cache, whichever way is taken; where there is little room, bars lie under names."""
    words = pen.pick("read from memory", f"read from memory for {step.context:,} tokens")
    yield pen.text("cache-title", box.x, box.y - 8, words, "note")
    most = step.read("MHA")
    left = box.x + pen.pick(0, 106)
    for scheme, row in zip(SCHEMES, box.rows(3), strict=True):
        name, read = "GQA, 8 groups" if scheme == "GQA" else scheme, quantity(step.read(scheme), "B")
        middle, bar = row.y + row.height / 2, row.inset(top=3, bottom=3)
        if pen.narrow:
            name, middle, bar = scheme, row.y + 12, row.inset(top=21, bottom=5)
        wide = (row.right - left - pen.pick(0, 62)) * step.read(scheme) / most
        told = f"{scheme}: {read} for {step.context:,} tokens"
        yield pen.text(f"cache-{scheme}-name", row.x, middle, name, "label", middle=True)
        yield pen.rect(f"cache-{scheme}", Box(left, bar.y, max(wide, 1.5), bar.height), "memory", round=1, read=told)
        place, anchor = (row.right, "end") if pen.narrow else (left + wide + 6, "start")
        yield pen.text(f"cache-{scheme}-size", place, middle, read, "value", anchor=anchor, middle=True)
