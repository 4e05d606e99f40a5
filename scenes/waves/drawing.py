"""The picture: what 132 SMs do over time, the saw over all numbers of tiles, and the schedules side by side."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache

from loom.draw import Box, Mark, count, headline, memoized, times
from loom.scene import Moment

from .._silicon.drawing import rings
from .measured import PART, dots
from .model import SCHEDULES, Launch, launches, teeth
from .narration import fastest, percent, reached
from .stage import NARROW, WIDE, Stage


def draw(moment: Moment, width: float) -> Iterator[Mark]:
    stage, launch = NARROW if width == NARROW.width else WIDE, moment.result
    yield from draw_answer(stage, moment)
    yield from draw_saw(stage, launch)
    if launch.schedule == "tile" and moment.past("saw") == 1:
        yield from measured(stage)
    yield from legend(stage)
    if not stage.narrow or moment.phase != "compare":
        yield from draw_chart(stage, moment)
    if not stage.narrow or moment.phase == "compare":
        yield from draw_schedules(stage, launch, moment.phase == "compare")
    yield stage.knob("tiles", *stage.plot.at(launch.tiles, launch.busy), "tiles", rail(stage, launch.schedule))


@cache
def rail(stage: Stage, schedule: str) -> tuple[tuple[float, float], ...]:
    return tuple(stage.rail(schedule))


def draw_answer(stage: Stage, moment: Moment) -> Iterator[Mark]:
    """How many times as long it takes for the last tile; before that has run, how long all but that one took."""
    launch, (x, y), behind = moment.result, stage.answer, reached(moment, behind=True)
    first, tiles = launch.before, count(launch.before.tiles, "tile")
    words, lines = f"{behind:.0f}", ("units so far", "")
    if behind >= first.time:
        words, lines = f"{first.time}", (f"units, for {tiles}", busy(first))
    if moment.since("saw") and behind >= launch.time and launch.tiles > 1:
        less = launch.less
        units = f"{launch.time} units" + (f", not {less.time}" if less.time != launch.time else "")
        words = times(round(launch.time / less.time, 2))
        lines = (f"as long as {count(less.tiles, 'tile')}: {units}", busy(launch))
    yield from headline(stage, x, y, words, lines, widest=["144"], rest="note")


def busy(launch: Launch) -> str:
    """What is made of the time."""
    waves = "one go" if launch.schedule == "stream" else count(launch.rounds, "wave")
    return f"{waves}, tensor cores are busy {percent(launch.busy)} of the time"


@cache
def axes(stage: Stage) -> list[Mark]:
    """The same for all launches."""
    marks = list(stage.plot.axes())
    if not stage.narrow:
        for side, x in stage.sides.items():
            marks.append(stage.line(f"side-{side}", x, stage.saw.y - 11, x, stage.saw.y, "axis"))
            marks.append(stage.text(f"side-{side}-name", x, stage.saw.y - 15, f"{side:,}²", "note", anchor="middle"))
    title = stage.pick(51.0, 16.0)  # clear of the knob at its highest, and of the squares
    return [mark._replace(shape={**mark.shape, "y": title}) if mark.key == "saw-y-title" else mark for mark in marks]


@cache
def curve(stage: Stage, schedule: str) -> Mark:
    if schedule == "tile":
        return stage.plot.curve("saw", *teeth("tile"), "work modelled")
    return stage.plot.curve("saw-other", *teeth(schedule), "work")


def draw_saw(stage: Stage, launch: Launch) -> Iterator[Mark]:
    """Busy time over the number of tiles; behind another schedule's, that of one block for each tile."""
    yield from axes(stage)
    if launch.schedule != "tile":
        yield stage.plot.curve("saw-plain", *teeth("tile"), "ghost")
    yield curve(stage, launch.schedule)


@memoized
def measured(stage: Stage) -> Iterator[Mark]:
    """The same share of the times that were measured."""
    seen, box = dots(), stage.saw
    yield from rings(stage, stage.plot, "measured", seen, stage.pick(2, 3))
    if seen:
        yield stage.text("measured-words", box.right, box.bottom - 5, f"○ measured on an {PART}", "note measured",
                         anchor="end")  # fmt: skip


