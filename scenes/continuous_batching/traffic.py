"""A stream of requests: the queue as it grows and shrinks, the slots, and the mean wait at every load."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

import numpy as np

from loom.draw import Box, Mark, arrow, first_clear, memoized, number

from .case import Case
from .model import POLICIES, SPAN, STATIC, Served
from .queueing import LOADS, limit, mean_wait
from .stage import MOST, QUEUED, Stage

LOW = 7  # units: so much lower than elsewhere the numbers of loads stand, clear of a knob on their axis


@memoized
def draw_stream(stage: Stage, case: Case) -> Iterator[Mark]:
    """Everything that happens while the stream is looked at."""
    yield stage.rect("slots", stage.slots, "cell", round=0)
    yield stage.rect("queue", stage.queue, "cell", round=0)
    served = [one for one in case.stream.served if one.start < SPAN]
    if case.policy == STATIC:
        yield stage.hatch("held", stage.slots, "dropped thin", stage.pick(6, 8))
        for at, box in enumerate(idle(stage, served)):
            yield stage.rect(f"idle-{at}", box, "cell", round=0)
    boxes = [stage.span(stage.slot(one.slot), one.start, one.end, SPAN) for one in served]
    yield stage.strokes("work", (box.corners[:4] for box in boxes), "work solid")
    yield stage.path("waiting", queue_outline(stage, case), "dropped solid soft", close=True)
    base = stage.slots.bottom + stage.size + 3
    yield stage.text("time", stage.slots.x, base, "time", "note")
    yield stage.text("time-end", stage.slots.right, base, f"{SPAN:,} steps", "note", anchor="end")


def idle(stage: Stage, served: list[Served]) -> Iterator[Box]:
    """The times between batches, when nobody waited."""
    spans = sorted({(one.start, one.free) for one in served})
    edges = [0, *(time for span in spans for time in span), SPAN]
    for start, end in zip(edges[::2], edges[1::2], strict=True):
        if end - start >= stage.seen:
            yield stage.span(stage.slots, start, end, SPAN)


def queue_outline(stage: Stage, case: Case) -> list[tuple[float, float]]:
    """The outline of the queue, no finer than can be seen: of each short stretch the most that wait."""
    room, step = stage.queue, stage.seen
    unit = room.height / QUEUED
    changes = [(0.0, 0), *case.stream.queue, (float("inf"), 0)]
    most = [0] * (SPAN // step + 1)
    for (start, waiting), (end, _) in pairwise(changes):
        for at in range(int(start // step), min(int(min(end, SPAN) // step) + 1, len(most))):
            most[at] = max(most[at], waiting)
    points = [(room.x, room.bottom)]
    for at, waiting in enumerate(most):
        y = room.bottom - min(waiting, QUEUED) * unit
        x = round(stage.x(at * step, SPAN))
        if y != points[-1][1]:
            points += [(x, points[-1][1]), (x, y)]
    return [*points, (room.right, points[-1][1]), (room.right, room.bottom)]


def draw_queue_now(stage: Stage, case: Case, now: float) -> Iterator[Mark]:
    """How many wait at the playhead; more than the room can show have an arrow."""
    waiting = case.stream.waiting(now)
    yield stage.text(
        "queue-now", stage.queue.right, stage.queue.y - 7, f"{waiting} now", "dropped strong", anchor="end"
    )
    if waiting > QUEUED:
        x = stage.x(now, SPAN)
        yield stage.path("more", [(x - 10, stage.queue.y + 7), (x - 6, stage.queue.y + 2), (x - 2, stage.queue.y + 7)],
                         "hot")  # fmt: skip


@memoized
def draw_curve(stage: Stage, case: Case, limits: bool, drawn: float | None) -> Iterator[Mark]:
    """The mean wait over the load, for both policies, with the knob; and the `limits`, loads that neither reaches.

    Of the chosen policy's curve so much is `drawn`, from the lightest load on; None makes a ghost of it, too.
    """
    plot = stage.plot
    yield from plot.axes(drop=LOW)
    rail = [plot.at(load, height(case.policy, load)) for load in LOADS]
    x, y = rail[LOADS.index(case.load)]
    knob = stage.knob("load", x, y, "load", rail, "load")
    for policy in POLICIES:
        end, top = plot.at(limit(policy), MOST)
        if limits:
            yield stage.line(f"limit-{policy}", end, top, end, plot.box.bottom, "axis dashed thin")
        points = [plot.at(*point) for point in zip(*curve(policy), strict=True)]
        grown = drawn if policy == case.policy else None
        yield stage.path(f"wait-{policy}", points, "ghost" if grown is None else "dropped steady", drawn=grown)
        shift = stage.pick(38, 26) if policy == STATIC else stage.pick(26, 20)
        tone, base = "dropped strong" if policy == case.policy else "note", top + 2 * stage.size
        ends = [end - shift - more for more in range(0, 100, 5)]
        places = [stage.text(f"name-{policy}", end, base, policy, tone, anchor="end") for end in ends]
        yield first_clear(places, [knob], gap=1)
    if limits:
        end, tone = plot.at(limit(STATIC), 0)[0], "dropped strong" if case.policy == STATIC else "note"
        yield stage.text(
            "limit", end, plot.box.bottom + 5 + stage.size + LOW, number(limit(STATIC)), tone, anchor="middle"
        )
    if case.endless:  # the wait is not that of the chart's top, nor any other
        yield arrow(stage, "endless", (x, y - 8), (x, y - stage.pick(21, 24)), "dropped strong")
        left = x + 8 + stage.text_width("no end", strong=True) > stage.width
        yield stage.text("endless-name", x - 8 if left else x + 8, y - stage.pick(16, 18), "no end", "dropped strong",
                         anchor="end" if left else "start", middle=True)  # fmt: skip
    yield knob


def height(policy: str, load: int) -> float:
    """The mean wait as the curve shows it [steps]: beyond its top, and where there is no end to it, at the top."""
    return min(mean_wait(policy, load), MOST) if load < limit(policy) else MOST


def curve(policy: str) -> tuple[list[float], list[float]]:
    """Loads and mean waits up to where the curve leaves its box."""
    loads, waits = [0.0], [0.0]
    for load in np.arange(*(2.5, 50, 2.5) if policy == STATIC else (5, 100, 5)).tolist():
        if load >= limit(policy) or waits[-1] >= MOST:
            break
        wait = mean_wait(policy, load)
        if wait > MOST:
            part = (MOST - waits[-1]) / (wait - waits[-1])
            loads.append(loads[-1] + part * (load - loads[-1]))
            waits.append(MOST)
        else:
            loads.append(load)
            waits.append(wait)
    return loads, waits
