"""The ladder: a bar for what each rung was expected to do, and a ring where it came out, as time goes by."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import groupby

from loom.draw import Axis, Box, Mark, Pen, headline, number, quantity, significant
from loom.scene import Moment

from .model import SIDE, TERA, Ladder, Speed
from .rungs import RUNGS, UNKNOWN

SPEEDS = Axis("speed", "TFLOP/s", (0.2, 1400), log=True)
TICKS = (1, 10, 100, 1000)
TIMES = (0.1, 0.01, 0.001)  # [s] of one product, above the speeds that they belong to
COLUMNS = {"model": (618, "modelled"), "measured": (692, "measured")}  # right ends of the numbers
CAUSES = 706  # where words begin that tell what held a kernel up


def speed_of(seconds: float) -> float:
    """The speed at which a product takes some seconds [TFLOP/s]."""
    return 2 * SIDE**3 / seconds / TERA


@dataclass(frozen=True)
class Stage(Pen):
    """A pen that knows the places: rows from `top` on, and the scale from `left` to `right`."""

    top: float
    pitch: float
    left: float
    right: float
    rail: float  # where the knob runs, beside the names

    def row(self, place: int) -> Box:
        return Box(self.rail + 16, self.top + place * self.pitch, self.right - self.rail - 16, self.pitch)

    def x(self, speed: float) -> float:
        return self.left + SPEEDS.normalize(speed) * (self.right - self.left)


NARROW = Stage(328, top=58, pitch=18, left=154, right=282, rail=12)
WIDE = Stage(840, top=60, pitch=18, left=196, right=512, rail=14)


def shown(speed: float) -> str:
    """A speed with three digits."""
    return f"{speed:,.0f}" if speed >= 100 else f"{speed:#.3g}"


def draw(moment: Moment, width: float) -> Iterator[Mark]:
    stage = NARROW if width == NARROW.width else WIDE
    ladder: Ladder = moment.result
    racing = moment.phase == "measured" and moment.beat < moment.beats - 1
    passed = ladder.race[: moment.beat] if moment.phase == "measured" else []
    done = passed[:-1] if racing else passed  # the clock is on its way to the last of them
    yield from draw_answer(stage, ladder, ladder.chosen in done, len(done) == len(RUNGS))
    yield from draw_scale(stage, moment.phase == "measured")
    if racing:
        yield from draw_now(stage, passed[-1].takes if passed else 2 * SIDE**3 / TERA / SPEEDS.span[1])
    for place, speed in enumerate(ladder.speeds):
        yield from draw_rung(stage, stage.row(place), speed, speed is ladder.chosen, speed in done)
    yield from draw_limits(stage, ladder)
    rail = [(stage.rail, stage.row(place).y + stage.pitch / 2) for place in range(len(RUNGS))]
    yield stage.line("rail", *rail[0], *rail[-1], "axis thin")
    yield stage.knob("rung", *rail[ladder.speeds.index(ladder.chosen)], "rung", rail, "which kernel")


def draw_answer(stage: Stage, ladder: Ladder, done: bool, all_done: bool) -> Iterator[Mark]:
    """How much of what was expected came of the chosen kernel; beside it how far the ladder leads."""
    one, y = ladder.chosen, stage.huge * 0.85
    words = f"{number(100 * one.ratio, 3)}%" if done else shown(one.predicted)
    rest = stage.pick(("TFLOP/s at most,", "as the model has it"), ("TFLOP/s at most, as the model has it",))
    if done:
        lines = (f"of the {shown(one.predicted)} TFLOP/s expected;", f"held up by: {one.held_by}")
        rest = stage.pick(lines, (" ".join(lines),))
    role = "dropped" if done and one.short else "value"
    yield from headline(stage, 0, y, words, rest, role)
    if not stage.narrow:
        times = f"{ladder.times:,.0f}× from {RUNGS[0].name} to {RUNGS[-1].name}"
        if all_done:
            yield stage.text("times", stage.width - 2, y, times, "label measured", anchor="end")
        for name, (end, manner) in COLUMNS.items():
            yield stage.text(f"head-{name}", end, stage.top - 6, name, f"note {manner}", anchor="end")
        yield stage.text("head-held", CAUSES, stage.top - 6, "held up by", "note measured")


def draw_scale(stage: Stage, timed: bool) -> Iterator[Mark]:
    """Tenfold steps of speed below, and of the time of one product above."""
    bottom = stage.row(len(RUNGS)).y
    for tick in TICKS:
        x = stage.x(tick)
        yield stage.line(f"tick-{tick}", x, stage.top, x, bottom + 3, "grid")
        yield stage.text(f"tick-{tick}-words", x, bottom + 5 + stage.size, significant(tick), "note", anchor="middle")
    yield stage.text("unit", stage.left - 6, bottom + 5 + stage.size, "TFLOP/s", "note", anchor="end")
    if timed:
        for seconds in stage.pick(TIMES[::2], TIMES):
            x, words = stage.x(speed_of(seconds)), quantity(seconds, "s")
            yield stage.line(f"time-{words}", x, stage.top - 4, x, stage.top, "axis measured")
            yield stage.text(f"time-{words}-words", x, stage.top - 6, words, "note measured", anchor="middle")
        yield stage.text("time", stage.left - 6, stage.top - 6, "one product takes", "note measured", anchor="end")


def draw_limits(stage: Stage, ladder: Ladder) -> Iterator[Mark]:
    """Behind the bars, what each of them ends at: once for neighbours that end at the same."""
    if stage.narrow:
        yield stage.text("head-limit", stage.width, stage.top - 6, "limit", "note modelled", anchor="end")
    for limit, found in groupby(enumerate(ladder.speeds), lambda one: one[1].rung.limit):
        group = list(found)
        top, foot = (stage.row(place).y + stage.pitch / 2 for place in (group[0][0], group[-1][0]))
        x = max(stage.x(max(one.predicted, one.measured)) for _, one in group) + stage.pick(7, 9)
        key = f"limit-{group[0][1].rung.id}"
        if len(group) > 1:
            corners = [(x - 3, top - 5), (x, top - 5), (x, foot + 5), (x - 3, foot + 5)]
            yield stage.path(key, corners, "axis thin modelled")
        words = stage.pick(limit.removesuffix(" peak").removesuffix(" memory"), limit)
        yield stage.text(f"{key}-words", x + 4, (top + foot) / 2, words, "label modelled halo", middle=True)


def draw_now(stage: Stage, seconds: float) -> Iterator[Mark]:
    """The clock: all kernels began at once, and those are done whose ring it has passed."""
    x, bottom = stage.x(speed_of(seconds)), stage.row(len(RUNGS)).y
    yield stage.line("now", x, stage.top, x, bottom, "hot steady")


def draw_rung(stage: Stage, row: Box, one: Speed, chosen: bool, measured: bool) -> Iterator[Mark]:
    """A rung: its name, a bar as long as it was expected to be fast, and a ring where it came out."""
    name, y, end = one.rung.id, row.y + row.height / 2, stage.x(one.predicted)
    told = f"{one.rung.name}: expected {shown(one.predicted)}, measured {shown(one.measured)} TFLOP/s, "
    told += f"{quantity(one.takes, 's')} for a product"
    bar = Box(stage.left, row.y + 4, end - stage.left, row.height - 8)
    yield stage.text(f"name-{name}", row.x, y, one.rung.name, "hot strong" if chosen else "label", middle=True)
    yield stage.rect(f"model-{name}", bar, "data soft modelled", round=1)
    if measured:
        x = stage.x(one.measured)
        role = "dropped measured" if one.ratio < 1 else "work measured"
        yield stage.line(f"gap-{name}", end, y, x, y, role)
        yield stage.circle(f"ring-{name}", x, y, stage.pick(4, 4.5), "axis measured", read=told)
    if not stage.narrow:
        cells = {"model": shown(one.predicted)}
        if measured:
            cells["measured"] = shown(one.measured)
            role = "note" if one.held_by == UNKNOWN else "dropped" if one.short else "kept"
            yield stage.text(f"held-{name}", CAUSES, y, one.held_by, f"{role} measured", middle=True)
        for head, words in cells.items():
            end, manner = COLUMNS[head]
            tone = " strong" if head == "measured" else ""
            yield stage.text(f"{head}-{name}-words", end, y, words, f"value{tone} {manner}", anchor="end", middle=True)
