"""A stream of requests, a row for each: its wait, its prompt, its tokens and its stalls; and TTFT and TPOT of each."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

from loom.draw import Box, Mark, memoized, quantity

from .engine import Visit, served
from .model import ALONE, BUDGETS, CHUNKS, DECODE, PROMPTS, Stall
from .stage import Stage

MS = 1e3
WINDOW = {prompt: 1.02 * max(one.times[-1] for how, budget in ((ALONE, BUDGETS[0]), (CHUNKS, 512))
                             for one in served(how, prompt, budget)) for prompt in PROMPTS}  # fmt: skip
APART = 2.5  # times: a gap that is so much longer than the longest in chunks has room for words
STALL = 2 * DECODE  # s: a longer gap is drawn as a stall


@memoized
def draw_stream(stage: Stage, case: Stall) -> Iterator[Mark]:
    """A row for each request."""
    visits, whole = served(case.how, case.prompt, case.budget), WINDOW[case.prompt]
    waits, prompts = [], []
    yield stage.rect("stream", stage.stream, "cell soft", round=0)
    for at, one in enumerate(visits):
        row = stage.row(at)
        yield stage.rect(f"row-{at}", stretch(stage, row, one.times[0], one.times[-1], whole), "work", round=0,
                         read=told(one))  # fmt: skip
        waits.append(stretch(stage, row, one.arrival, one.begun, whole))
        prompts.append(stretch(stage, row, one.begun, one.times[0], whole))
    yield stage.strokes("stalls", (box.corners[:4] for box in bands(stage, visits, whole)), "dropped solid")
    yield stage.strokes("prompts", (box.corners[:4] for box in prompts if box.width), "memory solid")
    yield stage.strokes("waits", (box.corners[:4] for box in waits if box.width), "dropped solid soft")
    base = stage.stream.bottom + stage.size + 3
    yield stage.text("stream-end", stage.stream.right, base, quantity(whole, "s", 2), "note", anchor="end")
    yield stage.text("stream-time", stage.stream.x, base, "time", "note")
    yield stage.text("stream-words", stage.stream.x, stage.stream.y - 7, f"{len(visits)} requests", "note")


def bands(stage: Stage, visits: tuple[Visit, ...], whole: float) -> Iterator[Box]:
    """The stalls, each up to just before its token; one box for those that neighbours have at the same time."""
    going: dict[tuple[float, float], Box] = {}
    for at, one in enumerate(visits):
        row = stage.row(at)
        times = [pair for pair in pairwise(one.times) if pair[1] - pair[0] > STALL]
        boxes = [stretch(stage, row, before, after, whole).inset(right=1) for before, after in times]
        spans = {(box.x, box.width): box for box in boxes if box.width > 0}
        yield from (box for span, box in going.items() if span not in spans)
        going = {span: Box(box.x, (top := going.get(span, box)).y, box.width, box.bottom - top.y)
                 for span, box in spans.items()}  # fmt: skip
    yield from going.values()


def stretch(stage: Stage, row: Box, start: float, end: float, whole: float) -> Box:
    """A time on a row; what is narrower than half a unit is not there."""
    left, right = (round(2 * stage.over(time, whole)) / 2 for time in (start, end))
    return Box(left, row.y, right - left, row.height)


def told(one: Visit) -> str:
    """What can be said of a request."""
    first, mean, gap = (quantity(time, "s", 2) for time in (one.first, one.mean, max(one.gaps)))
    return f"{one.prompt:,} tokens: TTFT {first}, TPOT {mean}, longest gap {gap}"


@memoized
def draw_each(stage: Stage, case: Stall, done: bool) -> Iterator[Mark]:
    """TTFT to the right, and up TPOT as a square, with a line from it to the longest gap."""
    plot = stage.scatter(case.prompt)
    yield from plot.axes()
    if not done:
        return
    visits = served(case.how, case.prompt, case.budget)
    rises = [[plot.at(one.first * MS, one.mean * MS), plot.at(one.first * MS, max(one.gaps) * MS)] for one in visits]
    yield stage.strokes("rises", rises, "dropped thin")
    tops = [Box(x - 4, y - 1, 8, 2) for _, (x, y) in rises]
    yield stage.strokes("tops", (box.corners[:4] for box in tops), "dropped solid")
    dots = [Box(x - 3, y - 3, 6, 6) for (x, y), _ in rises]
    yield stage.strokes("dots", (box.corners[:4] for box in dots), "work solid")
    if case.how == CHUNKS:
        yield from draw_uncut(stage, case, max(max(one.gaps) for one in visits))
    x, y = max(rises)[0]
    beside = min(x + 10, stage.width - stage.text_width("TPOT", strong=True))
    yield stage.text("dots-words", beside, y + 5, "TPOT", "work strong")
    top, x = min((top, -x) for _, (x, top) in rises)
    right = max(4 - x, plot.box.x + stage.text_width("longest gap", strong=True))
    high = min(top - 6, y + 5 - 1.2 * stage.size)
    yield stage.text("tops-words", right, high, "longest gap", "dropped strong", anchor="end")


def draw_uncut(stage: Stage, case: Stall, longest: float) -> Iterator[Mark]:
    """The longest gaps of the same requests with prompts by themselves, where they are much longer [s]."""
    visits, plot = served(ALONE, case.prompt, BUDGETS[0]), stage.scatter(case.prompt)
    places = [plot.at(one.first * MS, max(one.gaps) * MS) for one in visits if max(one.gaps) > APART * longest]
    if places:
        yield stage.strokes("uncut-each", [[(x - 4, y), (x + 4, y)] for x, y in places], "axis")
        y = min(y for _, y in places)
        yield stage.text("uncut-name", max(x for x, _ in places) + 8, y, "by itself", "note", middle=True)
