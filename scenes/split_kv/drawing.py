"""The picture of split keys: SMs over time, unsplit and split, the time for every number of parts, and the merge."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache

from loom.draw import Axis, Box, Mark, Pen, Plot, first_clear, fixed, headline, memoized, times
from loom.scene import Moment

from .._silicon.drawing import rings
from .measured import PART, dots
from .merging import draw_merge
from .model import BANDWIDTH, QUERY_HEADS, SMS, Case
from .narration import SPLITS, clock, landed, micro, spread, told, tried
from .pieces import CUT, SHARED, SPREAD, draw_pieces, rate_words

MICRO = 1e6


def draw(moment: Moment, width: float) -> Iterator[Mark]:
    pen = Pen(width)
    answer, lanes, curve, merging = pen.pick(
        (Box(0, 0, 328, 40), Box(24, 58, 302, 92), Box(36, 192, 284, 58), Box(16, 291, 186, 40)),
        (Box(0, 0, 400, 50), Box(40, 84, 360, 198), Box(490, 26, 336, 112), Box(490, 208, 220, 90)),
    )
    if moment.past("alone") >= 1:
        yield from draw_answer(pen, answer, moment.result, run_by(moment))
    yield from draw_lanes(pen, lanes, moment)
    yield from draw_curve(pen, curve, moment.result, tried(moment), moment.progress == 1)
    yield from draw_merge(pen, merging, moment)


def run_by(moment: Moment) -> str:
    """The chapter whose run is over: the picture's number is of that one. One part is no split."""
    if moment.result.splits == 1:
        return "alone"
    if moment.phase == "pays" or moment.past("merge") >= 1:
        return "merge"
    return "split" if moment.past("split") >= 1 else "alone"


@memoized
def draw_answer(pen: Pen, box: Box, case: Case, run: str) -> Iterator[Mark]:
    """The time of the run that is over; once parts are merged, how many times as fast the split is."""
    before, role = micro(case.unsplit.total), "value"
    if run == "merge":
        answer, role = factor(case.times_faster), "value" if case.times_faster >= 1 else "dropped"
        words = f"as fast as one block for each head: {micro(case.total)} instead of {before} for a layer"
    elif run == "split":
        answer, words = micro(case.reading), "until all is read, and not merged yet"
    else:
        answer, words = before, "for a layer, with one block for each head"
    yield from headline(pen, box.x, box.y + pen.huge, answer, words, role, right=box.right)


def factor(faster: float) -> str:
    """How many times as fast, with as many digits as tell it from 1."""
    if faster == 1 or abs(faster - 1) >= 0.1:
        return times(round(faster, 1))
    return f"{fixed(faster, 3 if round(faster, 2) == 1 else 2)}×"


def draw_lanes(pen: Pen, box: Box, moment: Moment) -> Iterator[Mark]:
    """All SMs from top to bottom, time from left to right: what is coloured has work."""
    case: Case = moment.result
    longest = max(case.unsplit.total, case.total)
    unit, lane, now = box.width / longest, box.height / SMS, clock(moment)
    yield pen.rect("lanes", box, "cell soft", round=0)
    yield pen.text("lanes-title", box.x, box.y - 7, f"{SMS} SMs", "label strong")
    yield pen.text("clock", box.right, box.y - 7, clock_words(moment), "hot strong", anchor="end")
    end = f"{micro(longest)}"
    yield pen.text("time-start", box.x, box.bottom + pen.size + 4, "0", "note")
    yield pen.text("time-end", box.right, box.bottom + pen.size + 4, end, "note", anchor="end")
    strip = Box(box.x, box.y, case.unsplit.total * unit, case.alone * lane)
    if moment.phase == "alone":
        yield pen.rect("alone", strip._replace(width=now * unit), "work steady", round=0,
                       read=f"{case.alone} blocks on {case.alone} SMs")  # fmt: skip
        idle = box.bottom - strip.bottom
        if idle > 2 * pen.size:
            words = f"{SMS - case.alone} SMs wait"
            y = strip.bottom + idle / 2
            yield pen.text("idle", box.x + box.width / 2, y, words, "dropped strong", anchor="middle", middle=True)
    else:
        yield pen.rect("unsplit", strip, "ghost", round=0)
        yield from draw_run(pen, box, moment, unit)
        yield unsplit_words(pen, box, strip, case, case.total * unit)
    x = box.x + now * unit
    yield pen.line("now", x, box.y - 3, x, box.bottom + 3, "hot steady")


def unsplit_words(pen: Pen, box: Box, strip: Box, case: Case, reach: float) -> Mark:
    """The name of the run without a split: under its outline, or with its time under the SMs, if blocks are there."""
    words, y = "without a split", strip.bottom + pen.size + 3
    right = box.right - 4
    if y < box.bottom - 5 and box.x + reach < right - pen.text_width(words):
        return pen.text("unsplit-words", right, y, words, "note", anchor="end")
    words, y = f"{words}: {micro(case.unsplit.total)}", box.bottom + pen.size + 4
    return pen.text("unsplit-words", box.x + box.width / 2, y, words, "note", anchor="middle")


