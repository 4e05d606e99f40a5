"""How far the read has come, and how many passes it takes in every layout. Length is passes."""

from __future__ import annotations

from collections.abc import Iterator

from loom.draw import Box, Mark, Pen, count
from loom.scene import Moment

from .model import BANKS, LANES, LAYOUTS, Request, footprint, load_latency


def draw_passes(pen: Pen, memory_top: float, moment: Moment, read: Request) -> Iterator[Mark]:
    others = moment.phase == "others"
    made = f"{read.passes if others else moment.at} of {read.passes}"
    box = pen.pick(Box(0, 330, 328, 130), Box(606, 0, 234, 414))
    if pen.narrow:
        yield pen.text("title", box.x, box.y, "passes that this read takes", "label")
        yield pen.text("pass", box.right, box.y, f"pass {made}", "value strong", anchor="end")
        tall, first = 29.0, box.y + 9
    else:
        handed = read.handed if others else read.handed_by(moment.at)
        counts = (("pass", "pass", made), ("bytes", "bytes handed over", f"{handed} of {read.handed}"))
        for column, (key, name, words) in zip(box.columns(2), counts, strict=True):
            yield pen.text(f"{key}-name", column.x, pen.size, name, "note")
            yield pen.text(key, column.x, pen.size + 26, words, "value strong", size=pen.large)
        base = memory_top + pen.size * 0.3
        yield pen.text("title", box.x, base, "passes that this read takes", "label")
        yield pen.text("memory-title", box.right, base, "memory", "note", anchor="end")
        tall, first = 52.0, memory_top + 14
    for place, layout in enumerate(LAYOUTS):
        yield from draw_layout(pen, Box(box.x, first + place * tall, box.width, tall), moment, layout)
    low = first + len(LAYOUTS) * tall + pen.pick(1, 2) * pen.size
    for index, words in enumerate(foot_lines(moment.result.request, pen.narrow)):
        yield pen.text(f"foot-{index}", box.x, low + index * 1.35 * pen.size, words, "note")


def draw_layout(pen: Pen, row: Box, moment: Moment, layout: str) -> Iterator[Mark]:
    """One layout: its name, its passes, its memory, and a bar that fills with the passes made."""
    result, base = moment.result, row.y + pen.size
    best = moment.phase == "others" and layout == result.best
    role = "hot strong" if layout == result.layout else "kept strong" if best else "label"
    read = result.rivals.get(layout)
    words = f"{layout}: {count(read.passes, 'pass', 'passes')}" if read else f"{layout}: rows are not aligned"
    yield pen.text(f"{layout}-name", row.x, base, words, role)
    if read:
        words = f"{footprint(layout):,} words" + pen.pick(" of memory", "")
        yield pen.text(f"{layout}-words", row.right, base, words, "note", anchor="end")
    track = Box(row.x, base + 5, row.width, pen.pick(9, 14))
    yield pen.rect(f"{layout}-track", track, "cell soft", set={"layout": layout}, label=f"Store the tile {layout}")
    unit = track.width / BANKS
    for key, start, end, role in bar_parts(moment, layout):
        inner = Box(track.x + start * unit, track.y, (end - start) * unit, track.height)
        yield pen.rect(f"{layout}-{key}", inner, role, round=1)


def bar_parts(moment: Moment, layout: str) -> list[tuple[str, int, int, str]]:
    """A layout's bar: all its passes, over them those made, and the one now. Every part is always there, if empty."""
    result, others = moment.result, moment.phase == "others"
    passes = result.rivals[layout].passes if layout in result.rivals else 0
    fewest = result.rivals[result.best].passes
    made, now, rest = 0, 0, "quiet"
    if layout != result.layout:
        made = passes if others and layout == result.best else 0
    elif others:
        made, rest = fewest, "dropped"
    elif moment.since("queue"):
        now = max(moment.at, 1)
        made, rest = now - 1, "dropped" if result.request.degree > 1 else "quiet"
    return [("all", 0, passes, rest), ("made", 0, made, "kept"), ("now", made, max(made, now), "hot")]


def foot_lines(read: Request, narrow: bool) -> list[str]:
    """Two short lines under the layouts: the time of one load, or the groups that wide accesses are served in."""
    if read.groups > 1:
        return [
            f"{read.groups} groups of {LANES // read.groups} lanes, one by one:",
            f"{read.groups} × d = {read.groups} × {read.degree} = {read.passes} passes",
        ]
    first = f"one load alone on an A100: {load_latency(read.degree)} cycles,"
    second = f"{load_latency(1)}, plus {load_latency(2) - load_latency(1)} for each further pass"
    return [first, f"{second}, measured up to 8"] if narrow else [first, second, "(measured up to 8 passes)"]
