"""The picture of a pipeline: lanes under a playhead, what each GPU holds, and where the gaps of one of them go."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from math import ceil

from loom.draw import Box, Mark, number, percent
from loom.scene import Moment

from .blocks import KINDS, blocks
from .curve import curve_drawn
from .model import CHUNKS, Pipeline
from .narration import again, clock, count_of
from .stage import Stage

COUNTED = 4  # GPUs whose bars are counted as they grow


def draw(moment: Moment, width: float) -> Iterator[Mark]:
    stage, now = Stage(width, moment.result), clock(moment)
    yield from schedule_drawn(moment.result, width)
    yield from draw_held(stage, moment, now)
    yield from draw_now(stage, moment, now)
    yield from draw_sum(stage, moment)
    yield from draw_answer(stage, now)
    yield from curve_drawn(moment.result, width)


@cache
def schedule_drawn(case: Pipeline, width: float) -> tuple[Mark, ...]:
    """What stays while time goes on."""
    stage = Stage(width, case)
    return (*draw_legend(stage), *draw_lanes(stage), *blocks(case, width), *draw_route(stage))


def draw_legend(stage: Stage) -> Iterator[Mark]:
    """What the colours stand for, with the time that each kind of work takes."""
    pen, case = stage.pen, stage.case
    x, base = stage.chart.x, pen.pick(52, 14)
    part = 1 / CHUNKS if case.schedule == "interleaved" else 1
    split = case.schedule == "zb-h1"
    words = {"F": f"forward {fraction(part)}", "B": f"backward {fraction(part if split else 2 * part)}"}
    words |= {"W": "weights 1"} if split or case.schedule == "dualpipe" else {}
    second = x + 14 + pen.text_width(words["F"]) + pen.pick(10, 18)  # where its second entry stands
    for kind, text in words.items():
        yield pen.rect(f"legend-{kind}", Box(x, base - 9, 10, 10), KINDS[kind], round=1)
        yield pen.text(f"legend-{kind}-words", x + 14, base, text)
        x += 14 + pen.text_width(text) + pen.pick(10, 18)
    yield pen.hatch("legend-idle", Box(x, base - 9, 10, 10), "dropped thin", 4)
    yield pen.text("legend-idle-words", x + 14, base, "idle")
    x += 14 + pen.text_width("idle") + pen.pick(10, 18)
    if x + 18 + pen.text_width("microbatch 1") >= pen.pick(pen.width, stage.holds):
        x, base = second, stage.chart.y - 8  # a phone has room left between the names of the columns
    yield pen.line("legend-route", x, base - 4, x + 14, base - 4, "data")
    yield pen.text("legend-route-words", x + 18, base, "microbatch 1")


def fraction(length: float) -> str:
    return "½" if length == 0.5 else number(length)


def draw_lanes(stage: Stage) -> Iterator[Mark]:
    """A floor for each GPU, and hatching that shows where no work lies on it."""
    pen, case = stage.pen, stage.case
    rows = [stage.row(device) for device in range(case.stages)]
    for device, row in enumerate(rows):
        if stage.named(device):
            yield pen.text(f"name-{device}", row.x - 6, row.y + row.height / 2, f"{device + 1}", "label", anchor="end",
                           middle=True)  # fmt: skip
    yield pen.text("names", 0, stage.chart.y - 8, "GPU", "note")
    yield pen.rect("whole", stage.lanes, "cell soft", round=0)
    yield pen.hatch("idle", stage.lanes, "dropped thin", pen.pick(8, 10))
    floors = [row.bottom + stage.pitch % 3 / 2 for row in rows]
    yield pen.strokes("between", ([(stage.lanes.x, y), (stage.lanes.right, y)] for y in floors), "axis thin")


def draw_route(stage: Stage) -> Iterator[Mark]:
    """The way of the first microbatch through all stages, and back: in the dark ink is as light as work is."""
    found = [
        (slot.start, device, slot.end)
        for device, slots in enumerate(stage.case.slots)
        for slot in slots
        for task in slot.turn
        if (task.route, task.microbatch) == (0, 0) and task.kind != "W"
    ]
    rows = {device: stage.row(device) for _, device, _ in found}
    points = [
        (round(stage.x((start + end) / 2)), rows[device].y + rows[device].height / 2)
        for start, device, end in sorted(found)
    ]
    for key, role in (("route-edge", "sign thick"), ("route", "data thin")):
        yield stage.pen.path(key, points, role)


def draw_held(stage: Stage, moment: Moment, now: float) -> Iterator[Mark]:
    """The activations of how many microbatches each GPU holds now, and in the end how many it has held at most."""
    pen, case, done = stage.pen, stage.case, moment.phase == "held"
    words = "held at most" if done else "activations"
    yield pen.text("held", stage.holds, stage.chart.y - 8, words, "memory")
    rows = [stage.row(device) for device in range(case.stages)]
    boxes = [Box(stage.holds, row.y + 0.15 * row.height, stage.track, 0.7 * row.height) for row in rows]
    yield pen.outlines("tracks", boxes, "grid")
    goes, behind = again(moment)
    for device, (peak, box) in enumerate(zip(case.peaks, boxes, strict=True)):
        ended = done and goes == case.time
        held = case.most_held(device, goes) if done else case.held_at(device, now)
        part = peak / case.microbatches if ended else rounded(held / case.microbatches)
        told = f"GPU {device + 1} holds {number(peak)} at most" if ended else ""
        role = "memory" if ended else "memory steady"  # as evenly as time goes on
        yield pen.rect(f"held-{device}", box._replace(width=part * box.width), role, round=0, read=told)
        if (ended or (done and case.stages <= COUNTED)) and stage.named(device):
            most = number(case.most_held(device, behind))
            yield pen.text(f"held-{device}-words", box.right + 6, box.y + box.height / 2, most, "value",
                           middle=True)  # fmt: skip


def rounded(share: float) -> float:
    """A share in eighths: what moves is drawn no finer, so that pictures of it are alike."""
    return ceil(8 * share) / 8


def draw_now(stage: Stage, moment: Moment, now: float) -> Iterator[Mark]:
    """The playhead, a cover over what has not happened yet, and how long all of it takes."""
    pen, lanes, x = stage.pen, stage.lanes, round(stage.x(now))  # whole units are told shorter
    goes, _ = again(moment)
    if goes == stage.case.time:
        yield pen.rect("future", Box(x, lanes.y - 2, lanes.right + 1 - x, lanes.height + 4), "cell steady", round=0)
        yield pen.line("now", x, lanes.y - 4, x, lanes.bottom + 4, "hot steady")
    else:  # it begins anew, until all hold what they ever will
        x = round(stage.x(max(goes, 0)))
        yield pen.line("again", x, lanes.y - 4, x, lanes.bottom + 4, "hot steady")
    base = lanes.bottom + pen.size + 4
    yield pen.text("time", lanes.x, base, "time", "note")
    words = count_of(stage.case.time)
    yield pen.text("time-end", lanes.right, base, words, "note", anchor="end")


def draw_sum(stage: Stage, moment: Moment) -> Iterator[Mark]:
    """The work of the last GPU in one piece, and its gaps, which come down behind it."""
    pen, case, bar = stage.pen, stage.case, stage.sum
    if not moment.since("idle"):
        return
    landed, last = moment.phase == "held" or moment.beat > 0, case.stages - 1
    left = stage.x(case.ideal)
    yield pen.rect("sum", bar._replace(width=left - bar.x), "work", round=0)
    for at, (start, end) in enumerate(case.gaps(last)):
        wide = (end - start) * stage.unit
        there = Box(left, bar.y, wide, bar.height) if landed else stage.row(last)
        yield pen.rect(f"gap-{at}", Box(there.x if landed else stage.x(start), there.y, wide, there.height),
                       "dropped soft", round=0)  # fmt: skip
        left += wide
    if landed:
        base = bar.bottom + pen.size + 3
        yield pen.text("sum-work", bar.x, base, f"works: {count_of(case.ideal)}", "work strong")
        yield pen.text("sum-idle", bar.right, base, f"waits: {number(case.idle, 4)}", "dropped strong", anchor="end")


def draw_answer(stage: Stage, now: float) -> Iterator[Mark]:
    """How much of the time was idle until now, as soon as some has gone by; when all is done, also against the work."""
    pen, case, done = stage.pen, stage.case, now == stage.case.time
    x, y = pen.pick((0, 24), (680, 34))
    if not now:
        return
    yield pen.text("share", x, y, percent(case.idle_until(now)), "dropped strong answer", size=pen.huge)
    idle = number(case.idle, 4)
    words = f"idle {idle} of {count_of(case.time)}" if done else "idle so far"
    yield pen.text("share-words", *pen.pick((96, 11), (x, y + 22)), words, "label answer")
    if done:
        ratio, rest = percent(case.ratio), f"of the work: {idle} to {number(case.ideal, 4)}"
        x, y = pen.pick((96, 27), (x, y + 62))
        size = pen.pick(pen.size, pen.large)
        yield pen.text("ratio", x, y, ratio, "dropped strong answer", size=size)
        x, y = pen.pick((x + 6 + pen.text_width(ratio, strong=True), y), (x, y + 20))
        yield pen.text("ratio-words", x, y, rest, "label answer")
