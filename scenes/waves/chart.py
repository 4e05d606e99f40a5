"""What 132 SMs do over time, and the last tile: it waits until all others are done, and takes a wave of its own."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache

from loom.draw import Box, Mark, count
from loom.scene import Moment

from .model import Launch
from .narration import reached
from .stage import THIN, Stage


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
    done, end = reached(moment, behind=True) >= launch.time, box.x + box.width * launch.time / window
    if shown.rounds > 1 and done:
        words = f"tail: {count(shown.tail, 'tile' if launch.schedule == 'persistent' else 'block')}"
        tail = max(end, box.x + 0.6 * box.width)  # over the tail, but clear of what colours mean
        yield stage.text("tail", min(tail, box.right), box.y - 7, words, "label strong", anchor="end")
    yield from draw_end(stage, launch, min(end, box.right), reached(moment, behind=True))
    if box.width * launch.before.time / window > 110:  # else its place is taken
        yield stage.text("time-name", box.x, box.bottom + stage.size + 4, "time", "note")
    yield from draw_now(stage, moment, window)
    if launch.before != launch and not done:
        yield from draw_last(stage, launch, moment.since("saw"))


def draw_last(stage: Stage, launch: Launch, goes: bool) -> Iterator[Mark]:
    """The tile that opens a wave: it waits over the chart, and then takes its place in it, where it is computed."""
    span = [one for one in launch.spans if one.main][-1]
    place = stage.area(span, stage.window(launch.tiles))
    waits = Box(place.x, stage.chart.y - 8 - THIN, place.width, THIN)
    yield stage.rect("last", place if goes else waits, "hot outline", round=0)
    if not goes:
        words = f"tile {launch.tiles} waits"
        fits = waits.x + stage.text_width(words) < stage.chart.right
        x, anchor = (waits.x, "start") if fits else (waits.right, "end")
        yield stage.text("last-name", x, waits.y - 5, words, "hot", anchor=anchor)


def draw_now(stage: Stage, moment: Moment, window: int) -> Iterator[Mark]:
    """The playhead, and a cover over what has not happened yet: the second run goes on where the first has ended."""
    box, rests = stage.chart, moment.phase == "compare" or (moment.phase == "saw" and moment.progress == 1)
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
    x, marks = stage.chart.x, []
    base = stage.pick(stage.chart.bottom + 2 * stage.size + 12, stage.chart.y - 9)
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