def clock_words(moment: Moment) -> str:
    """What the line says where it has come to: how long it took, or would take if memory kept up."""
    case: Case = moment.result
    how = SHARED if moment.phase == "alone" else landed(moment)
    if how == CUT:
        return f"cut into {case.splits} parts"
    return f"{micro(told(moment))} if HBM kept up" if how == SPREAD else f"after {micro(told(moment))}"


def draw_run(pen: Pen, box: Box, moment: Moment, unit: float) -> Iterator[Mark]:
    """The blocks of a split run, what their SMs get of the memory, and the merge."""
    case: Case = moment.result
    how, now, lane = spread(moment), clock(moment), box.height / SMS
    yield from draw_pieces(pen, box, case, unit, how)
    merging, right = moment.phase != "split", box.x + now * unit
    if merging and now > case.reading and case.merging:
        tall, start = min(SMS, QUERY_HEADS * case.sequences) * lane, box.x + case.reading * unit
        yield pen.rect("merging", Box(start, box.y, right - start, tall), "memory steady", round=0,
                       read=f"merging: {micro(case.merging)}")  # fmt: skip
        words = f"merge {micro(case.merging)}"
        if told(moment) >= case.total and right + 10 + pen.text_width(words, strong=True) < box.right:
            yield pen.text("merging-words", right + 10, words_line(pen, box, case), words, "memory strong")
    if how == SHARED:
        x, words = box.x + case.total * unit + 10, rate_words(case)
        y = words_line(pen, box, case) + 2 * pen.size
        if x + pen.text_width(words) < box.right and y + 1.3 * pen.size < box.bottom - 2:
            for at, line in enumerate(words):
                yield pen.text(f"rate-{at}", x, y + at * 1.3 * pen.size, line)


def words_line(pen: Pen, box: Box, case: Case) -> float:
    """Where the merge has its name: under that of the run without a split."""
    return box.y + case.alone * box.height / SMS + 2.4 * pen.size + 8


@cache
def totals(sequences: int, keys: int) -> tuple[float, ...]:
    """The time of a layer for each number of parts [µs]."""
    return tuple(Case(splits, sequences, keys).total * MICRO for splits in SPLITS)


def span(least: float, most: float) -> tuple[float, float]:
    """The ends of the axis of times: wide enough for a curve that hardly rises to look like one."""
    return 0.7 * least, max(1.6 * most, 3 * least)


def round_ticks(low: float, high: float) -> tuple[float, ...]:
    """The round numbers on an axis of times."""
    rounds = (step * 10.0**power for power in range(6) for step in (1, 2, 5))
    return tuple(number for number in rounds if low <= number <= high)


def draw_floor(plot: Plot, least: float) -> Iterator[Mark]:
    """The time that reading takes, below which no curve can go; its name has room in the title's line."""
    pen, box, words = plot.pen, plot.box, "HBM’s own time"
    _, y = plot.at(SPLITS[-1], least)
    yield pen.line("floor", box.x, y, box.right, y, "memory dashed", read=f"{words}: {micro(least / MICRO)}")
    x, y = box.x + pen.text_width(plot.y.title) + 12, box.y - 0.75 * pen.size
    yield pen.text("floor-name", x, y, f"dashed: {words}", "memory")


@memoized
def draw_curve(pen: Pen, box: Box, case: Case, tries: int | None, chosen: bool) -> Iterator[Mark]:
    """The time for every number of parts, with a knob; what memory allows; at last a dot on its way to what
    FlashAttention-3 would choose.
    """
    found = totals(case.sequences, case.keys)
    least = case.bytes / BANDWIDTH * MICRO
    seen = dots(case, SPLITS[-1])
    low, high = span(least, max(*found, *(dot.greatest for dot in seen)))
    parts = Axis("parts", span=(0, SPLITS[-1]), ticks=(1, 8, 16, 24, 32))
    time = Axis("time of a layer", "µs", (low, high), log=True, ticks=round_ticks(low, high))
    plot = Plot(pen, box, parts, time, "curve")
    yield from plot.axes()
    yield from draw_floor(plot, least)
    curve = plot.curve("times", SPLITS, found, role="data modelled")
    yield curve
    yield from rings(pen, plot, "measured", seen)
    if seen:
        yield pen.text("measured-words", box.right, box.y + pen.size, f"○ measured on an {PART}", "note measured",
                       anchor="end")  # fmt: skip
    rail = plot.places(SPLITS, found)
    knob = pen.knob("splits", *rail[case.splits - 1], "splits", rail, "parts of each cache")
    if tries:
        read = f"FlashAttention-3: {case.chosen}" if chosen else ""
        yield pen.circle("chosen", *rail[tries - 1], pen.pick(3.5, 4.5), "data steady", read=read)
    if tries and chosen:
        x, y = rail[case.chosen - 1]
        words, anchors = f"FlashAttention-3: {case.chosen}", ("middle", "start")[case.chosen < 8 :]
        over, under = (-18, -28, -38), (26, 36, 46)
        bases = [y + shift for shift in ((*over, *under) if y > box.y + box.height / 2 else (*under, *over))]
        yield first_clear(
            [pen.text("chosen-words", x, base, words, "note", anchor=anchor)
             for anchor in anchors for base in bases if base < box.bottom - 4], [curve, knob]
        )  # fmt: skip
    yield knob