def draw_chart(stage: Stage, moment: Moment) -> Iterator[Mark]:
    """SMs from top to bottom, time from left to right."""
    launch, box = moment.result, stage.chart
    window, shown = stage.window(launch.tiles), launch if moment.since("saw") else launch.before
    yield stage.outlines("room", [box], "grid")
    for at, span in enumerate(shown.spans):
        sms = f"SM {span.first}" if span.last - span.first == 1 else f"SMs {span.first} to {span.last - 1}"
        told = f"{sms}: {'mainloop' if span.main else 'epilogue'}"
        key = "span" if span == launch.spans[at] else "before"
        role = "work" if span.main else "quiet"
        yield stage.rect(f"{key}-{at}", stage.area(span, window), role, round=0, read=told)
    areas = [stage.area(span, window) for span in shown.idle]
    yield stage.hatches("idle" if shown is launch else "idle-before", areas, "dropped thin", stage.pick(7, 9))
    yield stage.text("sm-first", box.x - 6, box.y + stage.size, "SM 0", "note", anchor="end")
    yield stage.text("sm-last", box.x - 6, box.bottom, "131", "note", anchor="end")
    if shown.rounds > 1:
        words = f"tail: {count(shown.tail, 'tile' if launch.schedule == 'persistent' else 'block')}"
        yield stage.text("tail", box.right, box.y - 7, words, "label strong", anchor="end")
    end = box.x + box.width * launch.time / window
    yield from draw_end(stage, launch, min(end, box.right), reached(moment, behind=True))
    yield stage.text("time-name", box.x, box.bottom + stage.size + 4, "time", "note")
    yield from draw_now(stage, moment, window)


def draw_now(stage: Stage, moment: Moment, window: int) -> Iterator[Mark]:
    """The playhead, and a cover over what has not happened yet: the second run goes on where the first has ended."""
    box, rests = stage.chart, moment.phase != "run" and moment.progress == 1
    if rests:
        return
    now = box.x + box.width * reached(moment) / window
    yield stage.rect("future", Box(now, box.y - 1, box.right + 1 - now, box.height + 2), "cell steady", round=0)
    yield stage.line("now", now, box.y - 4, now, box.bottom + 3, "hot steady")


def draw_end(stage: Stage, launch: Launch, end: float, now: float) -> Iterator[Mark]:
    """When the last SM is done, and when it would be with one tile less, if that is sooner; both once it has come."""
    box, fewer = stage.chart, launch.before
    base, words = box.bottom + stage.size + 4, f"{launch.time}"
    if fewer != launch and fewer.time <= now:
        x = box.x + (end - box.x) * fewer.time / launch.time
        less, more = (f"{count(one.tiles, 'tile')}: {one.time}" for one in (fewer, launch))
        words = more if end - x > stage.text_width(more) + 8 else words
        yield stage.line("less", x, box.y - 4, x, box.bottom + 5, "ghost")
        yield stage.text("less-time", min(x, end - stage.text_width(words) - 8), base, less, anchor="end")
    if launch.time <= now:
        yield stage.text("time", end, base, words, "label strong", anchor="end")


@cache
def legend(stage: Stage) -> list[Mark]:
    """What is drawn how."""
    x, base, marks = stage.chart.x, stage.chart.y - 7, []
    for key, role, words in (("main", "work", "mainloop"), ("after", "quiet", "epilogue"), ("idle", "", "idle")):
        swatch = Box(x, base - 9, 14, 9)
        marks.append(
            stage.rect(f"key-{key}", swatch, role, round=0)
            if role
            else stage.hatch("key-idle", swatch, "dropped thin", 5)
        )
        marks.append(stage.text(f"key-{key}-name", x + 19, base, words))
        x += 19 + stage.text_width(words) + 14
    return marks


def draw_schedules(stage: Stage, launch: Launch, compared: bool) -> Iterator[Mark]:
    """A bar for the time of each schedule, to press; compared, it shows what that time is spent on."""
    window = stage.window(launch.tiles)
    left = stage.bars.x + stage.text_width(tuple(SCHEDULES.values()), strong=True) + 8
    unit = (stage.bars.right - stage.text_width("000", strong=True) - 10 - left) / window
    useful, idle = [], []
    for name, one in launches(launch.tiles).items():
        row = stage.rows[tuple(SCHEDULES).index(name)]
        y, chosen = row.y + row.height / 2, name == launch.schedule
        bar = Box(left, row.y + 2, unit * one.time, row.height - 4)
        role = "label strong" if chosen else "label"
        yield stage.text(f"name-{name}", stage.bars.x, y, SCHEDULES[name], role, middle=True)
        role = "pad" if compared else "work" if chosen else "quiet"
        yield stage.rect(f"bar-{name}", bar, role, round=1,
                         set={"schedule": name}, label=f"Use {SCHEDULES[name]}")  # fmt: skip
        if compared:
            main, after, nothing = (unit * part for part in one.parts_of_time)
            yield stage.rect(f"after-{name}", bar._replace(x=left + main, width=after), "quiet", round=0)
            useful.append(bar._replace(width=main).corners)
            idle.append(bar.inset(left=bar.width - nothing))
        first = compared and name == fastest(launch.tiles).schedule
        role, size = "value strong" if chosen or first else "value", stage.large if first else stage.size
        yield stage.text(f"took-{name}", bar.right + 6, y, f"{one.time}", role, middle=True, size=size)
    if compared:
        yield stage.strokes("useful", useful, "work solid")
        yield stage.hatches("unused", idle, "dropped thin", 12)
